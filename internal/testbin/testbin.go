// Package testbin builds programs that tests run.
package testbin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Build compiles the main package at the import path into a folder of its own and
// returns the program's path and a function that removes it.
func Build(importPath string) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "kibitz-test-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, filepath.Base(importPath))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, importPath).CombinedOutput()
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("building %s: %w\n%s", importPath, err, out)
	}
	return path, remove, nil
}

// FaultEngine builds the engine that fails on request.
func FaultEngine() (path string, remove func(), err error) {
	return Build("kibitz/internal/faultengine")
}
