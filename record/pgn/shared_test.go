package pgn_test

import (
	"os"
	"path/filepath"
	"testing"
)

// shared returns the path of a file of the shared data, which lies in a folder
// beside the repository, and skips the test where there is none.
func shared(t testing.TB, elem ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			p := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, elem...)...)
			if _, err := os.Stat(p); err == nil {
				return p
			}
		}
	}
	t.Skipf("no shared data beside the repository: %s", filepath.Join(elem...))
	return ""
}

func load(t testing.TB, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(shared(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
