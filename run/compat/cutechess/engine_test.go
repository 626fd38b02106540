package cutechess

import (
	"os"
	"path/filepath"
	"testing"
)

// TestProgram: a relative executable counts from the working folder first.
func TestProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"engines/brain.py", "engines/bin/brain", "here.py"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []struct{ cmd, dir, want string }{
		{"brain.py", "engines", "./engines/brain.py"},
		{"bin/brain", "engines", "./engines/bin/brain"},
		{"./brain.py", "engines", "./engines/brain.py"},
		{"bin", "engines", "bin"}, // a folder
		{"here.py", "engines", "here.py"},
		{"./here.py", "engines", "./here.py"},
		{"brain.py", "", "brain.py"},
		{"python3", "engines", "python3"},
	} {
		e := Engine{Cmd: k.cmd, Dir: k.dir}
		if got := e.program(); filepath.ToSlash(got) != k.want {
			t.Errorf("cmd=%s dir=%s: %s, want %s", k.cmd, k.dir, got, k.want)
		}
	}
}
