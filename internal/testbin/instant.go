package testbin

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Shared returns the path of something in the folder "shared" beside the
// repository, which holds data that the project reads but does not ship. ok is
// false if it is not there.
func Shared(elem ...string) (path string, ok bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		path = filepath.Join(append([]string{dir, "shared"}, elem...)...)
		if _, err := os.Stat(path); err == nil {
			return path, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// ErrNoCompiler is returned by InstantEngine where there is no C compiler or no
// source.
var ErrNoCompiler = errors.New("the instant engine needs a C compiler and the folder shared/bench")

// InstantEngine builds the engine that answers at once, for measurements.
func InstantEngine() (path string, remove func(), err error) {
	source, ok := Shared("bench", "instant-pbrain.c")
	cc, err := exec.LookPath("cc")
	if !ok || err != nil {
		return "", nil, ErrNoCompiler
	}
	dir, err := os.MkdirTemp("", "kibitz-bench-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "instant-pbrain")
	if out, err := exec.Command(cc, "-O2", "-o", path, source).CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("compiling %s: %w\n%s", source, err, out)
	}
	return path, remove, nil
}
