package smalldisk

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// Mount returns a folder on a disk of so many megabytes. The test is skipped where this
// user may mount none.
func Mount(t testing.TB, megabytes int) string {
	t.Helper()
	// Not below a folder of the test: servers run as others, who must get there.
	dir, err := os.MkdirTemp("", "small")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("kibitz-test", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		os.Remove(dir) //nolint:errcheck // it is empty
		t.Skipf("no small disk can be mounted here, so that what a full one does is not tested: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
		os.Remove(dir) //nolint:errcheck // it is empty
	})
	return dir
}
