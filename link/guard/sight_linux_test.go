package guard

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPrefix: what belongs to a program of a language is seen with it, and nothing of
// who is at home there.
func TestPrefix(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, dir := range []string{"bin", "lib", "shims", "venv/bin", "tools/bin", ".pyenv/shims"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "venv/pyvenv.cfg"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"venv/bin/python3": "venv", ".pyenv/shims/python3": ".pyenv", "tools/bin/x": "", "bin/x": "", "shims/x": "", "venv/x": "",
	} {
		if want != "" {
			want = filepath.Join(home, want)
		}
		if got := prefix(filepath.Join(home, path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
