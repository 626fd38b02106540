package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kibitz/internal/testbin"
	"kibitz/link/wine"
)

// TestWine plays Windows engines through the Wine of this machine: Kibitz itself and
// the engine that fails, compiled for Windows.
func TestWine(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Windows, which takes seconds")
	}
	if in, err := wine.Find(wine.Look{Path: exec.LookPath}); err != nil || !in.Has(64) {
		t.Skip("Wine for 64 bits is not installed")
	}
	programs := map[string]string{"KIBITZ_EXE": "kibitz/cmd/kibitz", "FAULT_EXE": "kibitz/internal/faultengine"}
	for key, pkg := range programs {
		path, remove, err := testbin.BuildFor(pkg, "windows", "amd64")
		if err != nil {
			t.Fatal(err)
		}
		defer remove()
		programs[key] = path
	}
	commands := map[string]func(*testscript.TestScript, bool, []string){"left": scriptLeft}
	maps.Copy(commands, scriptCommands)
	// The scripts run side by side, and their programs go when all are over.
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir: "testdata/wine", Cmds: commands,
			Setup: func(e *testscript.Env) error {
				for key, path := range programs {
					e.Setenv(key, path)
				}
				return nil
			},
		})
	})
}

// scriptLeft fails if a process of a Windows in a folder is left: left FOLDER
func scriptLeft(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: left FOLDER")
	}
	mark := []byte("WINEPREFIX=" + ts.MkAbs(args[0]))
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	ts.Check(err)
	for _, file := range files {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, mark) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			ts.Fatalf("%q is left", line)
		}
	}
}
