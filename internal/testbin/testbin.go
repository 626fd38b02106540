// Package testbin builds programs that tests run.
package testbin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Build compiles the main package at the import path into a folder of its own and
// returns the program's path and a function that removes it.
func Build(importPath string) (path string, remove func(), err error) {
	return BuildFor(importPath, runtime.GOOS, runtime.GOARCH)
}

// BuildFor is Build for another system or machine, by Go's names.
func BuildFor(importPath, system, machine string) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "kibitz-test-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, filepath.Base(importPath))
	if system == "windows" {
		path += ".exe"
	}
	var env []string
	if system != runtime.GOOS || machine != runtime.GOARCH {
		env = []string{"GOOS=" + system, "GOARCH=" + machine, "CGO_ENABLED=0"}
	}
	if err := Compile(path, importPath, env...); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// Compile makes a program of the main package at the import path, as it is shipped, in an
// environment with more variables. It is built in the module itself: who uses it, such as the module bench,
// need not know all that its programs are made of.
func Compile(path, importPath string, env ...string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "kibitz").Output()
	if err != nil {
		return fmt.Errorf("finding the module: %w", err)
	}
	cmd := exec.Command("go", "build", "-C", strings.TrimSpace(string(root)), "-trimpath", "-tags=full", "-ldflags=-s", "-o", path, importPath)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", importPath, err, out)
	}
	return nil
}

// FaultEngine builds the engine that fails on request.
func FaultEngine() (path string, remove func(), err error) {
	return Build("kibitz/internal/faultengine")
}
