package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One process has the folder of a hall at a time, and knows the workers of those that
// had it before.
func TestHallFolder(t *testing.T) {
	if !folderLocks {
		t.Skip("files cannot be locked here")
	}
	dir := filepath.Join(t.TempDir(), "hall")
	first, err := openHallFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openHallFolder(dir); err == nil || !strings.Contains(err.Error(), "another hall runs in that folder") {
		t.Errorf("a second hall in the folder: %v", err)
	}
	token, err := first.word("worker.token")
	if err != nil || len(token) < 20 {
		t.Error(token, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := openHallFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if again, err := second.word("worker.token"); err != nil || again != token {
		t.Errorf("the token was %q and is %q, %v", token, again, err)
	}
	other := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	copied, err := openHallFolder(other)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	for worker, want := range map[string]bool{first.mine: true, second.mine: false, copied.mine: false, "": false, second.id: false, "XYZ": false} {
		if second.gone(worker) != want {
			t.Errorf("gone(%q) is %v", worker, !want)
		}
	}
}
