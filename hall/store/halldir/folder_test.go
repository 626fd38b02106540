package halldir

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/internal/filelock"
)

// One process has the folder of a hall at a time, and knows the workers of those that
// had it before.
func TestHallFolder(t *testing.T) {
	if !filelock.Works {
		t.Skip("files cannot be locked here")
	}
	dir := filepath.Join(t.TempDir(), "hall")
	first, err := Open(dir, rand.Text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, rand.Text); err == nil || !strings.Contains(err.Error(), "another hall runs in that folder") {
		t.Errorf("a second hall in the folder: %v", err)
	}
	token, err := first.Word("worker.token")
	if err != nil || len(token) < 20 {
		t.Error(token, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(dir, rand.Text)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	// One that a full disk left empty is made now.
	if err := os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if word, err := second.Word("empty"); err != nil || len(word) < 20 {
		t.Error(word, err)
	}
	if again, err := second.Word("worker.token"); err != nil || again != token {
		t.Errorf("the token was %q and is %q, %v", token, again, err)
	}
	other := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	copied, err := Open(other, rand.Text)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	for worker, want := range map[string]bool{first.Worker: true, second.Worker: false, copied.Worker: false, "": false, second.id: false, "XYZ": false} {
		if second.Gone(worker) != want {
			t.Errorf("gone(%q) is %v", worker, !want)
		}
	}
}
