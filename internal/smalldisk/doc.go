// Package smalldisk gives tests a disk that is soon full.
package smalldisk

import (
	"os"
	"path/filepath"
	"testing"
)

// Fill writes a file until nothing more fits on the disk of a folder, and returns what
// removes it.
func Fill(t testing.TB, dir string) (free func()) {
	t.Helper()
	name := filepath.Join(dir, "filling")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 20; size > 0; {
		if n, err := f.Write(make([]byte, size)); err != nil || n < size {
			size /= 2
		}
	}
	if err := f.Close(); err != nil {
		t.Log(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}
