package guard_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/internal/leaks"
	"kibitz/link/guard"
)

// actKey in the environment makes the test program play a part and say what it saw,
// one line for each of its arguments.
const actKey = "GUARD_TEST_ACT"

func TestMain(m *testing.M) {
	guard.Helper()
	if os.Getenv(actKey) != "" {
		for _, a := range os.Args[1:] {
			fmt.Println(act(a))
		}
		return
	}
	leaks.Main(m)
}

// act does one thing and returns what came of it.
func act(what string) string {
	what, arg, _ := strings.Cut(what, "=")
	switch what {
	case "write":
		return outcome(os.WriteFile(arg, []byte("x"), 0o600))
	case "read":
		_, err := os.ReadFile(arg)
		return outcome(err)
	case "list":
		_, err := os.ReadDir(arg)
		return outcome(err)
	case "temp":
		f, err := os.CreateTemp("", "x")
		if err != nil {
			return outcome(err)
		}
		return f.Name() + " " + outcome(f.Close())
	case "tcp", "udp":
		c, err := net.DialTimeout(what, arg, 10*time.Second)
		if err == nil {
			_, err = c.Write([]byte("x"))
		}
		return outcome(err)
	case "chmod":
		return outcome(os.Chmod(arg, 0o777))
	case "touch":
		return outcome(os.Chtimes(arg, time.Now(), time.Now()))
	case "attribute":
		return outcome(unix.Setxattr(arg, "user.x", []byte("y"), 0))
	case "limit": // what another process may do
		pid, _ := strconv.Atoi(arg)
		return outcome(unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil))
	case "bind": // another process to a processor
		pid, _ := strconv.Atoi(arg)
		var set unix.CPUSet
		set.Set(0)
		return outcome(unix.SchedSetaffinity(pid, &set))
	case "unix", "unixgram":
		return outcome(dialPath(what, arg))
	case "socket": // family, type and protocol
		var family, kind, protocol int
		_, _ = fmt.Sscan(arg, &family, &kind, &protocol)
		_, err := unix.Socket(family, kind, protocol)
		return outcome(err)
	case "fast": // a connection that sending makes
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err == nil {
			port, _ := strconv.Atoi(arg)
			err = unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}, Port: port})
		}
		return outcome(err)
	case "memfd":
		_, err := unix.MemfdCreate("x", 0)
		return outcome(err)
	case "ring":
		_, _, no := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		return outcome(no)
	case "leave": // the control group
		return outcome(join(arg))
	case "kill":
		pid, _ := strconv.Atoi(arg)
		return outcome(syscall.Kill(pid, 0))
	case "root":
		return fmt.Sprint(outcome(syscall.Mount("none", os.TempDir(), "tmpfs", 0, "")), " ",
			outcome(syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{Cur: 1, Max: 1})))
	case "limits":
		return limits()
	case "grow":
		grow(arg)
	case "growleaderless":
		go grow(arg)
		time.Sleep(10 * time.Millisecond)
		_, _, _ = syscall.Syscall(unix.SYS_EXIT, 0, 0, 0) // this thread
	case "burn":
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		}
	case "fill":
		f, err := os.CreateTemp("", "x")
		if err != nil {
			return outcome(err)
		}
		if arg == "deleted" {
			_ = os.Remove(f.Name())
		}
		for range 1000 {
			if _, err := f.Write(make([]byte, 64<<10)); err != nil {
				return outcome(err)
			}
		}
		time.Sleep(time.Minute)
	case "daemon", "naked", "forged", "unreadable", "leaderless", "moved", "chain":
		return outcome(daemon(what, arg))
	case "forks":
		n, _ := strconv.Atoi(arg)
		for range n {
			if err := again("sleep").Start(); err != nil {
				return outcome(err)
			}
		}
		time.Sleep(time.Minute)
	case "middle":
		return outcome(middle(arg))
	case "stray":
		return outcome(orphan(arg))
	case "sleep":
		time.Sleep(time.Minute)
	}
	return "done"
}

func grow(size string) {
	n, _ := strconv.Atoi(size)
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
	time.Sleep(time.Minute)
}

// dialPath connects to a socket in the file system, a datagram's by way of a pair.
func dialPath(kind, path string) error {
	if kind == "unix" {
		c, err := net.Dial(kind, path)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: path})
}

func outcome(err error) string {
	var no syscall.Errno
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &no):
		return unix.ErrnoName(no)
	}
	return err.Error()
}

func limits() string {
	var out []string
	for name, r := range map[string]int{"core": unix.RLIMIT_CORE, "size": unix.RLIMIT_FSIZE, "cpu": unix.RLIMIT_CPU, "files": unix.RLIMIT_NOFILE} {
		var l syscall.Rlimit
		if err := syscall.Getrlimit(r, &l); err != nil {
			return err.Error()
		}
		out = append(out, fmt.Sprintf("%s=%d", name, int64(l.Max)))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// play runs the test program in a cell and returns its lines.
type run struct {
	t     *testing.T
	cell  *guard.Cell
	pid   int
	lines *bufio.Scanner
	out   *os.File
}

func supervisor(t *testing.T) *guard.Supervisor {
	t.Helper()
	w, err := guard.New(guard.Options{Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func launch(t *testing.T, w *guard.Supervisor, l guard.Limits, acts ...string) *run {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return launchProgram(t, w, l, self, acts...)
}

func launchProgram(t *testing.T, w *guard.Supervisor, l guard.Limits, program string, acts ...string) *run {
	t.Helper()
	c, err := w.Cell(l)
	if err != nil {
		t.Fatal(err)
	}
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := "/" // of which an engine with files=ro sees no more than without
	if len(l.Writable) > 0 {
		dir = l.Writable[0]
	}
	pid, err := c.Launch(program, append([]string{"engine"}, acts...), &syscall.ProcAttr{
		Dir: dir, Env: append(os.Environ(), actKey+"=1"), Files: []uintptr{null.Fd(), out.Fd(), os.Stderr.Fd()}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	_ = out.Close()
	_ = null.Close()
	if err != nil {
		t.Fatal(err)
	}
	x := &run{t: t, cell: c, pid: pid, lines: bufio.NewScanner(r), out: r}
	t.Cleanup(x.end)
	return x
}

func (x *run) next() string {
	x.t.Helper()
	if !x.lines.Scan() {
		x.t.Fatalf("no further line: %v; %s", x.lines.Err(), x.cell.Reached())
	}
	return x.lines.Text()
}

// await waits until the engine ends by itself and returns how.
func (x *run) await() syscall.WaitStatus {
	x.t.Helper()
	var ws syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(x.pid, &ws, 0, nil); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	x.cell.Reaped()
	x.pid = 0
	return ws
}

func (x *run) end() {
	if x.pid != 0 {
		_ = syscall.Kill(-x.pid, syscall.SIGKILL)
		x.await()
	}
	if err := x.cell.Close(); err != nil {
		x.t.Error(err)
	}
	_ = x.out.Close()
}

// whole are limits of every kind that the acts of a test stay within.
func wholeArg(dir string, hidden ...string) guard.Limits {
	return guard.Limits{
		Memory: 1 << 30, CPUTime: time.Minute, Processes: 100, Handles: 64, FileSize: 1 << 20, Temp: 8 << 20,
		NoNetwork: true, ReadOnly: true, Writable: []string{dir}, Hidden: hidden,
	}
}

// denied are the answers to what is not there, or not for the engine.
const denied = "ENOENT EACCES EPERM EROFS ESRCH"

// refusals are what the system does not honour of limits: old kernels, and what users
// may not.
func refusals(t *testing.T, w *guard.Supervisor, l guard.Limits) string {
	t.Helper()
	list, err := w.Refusals(l)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, "\n")
}

func TestFiles(t *testing.T) {
	base := t.TempDir()
	dir, secret, beside := filepath.Join(base, "engine"), filepath.Join(base, "run"), filepath.Join(base, "beside")
	for _, d := range []string{dir, secret, beside, filepath.Join(dir, "sub")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "file"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	w := supervisor(t)
	if strings.Contains(refusals(t, w, wholeArg(dir)), "no Landlock") {
		t.Skip("this kernel restricts no files")
	}
	x := launch(t, w, wholeArg(dir, secret),
		"write="+dir+"/sub/new", "write="+beside+"/file", "write="+secret+"/file", "read="+beside+"/file",
		"read="+secret+"/file", "read="+base+"/link/file", "list="+secret, "read=/etc/hostname", "write=/dev/null",
		"read=/proc/"+strconv.Itoa(os.Getpid())+"/environ", "temp")
	for i, want := range []string{"ok", denied, denied, denied, denied, denied, denied, "ok", "ok", denied} {
		if got := x.next(); !slices.Contains(strings.Fields(want), got) {
			t.Errorf("%d: %s instead of %s", i, got, want)
		}
	}
	temp, ok := strings.CutSuffix(x.next(), " ok")
	if _, err := os.Stat(temp); !ok || err != nil {
		t.Errorf("the temporary file %s: %v", temp, err)
	}
	x.end()
	if _, err := os.Stat(filepath.Dir(temp)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is left: %v", err)
	}
}

// The engine's own folder may hold the run's: it stays hidden.
func TestHiddenInside(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "run")
	if err := os.Mkdir(secret, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := supervisor(t)
	if strings.Contains(refusals(t, w, wholeArg(dir)), "no Landlock") {
		t.Skip("this kernel restricts no files")
	}
	x := launch(t, w, wholeArg(dir, secret), "write="+dir+"/file", "write="+secret+"/file")
	if a, b := x.next(), x.next(); a != "ok" || !slices.Contains(strings.Fields(denied), b) {
		t.Errorf("%s %s", a, b)
	}
}

func TestNetwork(t *testing.T) {
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	w := supervisor(t)
	acts := []string{"tcp=" + tcp.Addr().String(), "udp=" + udp.LocalAddr().String()}
	lost := refusals(t, w, guard.Limits{NoNetwork: true})
	off := launch(t, w, guard.Limits{NoNetwork: true}, acts...)
	for i := range acts {
		reaches := strings.Contains(lost, "the whole network") || i == 1 && strings.Contains(lost, "no TCP but UDP")
		if got := off.next(); got == "ok" != reaches {
			t.Errorf("an engine without a network: %s: %s (%s)", acts[i], got, lost)
		}
	}
	_, port, _ := net.SplitHostPort(tcp.Addr().String())
	n, _ := strconv.Atoi(port)
	one := launch(t, w, guard.Limits{NoNetwork: true, Port: n}, acts[0], "tcp=127.0.0.1:1")
	want := "EACCES"
	if strings.Contains(refusals(t, w, guard.Limits{NoNetwork: true, Port: n}), "the whole network") {
		want = "ECONNREFUSED" // by the machine, since nobody listens
	}
	if a, b := one.next(), one.next(); a != "ok" || b != want {
		t.Errorf("the one port: %s; another: %s", a, b)
	}
	on := launch(t, w, guard.Limits{Handles: 100}, acts...)
	for range acts {
		if got := on.next(); got != "ok" {
			t.Errorf("an engine with a network: %s", got)
		}
	}
}

func TestRights(t *testing.T) {
	victim := exec.Command("sleep", "60")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = victim.Process.Kill()
		_ = victim.Wait()
	}()
	w := supervisor(t)
	signals := denied
	if lost := refusals(t, w, wholeArg(t.TempDir())); strings.Contains(lost, "signals") || strings.Contains(lost, "no Landlock") {
		signals = "ok"
	}
	x := launch(t, w, wholeArg(t.TempDir()), "limits", "root", fmt.Sprintf("kill=%d", os.Getpid()), fmt.Sprintf("kill=%d", victim.Process.Pid))
	for _, want := range []string{"core=0 cpu=62 files=64 size=1048576", "EPERM EPERM", signals, signals} {
		if got := x.next(); got != want && !slices.Contains(strings.Fields(want), got) {
			t.Errorf("%s instead of %s", got, want)
		}
	}
}

func TestReached(t *testing.T) {
	w := supervisor(t)
	for _, k := range []struct {
		act  string
		l    guard.Limits
		want string
	}{
		{"grow=300000000", guard.Limits{Memory: 100 << 20}, "memory"},
		{"burn", guard.Limits{CPUTime: 300 * time.Millisecond}, "of processor time; its limit is 0.30 s"},
		{"forks=30", guard.Limits{Processes: 20}, "processes and threads"},
		{"fill", guard.Limits{Temp: 1 << 20, FileSize: 1 << 30}, "into its temporary folder; its limit is 1 MB"},
		{"fill=deleted", guard.Limits{Temp: 1 << 20, FileSize: 1 << 30}, "into its temporary folder; its limit is 1 MB"},
		{"growleaderless=300000000", guard.Limits{Memory: 100 << 20}, "memory"},
	} {
		t.Run(k.act, func(t *testing.T) {
			if raced && k.l.Memory > 0 {
				t.Skip("the race detector needs more memory than any limit allows")
			}
			x := launch(t, w, k.l, k.act)
			ws := x.await()
			text := x.cell.Reached()
			if text == "" && strings.HasPrefix(k.act, "forks") && os.Geteuid() != 0 && x.next() == "EAGAIN" {
				return // the kernel has kept the limit, by a user namespace
			}
			if !strings.Contains(text, k.want) {
				t.Errorf("%q, ended with %v", text, ws)
			}
			t.Log(text)
		})
	}
}

// The kernel may have ended the engine before anybody looked.
func TestEnded(t *testing.T) {
	for _, k := range []struct {
		used time.Duration
		want string
	}{
		{500 * time.Millisecond, ""},
		{2909 * time.Millisecond, "used 2.91 s of processor time; its limit is 1.00 s"},
	} {
		c, err := supervisor(t).Cell(guard.Limits{CPUTime: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		c.Ended(k.used)
		if got := c.Reached(); got != k.want {
			t.Errorf("%v: %q", k.used, got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCPU(t *testing.T) {
	x := launch(t, supervisor(t), guard.Limits{}, "burn")
	for range 6000 {
		used, ok := x.cell.CPU()
		if !ok {
			t.Skip("this system has no control groups to be made")
		}
		if used > 200*time.Millisecond {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a minute of burning is no processor time")
}

func TestRefusals(t *testing.T) {
	t.Log(refusals(t, supervisor(t), wholeArg(t.TempDir())))
	t.Log(refusals(t, supervisor(t), guard.Limits{NoNetwork: true, Port: 1}))
}

// What cannot be executed is an error of the start, as without a guard.
func TestNoProgram(t *testing.T) {
	c, err := supervisor(t).Cell(guard.Limits{Handles: 64})
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	_, err = c.Launch("/no/such/program", []string{"x"}, &syscall.ProcAttr{Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}, Sys: &syscall.SysProcAttr{Setpgid: true}})
	if !errors.Is(err, syscall.ENOENT) {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
