package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kibitz/cmd/kibitz/full"
	"kibitz/internal/testbin"
	"kibitz/link/guard"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	guard.Helper()
	testscript.Main(tests{m}, map[string]func(){
		"kibitz":       func() { os.Exit(executeFull(ownApp(), os.Args[1:])) },
		"kibitz-queue": queueServer,
	})
}

// tests are those of this package. Most of them wait for other programs, so more of them
// run side by side than there are processors. What the shell says of a database or a queue
// is not theirs.
type tests struct{ *testing.M }

func (t tests) Run() int {
	for _, err := range []error{flag.Set("test.parallel", "4"), os.Unsetenv("KIBITZ_DB"), os.Unsetenv("KIBITZ_NATS")} {
		if err != nil {
			panic(err)
		}
	}
	plainPython()
	status := t.M.Run()
	if faultOnce.remove != nil {
		faultOnce.remove()
	}
	return status
}

// plainPython puts the interpreter itself before what may choose one each time it is called (pyenv
// does, by four shells): engines of tests are in Python, and have bounds of time.
func plainPython() {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return // the tests that need it say so
	}
	if err := os.Setenv("PATH", filepath.Dir(strings.TrimSpace(string(out)))+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
}

// executeFull runs one command line of the program as it is shipped, whatever tags the
// tests are built with.
func executeFull(a *app, args []string) int { return execute(a, &full.Commands{}, args) }

// TestScripts runs the scenarios of testdata/script; each is a text file.
func TestScripts(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	faultengine(t, bin)
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", Cmds: scriptCommands, Condition: scriptCondition,
		Setup: func(e *testscript.Env) error {
			// A program under the race detector sleeps a second before it ends.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			// A name of its own for each script: scripts run side by side and look
			// for what is left of theirs.
			fault := filepath.Join(e.WorkDir, "faultengine")
			e.Setenv("FAULT", fault)
			e.Setenv("TESTDATA", testdata)
			return os.Symlink(filepath.Join(bin, "faultengine"), fault)
		},
	})
}

// scriptCondition knows [hangup]: what SIGHUP does to programs is theirs to decide. Under
// nohup they are begun with it ignored, and rightly go on.
func scriptCondition(name string) (bool, error) {
	if name == "hangup" {
		return !signal.Ignored(syscall.SIGHUP), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// faultOnce is the engine that fails, built for the first test that needs it.
var faultOnce struct {
	sync.Once
	path   string
	remove func()
	err    error
}

// faultProgram returns the program of the engine that fails.
func faultProgram(t *testing.T) string {
	t.Helper()
	faultOnce.Do(func() { faultOnce.path, faultOnce.remove, faultOnce.err = testbin.FaultEngine() })
	if faultOnce.err != nil {
		t.Fatal(faultOnce.err)
	}
	return faultOnce.path
}

// faultengine puts the engine that fails into a folder.
func faultengine(t *testing.T, dir string) {
	t.Helper()
	if err := os.Link(faultProgram(t), filepath.Join(dir, "faultengine")); err != nil {
		t.Fatal(err)
	}
}
