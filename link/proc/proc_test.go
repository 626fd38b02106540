//go:build unix

package proc_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kibitz/internal/leaks"
	"kibitz/internal/testbin"
	"kibitz/link"
	"kibitz/link/proc"
)

var engine string

// helperKey in the environment makes the test program start the engine that it
// names, say its number, and wait to be killed.
const helperKey = "PROC_TEST_ENGINE"

func helper(path string) {
	c, err := proc.Start(context.Background(), proc.Spec{Path: path, Args: []string{"-mode", "noterm"}, Options: link.Options{Now: time.Now}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.PID())
	time.Sleep(time.Hour)
}

func TestMain(m *testing.M) {
	if path := os.Getenv(helperKey); path != "" {
		helper(path)
		return
	}
	switch os.Getenv(spenderKey) {
	case "":
	case "loop":
		loopElsewhere()
		return
	default:
		spender()
		return
	}
	path, remove, err := testbin.FaultEngine()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	engine = path
	leaks.Main(m, remove)
}

func start(t testing.TB, o link.Options, args ...string) *proc.Conn {
	t.Helper()
	o.Now = time.Now
	c, err := proc.Start(t.Context(), proc.Spec{Path: engine, Args: args, Options: o, Grace: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if alive(c.PID()) {
			t.Errorf("process %d is alive after Close", c.PID())
		}
	})
	return c
}

// alive reports whether a process runs; zombies that somebody else has to reap
// count as dead.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return runtime.GOOS != "linux" && syscall.Kill(pid, 0) == nil
	}
	_, after, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(after, "Z")
}

func send(t testing.TB, c link.Conn, text string) {
	t.Helper()
	if err := c.Write([]byte(text)); err != nil {
		t.Fatalf("writing %q: %v", text, err)
	}
}

func expect(t testing.TB, c link.Conn, want string) {
	t.Helper()
	line, err := c.ReadLine(time.Now().Add(time.Minute))
	if err != nil || string(line) != want {
		t.Fatalf("read %q, %v; want %q", line, err, want)
	}
}

func expectErr(t testing.TB, c link.Conn, within time.Duration, want error) {
	t.Helper()
	line, err := c.ReadLine(time.Now().Add(within))
	if !errors.Is(err, want) {
		t.Fatalf("read %q, %v; want %v", line, err, want)
	}
}

func TestGame(t *testing.T) {
	c := start(t, link.Options{})
	send(t, c, "START 15\r\n")
	expect(t, c, "OK")
	send(t, c, "BEGIN\r\n")
	expect(t, c, "0,0")
	for i := range 5 {
		send(t, c, fmt.Sprintf("TURN %d,9\r\n", i))
		expect(t, c, fmt.Sprintf("%d,0", i+1))
	}
	send(t, c, "END\r\n")
	if err := c.CloseAfter(time.Minute); err != nil {
		t.Fatal(err)
	}
	if e, ok := c.Exited(); !ok || e != (link.Exit{}) {
		t.Errorf("ended by itself with %v, %v", e, ok)
	}
	if u, ok := c.Usage(); !ok || u.User+u.System <= 0 || runtime.GOOS == "linux" && u.MaxRSS < 1<<20 {
		t.Errorf("usage %+v", u)
	}
}

func TestExitCodes(t *testing.T) {
	for _, k := range []struct {
		args, want string
		stderr     string
	}{
		{"-mode crash -code 7", "exit status 7", ""},
		{"-mode signal", "signal: killed, Kibitz did not kill it: a person, another program or the kernel did", ""},
		{"-mode segv", "signal: segmentation fault, it used memory that is not its own, or its stack ran over", ""},
		{"-mode panic", "exit status 2", "assertion failed: depth > 0"},
	} {
		t.Run(k.args, func(t *testing.T) {
			c := start(t, link.Options{}, strings.Fields(k.args)...)
			send(t, c, "START 15\nBEGIN\n")
			expect(t, c, "OK")
			expectErr(t, c, time.Minute, io.EOF)
			e, ok := c.Exited()
			if !ok || e.String() != k.want {
				t.Errorf("exited %q, %v", e, ok)
			}
			if got := c.Stderr(); k.stderr != "" && (len(got) != 2 || got[0] != k.stderr) {
				t.Errorf("stderr %q", got)
			}
			for range 6000 { // writing to the dead is an error, sooner or later
				if err := c.Write([]byte("TURN 1,1\n")); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
			t.Error("writing to a dead process goes well")
		})
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	lost := filepath.Join(dir, "lost")
	junk := filepath.Join(dir, "junk")
	for path, text := range map[string]string{plain: "x", lost: "#!/no/such/interpreter\n", junk: "junk"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{lost, junk} {
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []struct{ path, dir, want string }{
		{"engine", "", "must be absolute"},
		{filepath.Join(dir, "none"), "", "no such file"},
		{plain, "", "chmod +x"},
		{lost, "", "interpreter or loader"},
		{junk, "", "no program of this machine"},
		{engine, filepath.Join(dir, "none"), "no such file"},
		{engine, plain, "no folder"},
	} {
		_, err := proc.Start(t.Context(), proc.Spec{Path: k.path, Dir: k.dir, Options: link.Options{Now: time.Now}})
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s in %s: %v, want %q", k.path, k.dir, err, k.want)
		}
	}
}

// suspend stops a process and returns when none of its threads runs any more: the news may be
// with one of them while another one still answers.
func suspend(t *testing.T, c *proc.Conn) {
	t.Helper()
	if err := c.Suspend(); err != nil {
		t.Fatal(err)
	}
	runs := func(stat string) bool {
		b, err := os.ReadFile(stat)
		_, after, _ := strings.Cut(string(b), ") ")
		return err == nil && !strings.HasPrefix(after, "T")
	}
	for range 6000 {
		stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", c.PID())) // none but on Linux
		if !slices.ContainsFunc(stats, runs) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the process runs on")
}

func TestDeadlines(t *testing.T) {
	c := start(t, link.Options{})
	send(t, c, "START 15\n")
	expect(t, c, "OK")
	suspend(t, c) // it says nothing, however long the deadlines take
	send(t, c, "BEGIN\n")
	for _, d := range []time.Duration{80, 30, 60, 0, -10} { // later, earlier, in the past
		begin := time.Now()
		expectErr(t, c, d*time.Millisecond, os.ErrDeadlineExceeded)
		if took := time.Since(begin); took < d*time.Millisecond || took > time.Minute {
			t.Errorf("a deadline of %v took %v", d*time.Millisecond, took)
		}
	}
	if err := c.Resume(); err != nil {
		t.Fatal(err)
	}
	if line, err := c.ReadLine(time.Time{}); err != nil || string(line) != "0,0" {
		t.Fatalf("%q %v", line, err)
	}
	send(t, c, "TURN 5,5\n")
	expect(t, c, "1,0")
	// What came before the deadline is returned after it.
	send(t, c, "ABOUT\n")
	var line []byte
	err := os.ErrDeadlineExceeded
	for end := time.Now().Add(time.Minute); errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		line, err = c.ReadLine(time.Now().Add(-time.Millisecond))
	}
	if err != nil || !strings.HasPrefix(string(line), "name=") {
		t.Errorf("%q %v", line, err)
	}
}

func TestInterrupt(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "hang")
	send(t, c, "START 15\nBEGIN\n")
	expect(t, c, "OK")
	for i := range 200 {
		if i%2 == 0 {
			go c.Interrupt()
		} else {
			time.AfterFunc(time.Millisecond, c.Interrupt)
		}
		expectErr(t, c, time.Minute, link.ErrInterrupted)
	}
	expectErr(t, c, 20*time.Millisecond, os.ErrDeadlineExceeded)
}

func TestCloseWakesReader(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "hang")
	send(t, c, "START 15\nBEGIN\n")
	expect(t, c, "OK")
	time.AfterFunc(30*time.Millisecond, func() { _ = c.Close() })
	line, err := c.ReadLine(time.Time{})
	if err == nil {
		t.Errorf("read %q", line)
	}
}

// The process ends or closes its output while nobody waits; the next reader is
// told at once.
func TestClosedOutput(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "closeout")
	send(t, c, "START 15\nBEGIN\n")
	expect(t, c, "OK")
	time.Sleep(200 * time.Millisecond)
	expectErr(t, c, time.Minute, io.EOF)
	if _, ok := c.Exited(); ok {
		t.Error("the process lives on")
	}
}

func TestHalfLine(t *testing.T) {
	var mu sync.Mutex
	var noted []string
	o := link.Options{Observe: func(d link.Direction, _ time.Time, line []byte) {
		if d == link.Noted {
			mu.Lock()
			noted = append(noted, string(line))
			mu.Unlock()
		}
	}}
	c := start(t, o, "-mode", "halfexit")
	send(t, c, "START 15\nBEGIN\n")
	expect(t, c, "OK")
	expectErr(t, c, time.Minute, io.EOF)
	mu.Lock()
	defer mu.Unlock()
	if len(noted) != 1 || noted[0] != "came without a line end: 0" {
		t.Errorf("noted %q", noted)
	}
}

// A forked child outlives TERM and holds the output; when the engine itself is
// gone the reader is told, and Close ends the child too.
func TestOrphans(t *testing.T) {
	for _, mode := range []string{"fork", "forkexit"} {
		t.Run(mode, func(t *testing.T) {
			pidfile := filepath.Join(t.TempDir(), "pid")
			c := start(t, link.Options{}, "-mode", mode, "-pidfile", pidfile, "-code", "4")
			child := awaitPID(t, pidfile)
			send(t, c, "START 15\nBEGIN\n")
			expect(t, c, "OK")
			if mode == "fork" {
				expect(t, c, "0,0")
			} else {
				expectErr(t, c, time.Minute, io.EOF)
				if e, ok := c.Exited(); !ok || e.Code != 4 {
					t.Errorf("exited %v %v", e, ok)
				}
			}
			if !alive(child) {
				t.Error("the child is gone before Close")
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			for i := 0; alive(child); i++ {
				if i == 6000 {
					t.Fatalf("child %d lives", child)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for range 6000 {
		b, err := os.ReadFile(path)
		if pid, bad := strconv.Atoi(string(b)); err == nil && bad == nil {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the child did not start")
	return 0
}

func TestStubbornEngines(t *testing.T) {
	for _, mode := range []string{"noexit", "noterm", "spin", "hang", "neverready", "chatter"} {
		t.Run(mode, func(t *testing.T) {
			c := start(t, link.Options{}, "-mode", mode)
			send(t, c, "START 15\nBEGIN\nEND\n")
			begin := time.Now()
			if err := c.CloseAfter(50 * time.Millisecond); err != nil {
				t.Error(err)
			}
			if d := time.Since(begin); d > time.Minute {
				t.Errorf("closing took %v", d)
			}
			if _, ok := c.Exited(); !ok {
				t.Error("no news of the end")
			}
		})
	}
}

// An engine does not outlive Kibitz, however that ends.
func TestDiesWithParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a signal for the parent's death")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), helperKey+"="+engine)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil {
		t.Fatalf("the helper says %q, %v", line, err)
	}
	if !alive(pid) {
		t.Error("the engine does not run")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for i := 0; alive(pid); i++ {
		if i == 6000 {
			t.Fatalf("process %d lives on", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestSuspend(t *testing.T) {
	c := start(t, link.Options{})
	send(t, c, "START 15\n")
	expect(t, c, "OK")
	suspend(t, c)
	send(t, c, "BEGIN\n")
	expectErr(t, c, 100*time.Millisecond, os.ErrDeadlineExceeded)
	if err := c.Resume(); err != nil {
		t.Fatal(err)
	}
	expect(t, c, "0,0")
	if err := c.Suspend(); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil { // also while it is stopped
		t.Fatal(err)
	}
	if err := c.Resume(); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("resuming the dead: %v", err)
	}
}
