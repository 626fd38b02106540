package smalldisk

import (
	"fmt"
	"syscall"
	"testing"
)

// Mount returns a folder on a disk of so many megabytes. The test is skipped where this
// user may mount none.
func Mount(t testing.TB, megabytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("kibitz-test", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("no small disk can be mounted here, so that what a full one does is not tested: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}
