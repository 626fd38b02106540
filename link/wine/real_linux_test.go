package wine

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/internal/testbin"
	"kibitz/link"
	"kibitz/link/guard"
	"kibitz/link/proc"
)

func TestMain(m *testing.M) {
	guard.Helper()
	os.Exit(m.Run())
}

// A Windows engine plays through the Wine that is installed, first without limits, then
// under all of them: its server, which opens files and connections for it, is in its
// cell. Nothing of either is left.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a Windows, which takes seconds")
	}
	in, err := Find(Look{Path: exec.LookPath})
	if errors.Is(err, ErrMissing) || err == nil && !in.Has(64) {
		t.Skip("Wine for 64 bits is not installed")
	}
	engine, remove, err := testbin.BuildFor("kibitz/internal/faultengine", "windows", "amd64")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	supervisor, err := guard.New(guard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = supervisor.Close() }()
	began := time.Now()
	p := NewPrefixes(in, filepath.Join(t.TempDir(), "wine"))
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := p.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("a Windows was made in %v", time.Since(began).Round(time.Millisecond))
	limits := guard.Limits{
		Memory: 512 << 20, CPUTime: 10 * time.Minute, Processes: 200, Handles: 256, FileSize: 64 << 20, Temp: 64 << 20,
		NoNetwork: true, ReadOnly: true, Writable: []string{filepath.Dir(engine)},
	}
	refused, err := supervisor.Refusals(limits)
	if err != nil {
		t.Fatal(err)
	}
	world := newWorld(t)
	for _, c := range []struct {
		mode, target string
		limits       guard.Limits
		reached      func() bool
		want         bool
	}{
		{"write", "Z:" + world.file, guard.Limits{}, world.written, true},
		{"write", "Z:" + world.file, limits, world.written, false},
		{"connect", world.address, guard.Limits{}, world.called, true},
		{"connect", world.address, limits, world.called, false},
	} {
		name := c.mode + " free"
		if c.limits.Any() {
			name = c.mode + " limited"
		}
		t.Run(name, func(t *testing.T) {
			if c.limits.Any() && len(refused) > 0 {
				t.Skipf("this system does not limit everything: %q", refused)
			}
			x, err := p.Take()
			if err != nil {
				t.Fatal(err)
			}
			c.limits.Writable = append(c.limits.Writable[:len(c.limits.Writable):len(c.limits.Writable)], x.Writable()...)
			said := talk(t, x, supervisor, c.limits, engine, "-proto", "piskvork", "-mode", c.mode, "-target", c.target)
			got := c.reached()
			for n := 0; n < 6000 && c.want && !got; n++ { // who listens may hear of it later
				time.Sleep(10 * time.Millisecond)
				got = c.reached()
			}
			if got != c.want {
				t.Errorf("outside was reached: %v; the engine says %q", got, said)
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(x.server); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the server's folder %s is left (%v)", x.server, err)
			}
		})
	}
}

// world is what lies outside an engine's cell.
type world struct {
	file, address string
	calls         chan struct{}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	w := &world{file: filepath.Join(t.TempDir(), "mark"), address: l.Addr().String(), calls: make(chan struct{}, 100)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.calls <- struct{}{}
			_ = c.Close()
		}
	}()
	return w
}

// written reports whether the file was written since it was asked last.
func (w *world) written() bool { return os.Remove(w.file) == nil }

// called reports whether somebody connected since it was asked last.
func (w *world) called() bool {
	select {
	case <-w.calls:
		return true
	default:
		return false
	}
}

// talk starts an engine, asks it for a move, ends it by force, and returns what it wrote
// to its standard error.
func talk(t *testing.T, x *Prefix, supervisor *guard.Supervisor, limits guard.Limits, engine string, words ...string) []string {
	t.Helper()
	path, args := x.Command(engine, words)
	began := time.Now()
	c, err := proc.Start(t.Context(), proc.Spec{
		Path: path, Args: args, Dir: filepath.Dir(engine), Env: x.Environ(os.Environ()), Supervisor: supervisor, Limits: limits, Options: link.Options{Now: time.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, say := range []struct{ line, answer string }{{"START 15", "OK"}, {"BEGIN", "0,0"}} {
		if err := c.Write([]byte(say.line + "\r\n")); err != nil {
			t.Fatal(err)
		}
		c.Flush()
		got, err := c.ReadLine(time.Now().Add(5 * time.Minute))
		if err != nil || strings.TrimSpace(string(got)) != say.answer {
			t.Fatalf("to %s came %q (%v), stderr %q", say.line, got, err, c.Stderr())
		}
		if say.answer == "OK" {
			t.Logf("ready after %v", time.Since(began).Round(time.Millisecond))
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	return c.Stderr()
}
