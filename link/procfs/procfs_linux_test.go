package procfs

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const actKey = "KIBITZ_PROCFS_TEST"

func init() { runtime.LockOSThread() } // main plays its part on the first thread

func TestMain(m *testing.M) {
	if os.Getenv(actKey) != "" {
		act()
	}
	os.Exit(m.Run())
}

// held keeps memory from being given back.
var held []byte

func hold(bytes int) {
	held = make([]byte, bytes)
	for i := 0; i < bytes; i += os.Getpagesize() {
		held[i] = 1
	}
}

// act works, holds memory, says so, and then ends its first thread alone.
func act() {
	hold(40 << 20)
	for used := time.Duration(0); used < 80*time.Millisecond; { // of a processor, which it may have to share
		var ru syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
		used = time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	}
	go func() {
		_, _ = os.Stdout.WriteString("done\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if os.Getenv(actKey) == "leaderless" {
		_, _, _ = syscall.Syscall(unix.SYS_EXIT, 0, 0, 0) // this thread
	}
	select {}
}

// start starts this program in a group of its own and returns its number when it has
// done its work, and what ends it.
func start(t *testing.T, how string) (int, func()) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), actKey+"="+how, "EMPTY=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "done\n" {
		t.Fatalf("%q, %v", line, err)
	}
	ended := false
	end := func() {
		if !ended {
			ended = true
			_ = in.Close()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(end)
	return cmd.Process.Pid, end
}

// The same is told of a process whether or not its first thread has ended, and nothing of
// one that is gone.
func TestProcess(t *testing.T) {
	for _, how := range []string{"whole", "leaderless"} {
		t.Run(how, func(t *testing.T) {
			pid, end := start(t, how)
			for range 6000 { // its first thread takes a moment to end
				if how == "whole" || StatOf(pid).State == 'Z' {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			s := StatOf(pid)
			if (s.State == 'Z') != (how == "leaderless") || s.Parent != os.Getpid() || s.Group != pid || s.Started < StatOf(os.Getpid()).Started {
				t.Errorf("stat: %+v", s)
			}
			if Ended(pid) {
				t.Error("it is held for ended")
			}
			if cpu, ok := CPU(pid); !ok || cpu < 20*time.Millisecond || cpu > 5*time.Second || cpu%tick == 0 {
				t.Errorf("processor time %v, %v", cpu, ok)
			}
			if s := StatusOf(pid); s.Resident < 40<<20 || s.Resident > 200<<20 || s.Threads < 2 || s.User != os.Getuid() {
				t.Errorf("status: %+v", s)
			}
			w := Watch(pid)
			defer w.Close()
			p, again, last := Peak(pid), w.Peak(), w.Peak()
			for n := 0; n < 6000 && (again != p || last != p); n++ { // what it does after its word may still take memory
				time.Sleep(10 * time.Millisecond)
				p, again, last = Peak(pid), w.Peak(), w.Peak()
			}
			if p < 40<<20 || p > 200<<20 || again != p || last != p {
				t.Errorf("peak %d, %d, %d", p, again, last)
			}
			for key, want := range map[string]string{actKey: how, "EMPTY": "", actKey[:3]: ""} {
				if got := Variable(pid, key); got != want {
					t.Errorf("variable %s: %q, want %q", key, got, want)
				}
			}
			if got := Group(pid); !slices.Equal(got, []int{pid}) {
				t.Errorf("group: %v", got)
			}
			if !slices.Contains(Tree(os.Getpid()), pid) {
				t.Errorf("it is not among %v", Tree(os.Getpid()))
			}
			if all, err := Processes(); err != nil || !slices.Contains(all, pid) || !slices.Contains(all, os.Getpid()) {
				t.Errorf("%v: %v", err, all)
			}
			end()
			if _, ok := CPU(pid); ok || StatOf(pid) != (Stat{}) || StatusOf(pid) != (Status{}) || Peak(pid) != 0 || w.Peak() != 0 || !Ended(pid) || Variable(pid, actKey) != "" {
				t.Error("something is told of a process that is gone")
			}
		})
	}
}

// The peak that is told is that of the time since it was reset, whoever resets it.
func TestResetPeak(t *testing.T) {
	w := Watch(os.Getpid())
	defer w.Close()
	for name, reset := range map[string]func(){"once": func() { ResetPeak(os.Getpid()) }, "held": w.ResetPeak, "held again": w.ResetPeak} {
		hold(60 << 20)
		before := w.Peak()
		if err := unix.Madvise(held, unix.MADV_DONTNEED); err != nil {
			t.Fatal(err)
		}
		reset()
		if after := w.Peak(); before-after < 50<<20 {
			t.Errorf("%s: a peak of %d, %d after the reset", name, before, after)
		}
		held = nil
		runtime.GC()
	}
}

func TestNumber(t *testing.T) {
	const text = "Name:\tUid: 7\nUid:\t1000\t1001\nVmHWM:\t   12 kB\nThreads:\t3\nVmSwap:\nLarge:\t99999999999999999999\n"
	for key, want := range map[string]int64{"Uid": 1000, "VmHWM": 12, "Threads": 3, "VmSwap": 0, "Large": 0, "None": 0} {
		if got := number([]byte(text), key); got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}

// A file that is larger than the room is read all the same.
func TestRead(t *testing.T) {
	want := Read("/proc/self/status", nil)
	name, _, _ := strings.Cut(string(want), "\n")
	for _, n := range []int{1, 100, 1 << 16} {
		h := Hold("/proc/self/status")
		for i, got := range [][]byte{Read("/proc/self/status", make([]byte, n)), h.Read(make([]byte, n)), h.Read(make([]byte, n))} {
			if !strings.HasPrefix(string(got), name) || number(got, "Threads") == 0 {
				t.Errorf("a room of %d, %d: %q", n, i, got)
			}
		}
		if h.Close(); h.Read(make([]byte, n)) != nil {
			t.Error("a closed file is read")
		}
	}
	if got := Read("/proc/self/nothing", make([]byte, 10)); got != nil || Hold("/proc/self/nothing").Read(make([]byte, 10)) != nil {
		t.Errorf("%q", got)
	}
}
