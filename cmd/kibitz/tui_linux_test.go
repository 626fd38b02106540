package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/internal/plain"
	"kibitz/run/orders"
	"kibitz/run/result"
	"kibitz/term"
)

// pseudoTerminal is a terminal of which the test is the keyboard and the screen.
type pseudoTerminal struct {
	keys *os.File // the side of the keyboard and the screen
	tty  *os.File // what the program is given

	mu  sync.Mutex
	out bytes.Buffer
	all sync.WaitGroup
}

func newPseudoTerminal(t *testing.T, wide, high uint16) *pseudoTerminal {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(keys.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: wide, Row: high})
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &pseudoTerminal{keys: keys, tty: tty}
	p.all.Go(func() { p.read() })
	return p
}

func (p *pseudoTerminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := p.keys.Read(buf)
		p.mu.Lock()
		p.out.Write(buf[:n])
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// written is all that the program has written so far.
func (p *pseudoTerminal) written() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// close ends the terminal once the program has.
func (p *pseudoTerminal) close(t *testing.T) string {
	t.Helper()
	if err := p.tty.Close(); err != nil {
		t.Error(err)
	}
	p.all.Wait()
	if err := p.keys.Close(); err != nil {
		t.Error(err)
	}
	return p.written()
}

// until waits for something to happen, while the run goes on.
func until(t *testing.T, p *pseudoTerminal, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if happened() {
			return
		}
	}
	t.Fatalf("%s: nothing happened; the screen:\n%q", what, p.written())
}

// A run in a terminal of its own: keys pause it, start it again, change how many
// games run, and end it; its games are then those of any run, and the table stands on
// the terminal as it was before.
func TestTUIInATerminal(t *testing.T) {
	for _, c := range []struct{ name, last string }{{"drained", "d"}, {"interrupted", "\x03\x03"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("NO_COLOR", "1")
			p := newPseudoTerminal(t, 80, 24)
			var errs bytes.Buffer
			dir := filepath.Join(t.TempDir(), "run")
			ctx, stop := context.WithCancel(t.Context())
			a := &app{stdin: p.tty, stdout: &term.Output{Writer: p.tty}, stderr: &errs, now: time.Now, ctx: ctx, drain: make(chan struct{})}
			status, over := 0, make(chan struct{})
			go func() {
				defer close(over)
				status = executeFull(a, []string{"match", "--game", "othello", "--engine", "bot=2", "--engine", "bot=3", "--games", "100000", "--tui", "--out", dir})
			}()
			defer func() {
				stop()
				<-over
			}()
			steer(t, p, dir)
			if _, err := io.WriteString(p.keys, c.last); err != nil {
				t.Fatal(err)
			}
			until(t, p, "the end", func() bool {
				select {
				case <-over:
					return true
				default:
					return false
				}
			})
			out := p.close(t)
			if status != 0 || errs.Len() > 0 {
				t.Errorf("status %d, %s", status, errs.String())
			}
			checkRunOnTerminal(t, out, dir)
		})
	}
}

// steer presses keys and waits until the run has obeyed.
func steer(t *testing.T, p *pseudoTerminal, dir string) {
	t.Helper()
	is := func(want func(s *orders.Status) bool) func() bool {
		return func() bool {
			got, err := orders.Ask(dir, orders.Request{Do: "status"})
			return err == nil && got.Status != nil && want(got.Status)
		}
	}
	until(t, p, "the beginning", func() bool { return strings.Contains(p.written(), "level2") })
	for _, k := range []struct {
		key  string
		want func(s *orders.Status) bool
	}{
		{"p", func(s *orders.Status) bool { return s.Paused && len(s.Running) == 0 }},
		{"p", func(s *orders.Status) bool { return !s.Paused && s.Done > 0 }},
		{"+", func(s *orders.Status) bool { return s.Concurrency == 2 }},
		{"+", func(s *orders.Status) bool { return s.Concurrency == 3 }},
		{"-", func(s *orders.Status) bool { return s.Concurrency == 2 }},
	} {
		if _, err := io.WriteString(p.keys, k.key); err != nil {
			t.Fatal(err)
		}
		until(t, p, k.key, is(k.want))
	}
}

// checkRunOnTerminal compares what stands on a terminal after a run with its folder.
func checkRunOnTerminal(t *testing.T, out, dir string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sum result.Summary
	if err := json.Unmarshal(b, &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Games == 0 || sum.Extra.Unfinished+sum.Games != 100000 {
		t.Errorf("%d games, %d not played", sum.Games, sum.Extra.Unfinished)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "journal")); err != nil || bytes.Contains(b, []byte(`"kind":"view"`)) {
		t.Errorf("what is shown is in the journal: %v", err)
	}
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	view, rest, left := strings.Cut(out, leave)
	if !left || !strings.Contains(view, enter) {
		t.Fatalf("the alternate screen is not entered and left once:\n%q", out)
	}
	for _, want := range []string{"a b c d e f g h", "level3", "p pause"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q was not shown", want)
		}
	}
	if strings.Contains(view, "\x1b[1;36m") || strings.Contains(view, "[36m") {
		t.Error("colours in spite of NO_COLOR")
	}
	for _, want := range []string{"rank", plain.Count(sum.Games, "game") + " in ", "records and logs in " + dir} {
		if !strings.Contains(rest, want) {
			t.Errorf("%q is not on the terminal in the end: %q", want, rest)
		}
	}
	var text, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &text, stderr: &errs, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	if status := executeFull(a, []string{"verify", "--quiet", dir}); status != 0 {
		t.Errorf("verify: %s%s", text.String(), errs.String())
	}
}
