package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kibitz/journal"
)

var hostRun = []string{"--game", "nogo:size=5", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--games", "40"}

// kibitz runs the program and returns what it prints.
func kibitz(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("kibitz", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("kibitz %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A disk that is full at any moment leaves a run that goes on once there is room.
func TestFullDisk(t *testing.T) {
	for _, size := range []string{"4k", "12k", "28k", "60k", "200k"} {
		t.Run(size, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
				t.Skipf("a small disk cannot be mounted here: %v", err)
			}
			t.Cleanup(func() {
				if err := syscall.Unmount(dir, 0); err != nil {
					t.Error(err)
				}
			})
			run := filepath.Join(dir, "run")
			out, err := exec.Command("kibitz", slices.Concat([]string{"match"}, hostRun, []string{"--quiet", "--out", run})...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "no space left on device") {
				t.Fatalf("%v\n%s", err, out)
			}
			checkPage(t, string(out))
			if _, err := os.Stat(run); err != nil { // it could not begin
				if !strings.HasPrefix(string(out), "kibitz: the run cannot begin: ") {
					t.Errorf("left nothing, and said %s", out)
				}
				return
			}
			if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=20m"); err != nil {
				t.Fatal(err)
			}
			if out := kibitz(t, "resume", "--quiet", run); !strings.Contains(out, "\n40 games in ") {
				t.Errorf("%s", out)
			}
			if n := len(recordsOfRun(t, run)); n != 40 {
				t.Errorf("%d games", n)
			}
		})
	}
}

var digits = regexp.MustCompile(`\d+`)

// checkPage wants what was told first to be on the page, but for numbers and names.
func checkPage(t *testing.T, out string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/measured/host-faults.md")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(out, "\n")
	told, _, _ := strings.Cut(line, ": writ") // to where, is another each time
	if told = digits.ReplaceAllString("`"+told, "N"); !strings.Contains(digits.ReplaceAllString(string(page), "N"), told) {
		t.Errorf("not on the page: %s", line)
	}
}

// A terminal that goes away under the terminal view ends the run like an interrupt.
func TestTerminalHangsUp(t *testing.T) {
	p := newPseudoTerminal(t, 100, 30)
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command("kibitz", slices.Concat([]string{"match"}, hostRun, []string{"--wait", "20", "--tui", "--out", dir})...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.tty, p.tty, p.tty
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, p, "some games", func() bool {
		list, _ := filepath.Glob(filepath.Join(dir, "games", "*.json"))
		return len(list) >= 3
	})
	if err := p.tty.Close(); err != nil {
		t.Error(err)
	}
	if err := p.keys.Close(); err != nil {
		t.Error(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case <-over: // with whatever status: nobody is there to be told
	case <-time.After(2 * time.Minute):
		cmd.Process.Kill()
		t.Fatal("the run goes on without a terminal")
	}
	if out := kibitz(t, "resume", "--quiet", dir); !strings.Contains(out, "\n40 games in ") {
		t.Errorf("%s", out)
	}
	if n := len(recordsOfRun(t, dir)); n != 40 {
		t.Errorf("%d games", n)
	}
}

// A wall clock that is set while a run goes on or rests changes what the journal says
// of times, and nothing else.
func TestWallClockIsSet(t *testing.T) {
	for what, step := range map[string]time.Duration{"back": -36 * time.Hour, "forward": 36 * time.Hour} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			kibitz(t, slices.Concat([]string{"match"}, hostRun, []string{"--quiet", "--out", dir})...)
			name := filepath.Join(dir, "journal")
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			events, _, err := journal.ReadAll(data)
			if err != nil {
				t.Fatal(err)
			}
			var out []byte
			for i := range len(events) * 2 / 3 { // the rest is still to be played
				if i > len(events)/3 {
					events[i].Time = events[i].Time.Add(step)
				}
				if out, err = journal.AppendEvent(out, &events[i]); err != nil {
					t.Fatal(err)
				}
			}
			ended := bytes.Count(out, []byte(`"kind":"result"`))
			if err := os.WriteFile(name, out, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{"games", "logs", "summary.json"} {
				if err := os.RemoveAll(filepath.Join(dir, f)); err != nil {
					t.Fatal(err)
				}
			}
			text := kibitz(t, "resume", dir)
			if !strings.Contains(text, "\n40 games in ") || strings.Contains(text, " in -") || ended < 10 || ended >= 40 {
				t.Errorf("after %d games: %s", ended, text)
			}
			if n := len(recordsOfRun(t, dir)); n != 40 {
				t.Errorf("%d games", n)
			}
			kibitz(t, "verify", "--quiet", dir)
			kibitz(t, "report", dir)
		})
	}
}
