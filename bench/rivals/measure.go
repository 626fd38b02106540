//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// usage is what a run took.
type usage struct {
	games, moves int
	wall         time.Duration
	own          time.Duration // processor time of the runner without its engines
	peak         int64         // bytes, of the runner or, if that is more, of an engine
}

// tick is the unit of the times in /proc; it is the same on every Linux.
const tick = 10 * time.Millisecond

// measure runs a command in dir to its end and returns what it printed, too.
func measure(dir string, argv []string) (usage, string, error) {
	var u usage
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return u, "", err
	}
	out, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		return u, "", err
	}
	defer func() { _ = out.Close() }()
	in, err := os.Open(os.DevNull)
	if err != nil {
		return u, "", err
	}
	defer func() { _ = in.Close() }()
	began := time.Now()
	p, err := os.StartProcess(path, argv, &os.ProcAttr{Dir: dir, Env: os.Environ(), Files: []*os.File{in, out, out}})
	if err != nil {
		return u, "", err
	}
	// Until it is waited for, an ended process still tells what it used apart from
	// the children it has waited for.
	var info unix.Siginfo
	for {
		if err = unix.Waitid(unix.P_PID, p.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	u.wall = time.Since(began)
	if err != nil {
		return u, "", err
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err == nil {
		u.own, err = ownTime(string(stat))
	}
	state, waitErr := p.Wait()
	if err = errors.Join(err, waitErr); err != nil {
		return u, "", err
	}
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.peak = ru.Maxrss << 10
	}
	text, err := os.ReadFile(out.Name())
	if err == nil && !state.Success() {
		err = fmt.Errorf("%s: %s", state, tail(string(text)))
	}
	return u, string(text), err
}

// ownTime reads the processor time of a process, all its threads and none of its
// children, out of its line in /proc/PID/stat: the fields 14 and 15. The name of the
// program, in parentheses, may hold anything.
func ownTime(stat string) (time.Duration, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 14 - 3, 15 - 3
	if len(fields) <= system {
		return 0, fmt.Errorf("/proc: %q has too few fields", stat)
	}
	var sum time.Duration
	for _, f := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc: %w", err)
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}
