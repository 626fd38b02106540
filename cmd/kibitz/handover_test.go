package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"kibitz/cmd/kibitz/full"
)

// TestSameCommands holds that the program names the same commands whether it is built in
// full or not.
func TestSameCommands(t *testing.T) {
	var lists [2][]string
	for i, more := range []any{&fullCommands{}, &full.Commands{}} {
		k, err := kong.New(&commands{Plugins: kong.Plugins{more}})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range k.Model.Children {
			lists[i] = append(lists[i], c.Name+": "+c.Help)
		}
	}
	if got, want := strings.Join(lists[0], "\n"), strings.Join(lists[1], "\n"); got != want || len(lists[0]) < 30 {
		t.Errorf("not built in full it has\n%s\nand else\n%s", got, want)
	}
}

// TestBuiltWhenNeeded shows that the program of the first command has all others too where its
// source is, says once that it builds them, and elsewhere says what to do.
func TestBuiltWhenNeeded(t *testing.T) {
	t.Parallel()
	light := filepath.Join(t.TempDir(), "kibitz")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", light, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cache := t.TempDir()
	run := func(dir string, args ...string) (status int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := exec.Command(light, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "GOCACHE="+goCache(t))
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), errs.String()
	}
	if status, out, errs := run(".", "base", "search", "--help"); status != 0 || !strings.Contains(out, "--player=NAME") || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "once") {
		t.Errorf("the first time: status %d, %q, %s", status, errs, out)
	}
	if status, out, errs := run(".", "help", "serve"); status != 0 || !strings.Contains(out, "--listen=HOST:PORT") || errs != "" {
		t.Errorf("once more: status %d, %q, %s", status, errs, out)
	}
	if status, _, errs := run(".", "base", "info", filepath.Join(cache, "none.base")); status != 2 || !strings.Contains(errs, "none.base") {
		t.Errorf("an error of the command itself: status %d, %q", status, errs)
	}
	if status, out, errs := run(t.TempDir(), "serve"); status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "go build -tags full ./cmd/kibitz") {
		t.Errorf("elsewhere: status %d, %q, %q", status, errs, out)
	}
}

// goCache is where the go command keeps what it builds.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
