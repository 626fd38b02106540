//go:build !linux

package smalldisk

import "testing"

// Mount skips the test.
func Mount(t testing.TB, _ int) string {
	t.Helper()
	t.Skip("only on Linux is a small disk mounted")
	return ""
}
