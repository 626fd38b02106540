package serving

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLoadedFiles checks for whom an engine reads files, and which.
func TestLoadedFiles(t *testing.T) {
	for _, c := range []Manager{{Listen: "127.0.0.1:0"}, {Address: []string{"127.0.0.1", "4000"}}} {
		if c.Files() != nil {
			t.Errorf("%+v: files are read for whoever is on the network", c)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "game.sgf")
	if err := os.WriteFile(name, []byte("(;)"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := (&Manager{}).Files()
	if b, err := read(name); err != nil || string(b) != "(;)" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := read(dir); err == nil {
		t.Error("a folder was read")
	}
	if err := os.Truncate(name, mostLoaded+1); err != nil {
		t.Fatal(err)
	}
	if _, err := read(name); err == nil {
		t.Error("a file that is too large was read")
	}
}
