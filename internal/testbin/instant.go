package testbin

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"kibitz/internal/shared"
)

// ErrNoCompiler is returned by InstantEngine where there is no C compiler or no
// source.
var ErrNoCompiler = errors.New("the instant engine needs a C compiler and the folder shared/bench")

// InstantEngine builds the engine that answers at once, for measurements.
func InstantEngine() (path string, remove func(), err error) {
	source, ok := shared.Find("bench", "instant-pbrain.c")
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
