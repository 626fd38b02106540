package guard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Helper is called first thing by the main function of every program that uses a
// Supervisor with limits. It returns at once in a program that was started in the usual
// way. In one that a Supervisor has executed it sets the limits of the plan, executes the
// engine in its own place, and never returns.
func Helper() {
	if os.Args[0] != helperName {
		return
	}
	runtime.LockOSThread()
	words := os.NewFile(wordFD, "words")
	syscall.CloseOnExec(wordFD)
	err := help(words)
	if err == nil {
		os.Exit(0) // another process is the engine, or nobody
	}
	w := word{Error: err.Error()}
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		w.Errno = int(no)
	}
	say(words, w)
	os.Exit(127)
}

func say(to io.Writer, w word) { _ = json.NewEncoder(to).Encode(w) }

// help does what the plan says and returns what prevents it, or nothing where this
// process is not to become the engine.
func help(words io.Writer) error {
	in := os.NewFile(planFD, "plan")
	var p plan
	err := json.NewDecoder(in).Decode(&p)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("the guard was told nothing: %w", err)
	}
	refused := func(format string, args ...any) { say(words, word{Refused: fmt.Sprintf(format, args...)}) }
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		refused("the engine may gain rights by set-user-ID programs: %v", err)
	}
	// What cannot be had of these the filter makes up for.
	p.Netless = p.NoNetwork && p.Port == 0 && unix.Unshare(unix.CLONE_NEWNET) == nil
	if p.World != nil {
		_ = unix.Unshare(unix.CLONE_NEWIPC)
		if err := p.enter(words); err != nil {
			say(words, word{NoWorld: err.Error()})
			return nil
		}
	}
	p.restrict(refused)
	if err := dropCapabilities(); err != nil {
		refused("the engine keeps the capabilities of the super-user: %v", err)
	}
	for _, l := range p.Limits {
		if err := setLimit(l); err != nil {
			refused("%s cannot be limited: %v", l.Name, err)
		}
	}
	if p.Counted {
		// This process's own threads count, too, until the engine has begun, with those that
		// are still to come.
		own, _ := os.ReadDir("/proc/self/task")
		if err := setLimit(rlimit{"the number of processes", unix.RLIMIT_NPROC, uint64(p.Processes + len(own) + moreTasks)}); err != nil {
			refused("the number of processes cannot be limited: %v", err)
		}
	}
	if err := p.filter(); err != nil {
		refused("%s: what Landlock leaves open stays open (%v)", p.asked(), err)
	}
	switch {
	case p.Probe:
		return nil
	case p.apart():
		return p.bear(words)
	}
	for range busyTries {
		if err = syscall.Exec(p.Path, p.Argv, os.Environ()); !errors.Is(err, syscall.ETXTBSY) {
			return err
		}
		time.Sleep(busyPause)
	}
	return err
}

// moreTasks is how many threads and processes the helper may still make: the first
// process, the engine, and threads of the runtime.
const moreTasks = 8

// bear starts the engine as a child of who started this process, since this one has
// other numbers, and ends.
func (p *plan) bear(words io.Writer) error {
	pid, err := forkExec(p.Path, p.Argv, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_PARENT, Setsid: p.World.Session, Setpgid: !p.World.Session},
	})
	if err != nil {
		return err
	}
	say(words, word{Engine: pid})
	return nil
}

// setLimit lowers a limit of the kernel, soft and hard.
func setLimit(l rlimit) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(l.Resource, &now); err != nil {
		return err
	}
	if l.Value > now.Max {
		l.Value = now.Max // it is lower already
	}
	// The syscall package restores the number of open files at exec unless it was
	// set through it.
	return syscall.Setrlimit(l.Resource, &syscall.Rlimit{Cur: l.Value, Max: l.Value})
}

// asked names what the filter is for.
func (p *plan) asked() string {
	var out []string
	for _, k := range []struct {
		on   bool
		name string
	}{{p.ReadOnly, "files=ro"}, {p.NoNetwork, "network=off"}, {p.Sampled, "memory"}, {p.Pinned, "cpus"}} {
		if k.on {
			out = append(out, k.name)
		}
	}
	return strings.Join(out, ", ")
}

// dropCapabilities takes from this thread what the super-user has beside his files,
// for good: without them the limits cannot be raised again.
func dropCapabilities() error {
	for n := uintptr(0); ; n++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, n, 0, 0, 0); err != nil {
			switch {
			case errors.Is(err, unix.EINVAL): // that was the last one
			case errors.Is(err, unix.EPERM): // there is nothing to drop for this user
			default:
				return err
			}
			break
		}
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&head, &none[0])
}

// err turns the helper's last word into the error of the start.
func (w *word) err() error {
	if w.Errno != 0 {
		return syscall.Errno(w.Errno)
	}
	return errors.New(strings.TrimSpace(w.Error))
}
