package linktest_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/link"
	"kibitz/link/linktest"
)

func read(t *testing.T, c link.Conn, want string) {
	t.Helper()
	line, err := c.ReadLine(time.Now().Add(time.Minute))
	if err != nil || string(line) != want {
		t.Fatalf("read %q, %v; want %q", line, err, want)
	}
}

func write(t *testing.T, c link.Conn, text string) {
	t.Helper()
	if err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		conn, done := linktest.Start(t, `
			# a game of one move
			> START 15
			<" MESSAGE hi\r\nO"
			~ 2s
			<" K\r"
			>? ABOUT
			>...
			>~ TURN \d+,\d+
			!stderr thinking
			< 7,7
			>" END\r\nBYE\r\n"
			!exit 3`)
		write(t, conn, "START 15\r\n")
		read(t, conn, "MESSAGE hi")
		read(t, conn, "OK")
		if d := time.Since(begin); d != 2*time.Second {
			t.Errorf("the pause took %v", d)
		}
		write(t, conn, "INFO a 1\r\nINFO b 2\r\n")
		write(t, conn, "TURN 3,4\r\n")
		read(t, conn, "7,7")
		write(t, conn, "END\r\nBYE\r\n")
		done()
		if _, err := conn.ReadLine(time.Time{}); !errors.Is(err, io.EOF) {
			t.Errorf("after the end: %v", err)
		}
		p := conn.(link.Process)
		if e, ok := p.Exited(); !ok || e.Code != 3 {
			t.Errorf("exit %v %v", e, ok)
		}
		if s := p.Stderr(); len(s) != 1 || s[0] != "thinking" {
			t.Errorf("stderr %q", s)
		}
	})
}

// fakeTB collects what a script reports.
type fakeTB struct {
	testing.TB
	errs    []string
	cleanup []func()
}

func (f *fakeTB) Helper()           {}
func (f *fakeTB) Error(args ...any) { f.errs = append(f.errs, args[0].(string)) }
func (f *fakeTB) Cleanup(fn func()) { f.cleanup = append(f.cleanup, fn) }

func TestScriptNotices(t *testing.T) {
	for _, c := range []struct{ name, script, send, want string }{
		{"other line", "> A\n< x", "B\n", `script:1: expected "A", got "B"`},
		{"closed early", "> A\n> B", "A\n", `script:2: expected "B": EOF`},
		{"half line", "> A", "A", `after the unfinished line "A"`},
		{"not silent", "!silent", "A\n", `expected silence, got "A"`},
		{"two writes", `>" A\nB\n"`, "A\n", `expected the write "A\nB\n", got "A\n"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fakeTB{TB: t}
			conn, _ := linktest.Start(f, c.script)
			_ = conn.Write([]byte(c.send))
			for _, fn := range f.cleanup {
				fn()
			}
			if len(f.errs) != 1 || !strings.Contains(f.errs[0], c.want) {
				t.Errorf("reported %q, want %q", f.errs, c.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"hello":    "starts with no mark",
		">~ (":     "missing closing",
		`<" abc`:   "no quoted text",
		"!jump":    "is no event",
		"> A\n~ x": "s:2:",
		">...":     "needs an expectation",
		"!exit x":  "invalid syntax",
	} {
		if _, err := linktest.Parse("s", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestDialer(t *testing.T) {
	dial := linktest.Dialer(t, "> a\n!signal killed", "> b\n< ok")
	one, err := dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(t, one, "a\n")
	if _, err := one.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, io.EOF) {
		t.Errorf("want EOF, got %v", err)
	}
	two, err := dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(t, two, "b\n")
	read(t, two, "ok")
	if _, err := two.ReadLine(time.Now().Add(10 * time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("want a deadline, got %v", err)
	}
}
