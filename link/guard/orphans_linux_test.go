package guard_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link/guard"
)

func init() { runtime.LockOSThread() } // main plays its part on the first thread

func again(args ...string) *exec.Cmd { return exec.Command("/proc/self/exe", args...) }

// daemon leaves a process behind that has left its group and whose parent is gone.
// The kind tells what it does to hide whose it is; its number is written to a file.
func daemon(kind, file string) error {
	c := again("middle=" + kind + ":" + file)
	c.Stderr = os.Stderr
	return c.Run()
}

// middle starts the orphan and ends.
func middle(arg string) error {
	kind, _, _ := strings.Cut(arg, ":")
	c := again("stray=" + arg)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	switch kind {
	case "naked", "chain":
		c.Env = []string{actKey + "=1"}
	case "forged": // the mark of a program that runs
		one, err := os.ReadFile("/proc/1/stat")
		if err != nil {
			return err
		}
		space, _, _ := strings.Cut(os.Getenv("KIBITZ_CELL"), "-")
		started := strings.Fields(string(one[bytes.LastIndexByte(one, ')'):]))[20]
		c.Env = []string{actKey + "=1", "KIBITZ_CELL=" + space + "-1." + started + ".x.1"}
	}
	return c.Start()
}

func orphan(arg string) error {
	kind, file, _ := strings.Cut(arg, ":")
	switch kind {
	case "unreadable":
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
			return err
		}
	case "moved": // into the group in which its Kibitz's are
		b, err := os.ReadFile("/proc/self/cgroup")
		if err != nil {
			return err
		}
		_, path, _ := strings.Cut(string(b), "0::")
		root, _, _ := strings.Cut(path, "/kibitz-")
		for _, mount := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
			_ = join(mount + root + "/cgroup.procs")
		}
	case "chain": // each link starts the next and ends
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil || links(file) > 1000 {
			return err
		}
		if _, err := f.WriteString("."); err != nil {
			return err
		}
		c := again("stray=" + arg)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return c.Start()
	}
	if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	if kind == "leaderless" {
		go time.Sleep(time.Minute)
		time.Sleep(10 * time.Millisecond)
		_, _, _ = syscall.Syscall(unix.SYS_EXIT, 0, 0, 0) // this thread
	}
	time.Sleep(time.Minute)
	return nil
}

// links is how long a chain is.
func links(file string) int {
	b, _ := os.ReadFile(file)
	return len(b)
}

// join moves the calling process into a control group.
func join(procs string) error {
	f, err := os.OpenFile(procs, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("0")
	return errors.Join(err, f.Close())
}

// written waits for a number in a file.
func written(t *testing.T, file string) int {
	t.Helper()
	for range 6000 {
		b, _ := os.ReadFile(file)
		if n, err := strconv.Atoi(string(b)); err == nil {
			return n
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no orphan tells its number")
	return 0
}

// gone waits a moment until nothing of a process runs any more.
func gone(pid int) bool {
	for range 6000 {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil || bytes.Contains(b, []byte(") Z ")) && len(tasks) < 2 {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// A process that was forked twice into a session of its own ends with its cell, and
// whatever it does to hide whose it is.
func TestOrphans(t *testing.T) {
	for _, kind := range []string{"daemon", "naked", "forged", "unreadable", "leaderless", "moved"} {
		for _, grouped := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s,groups=%v", kind, grouped), func(t *testing.T) {
				if kind == "moved" && !grouped {
					t.Skip("there is no group to leave")
				}
				file := filepath.Join(t.TempDir(), "pid")
				x := launch(t, grouping(t, grouped), guard.Limits{}, kind+"="+file)
				if got := x.next(); got != "ok" {
					t.Fatal(got)
				}
				pid := written(t, file)
				if syscall.Kill(pid, 0) != nil {
					t.Fatalf("the orphan %d does not run", pid)
				}
				x.end()
				if !gone(pid) {
					t.Errorf("process %d outlives its cell", pid)
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
		}
	}
}

// A chain of processes, each of which starts the next and ends, comes to an end.
func TestChain(t *testing.T) {
	for _, grouped := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "links")
		x := launch(t, grouping(t, grouped), guard.Limits{}, "chain="+file)
		if got := x.next(); got != "ok" {
			t.Fatal(got)
		}
		for links(file) == 0 {
			time.Sleep(time.Millisecond)
		}
		x.end()
		before := links(file)
		time.Sleep(100 * time.Millisecond)
		if after := links(file); after != before {
			t.Errorf("groups=%v: link %d was reached after the cell was closed at %d", grouped, after, before)
		}
	}
}

// An orphan of a cell that is open lives on when another cell is closed.
func TestOrphanOfOpenCell(t *testing.T) {
	for _, grouped := range []bool{true, false} {
		w := grouping(t, grouped)
		file := filepath.Join(t.TempDir(), "pid")
		x := launch(t, w, guard.Limits{}, "daemon="+file, "sleep")
		if got := x.next(); got != "ok" {
			t.Fatal(got)
		}
		pid := written(t, file)
		other := launch(t, w, guard.Limits{}, "temp")
		other.await()
		other.end()
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("groups=%v: an orphan of an open cell: %v", grouped, err)
		}
	}
}

// grouping returns a supervisor with or without control groups.
func grouping(t *testing.T, grouped bool) *guard.Supervisor {
	t.Helper()
	w := supervisor(t)
	if !grouped {
		w.Ungroup()
	} else if !w.Grouped() {
		t.Skip("this system has no control groups to be made")
	}
	return w
}

// Files that Kibitz was given by whoever started it are not passed on.
func TestFilesClosed(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	given, err := unix.FcntlInt(r.Fd(), unix.F_DUPFD, 20) // stays open in programs that are executed
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(given)
	for _, l := range []guard.Limits{{}, {Handles: 64}} {
		x := launch(t, supervisor(t), l, fmt.Sprintf("read=/proc/self/fd/%d", given), "read=/proc/self/fd/1000")
		if a, b := x.next(), x.next(); a != "ENOENT" || b != "ENOENT" {
			t.Errorf("descriptor %d of Kibitz is open in the engine: %s %s", given, a, b)
		}
	}
}
