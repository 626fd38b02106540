package callback_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/internal/leaks"
	"kibitz/link"
	"kibitz/link/callback"
	"kibitz/link/frame"
	"kibitz/link/proc"
)

// behaviour names what the test program does when it is started as an engine.
const behaviour = "KIBITZ_TEST_CALLBACK"

func TestMain(m *testing.M) {
	if what := os.Getenv(behaviour); what != "" {
		engine(what)
		return
	}
	leaks.Main(m)
}

// engine connects to the last two of its arguments and echoes what it is told.
func engine(what string) {
	args := os.Args
	fmt.Printf("arguments %d\n", len(args))
	switch what {
	case "leave":
		fmt.Fprintln(os.Stderr, "no tables")
		os.Exit(3)
	case "sleep":
		time.Sleep(time.Minute)
	case "deaf": // closes its output and never connects
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	}
	c, err := net.Dial("tcp", net.JoinHostPort(args[len(args)-2], args[len(args)-1]))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	conn := frame.NewConn(c, link.Options{})
	for {
		line, err := conn.ReadLine(time.Time{})
		if err != nil || string(line) == "/exit" {
			os.Exit(7)
		}
		fmt.Printf("thinking about %s\n", line)
		if conn.Write(append([]byte("echo "), append(line, '\n')...)) != nil {
			return
		}
	}
}

// log keeps what an observer sees.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) observe(d link.Direction, _ time.Time, line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf("%d %s", d, line))
}

func (l *log) has(line string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.lines, line)
}

func spec(t *testing.T, what string, l *log) callback.Spec {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return callback.Spec{Process: proc.Spec{
		Path: path, Dir: t.TempDir(), Env: append(os.Environ(), behaviour+"="+what), Args: []string{"-x"},
		Options: link.Options{Now: time.Now, Observe: l.observe},
	}}
}

func TestConversation(t *testing.T) {
	for _, noName := range []bool{false, true} {
		var l log
		s := spec(t, "echo", &l)
		s.NoName = noName
		if noName {
			s.Process.Args = nil
		}
		c, err := callback.Start(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write([]byte("/turn 1 2\n")); err != nil {
			t.Fatal(err)
		}
		line, err := c.ReadLine(time.Now().Add(time.Minute))
		if err != nil || string(line) != "echo /turn 1 2" {
			t.Fatalf("%q %v", line, err)
		}
		if err := c.Write([]byte("/exit\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, io.EOF) {
			t.Fatalf("after /exit: %v", err)
		}
		exit, gone := c.Exited()
		for end := time.Now().Add(time.Minute); !gone && time.Now().Before(end); exit, gone = c.Exited() {
			time.Sleep(time.Millisecond) // the end of the connection waits for this news, but not long
		}
		if !gone || exit.Code != 7 {
			t.Errorf("%v %v", exit, gone)
		}
		if err := c.CloseAfter(time.Minute); err != nil {
			t.Error(err)
		}
		count := 4
		if noName {
			count = 2
		}
		for _, want := range []string{
			fmt.Sprintf("%d arguments %d", link.Printed, count), fmt.Sprintf("%d thinking about /turn 1 2", link.Printed),
			fmt.Sprintf("%d /turn 1 2", link.Sent), fmt.Sprintf("%d echo /turn 1 2", link.Received),
		} {
			if !l.has(want) {
				t.Errorf("%q was not seen; seen: %q", want, l.lines)
			}
		}
	}
}

func TestNeverConnects(t *testing.T) {
	for _, c := range []struct{ what, want string }{
		{"leave", "ended (exit status 3) before it connected"},
		{"sleep", "not connected"},
		{"deaf", "not connected"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		if c.what == "leave" {
			cancel()
			ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		}
		var l log
		_, err := callback.Start(ctx, spec(t, c.what, &l))
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestNoProgram(t *testing.T) {
	var l log
	s := spec(t, "echo", &l)
	s.Process.Path = "/nonexistent/engine"
	if _, err := callback.Dialer(s)(t.Context()); err == nil {
		t.Error("started")
	}
}
