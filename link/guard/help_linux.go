package guard

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// way is how much of the machine an engine is parted from. A supervisor begins with the
// first and keeps to the one that works.
type way int

const (
	isolated way = iota // files, processes, messages and network
	parted              // the same but for processes
	private             // network and counting; files are left to Landlock
	worst               // nothing of this
)

// wayFor returns the best way for a cell that has not failed before.
func (c *Cell) wayFor() way {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if !c.limits.ReadOnly {
		return max(private, c.w.way)
	}
	return c.w.way
}

// failed takes note that a way is none, and why.
func (w *Supervisor) failed(at way, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.noWay[at] == nil {
		w.noWay[at] = why
	}
	w.way = max(w.way, at+1)
}

// without says what an engine with files=ro is not parted from, and why.
func (c *Cell) without() []string {
	w := c.w
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !c.limits.ReadOnly || w.way == isolated:
		return nil
	case w.way == parted:
		return []string{fmt.Sprintf("files=ro: the engine sees the numbers and command lines of other processes: %v", w.noWay[isolated])}
	}
	return []string{fmt.Sprintf("files=ro: the engine sees the names, sizes and times of files that it cannot open, and the command "+
		"lines of other processes: %v", w.noWay[parted])}
}

// help starts the engine by way of the helper.
func (c *Cell) help(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	for {
		how := c.wayFor()
		p, err := c.plan(path, argv, attr, how)
		if err != nil {
			return 0, err
		}
		p.Probe = path == ""
		plain := *attr.Sys
		pid, err := c.helpBy(p, attr, c.flags(p, how, attr.Sys))
		*attr.Sys = plain
		var no *noWay
		if how == worst || !errors.As(err, &no) {
			return pid, err
		}
		c.w.failed(how, no.why)
	}
}

// noWay tells that the helper cannot be started in the way that was tried, or cannot go
// on in it.
type noWay struct{ why error }

func (n *noWay) Error() string { return n.why.Error() }

// flags makes a process be born apart as a way has it, and reports whether anything of
// it was asked for.
func (c *Cell) flags(p *plan, how way, sys *syscall.SysProcAttr) (asked bool) {
	if how == worst {
		return false
	}
	if p.World != nil {
		sys.Cloneflags |= syscall.CLONE_NEWNS
	}
	uid, gid := os.Geteuid(), os.Getegid()
	p.Counted = uid != 0 && c.limits.Processes > 0 && !c.group.counts()
	p.Processes = c.limits.Processes
	if uid != 0 && (p.World != nil || p.Counted || p.NoNetwork) {
		sys.Cloneflags |= syscall.CLONE_NEWUSER
		sys.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		sys.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		sys.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	}
	return sys.Cloneflags != 0
}

// helpBy starts the engine by one plan.
func (c *Cell) helpBy(p *plan, attr *syscall.ProcAttr, apart bool) (int, error) {
	planned, tell, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer func() { _ = planned.Close() }()
	listen, words, err := os.Pipe()
	if err != nil {
		return 0, errors.Join(err, tell.Close())
	}
	defer func() { _ = listen.Close() }()
	attr.Files = append(attr.Files[:3:3], planned.Fd(), words.Fd())
	said, pid, err := c.speak(p, attr, tell, words, listen)
	if err != nil && pid == 0 && apart {
		return 0, &noWay{fmt.Errorf("namespaces cannot be had: %w", bare(err))}
	}
	return c.settle(p, pid, said, err)
}

// speak starts the helper and hears it to its end. Until it is known who is who nobody
// looks for orphans.
func (c *Cell) speak(p *plan, attr *syscall.ProcAttr, tell, words, listen *os.File) (said conversation, helper int, err error) {
	family.born.RLock()
	defer family.born.RUnlock()
	if helper, err = forkExec("/proc/self/exe", []string{helperName}, attr); err != nil {
		return said, 0, errors.Join(err, words.Close(), tell.Close())
	}
	register(helper)
	if err = words.Close(); err != nil {
		return said, helper, errors.Join(err, tell.Close())
	}
	if said, err = converse(p, tell, listen); err == nil {
		err = said.err
	}
	for _, pid := range []int{said.first, said.engine} {
		if pid != 0 {
			register(pid)
		}
	}
	return said, helper, err
}

// settle takes the family of a helper that has spoken: the first process, the engine,
// which may be the helper itself, and the helper if it is not.
func (c *Cell) settle(p *plan, helper int, said conversation, err error) (int, error) {
	c.first = said.first
	engine := helper
	if p.apart() {
		if engine = said.engine; engine == 0 && err == nil && !p.Probe {
			err = errors.New("the guard ended before the engine began")
		}
	}
	if engine != helper || err != nil {
		drop(helper)
	}
	if err != nil {
		if engine != helper {
			drop(engine)
		}
		return 0, errors.Join(err, c.endFirst())
	}
	c.refused = append(c.refused, said.refused...)
	c.tighten(p, engine)
	return engine, nil
}

// drop kills a child and takes it off the process table.
func drop(pid int) {
	if pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		wait(pid)
		unregister(pid)
	}
}

// tighten sets the limits of processes and threads that the helper itself has gone
// beyond.
func (c *Cell) tighten(p *plan, engine int) {
	most := c.limits.Processes
	if c.first != 0 {
		most++
	}
	if c.counted = p.Counted; p.Counted && engine != 0 {
		_ = unix.Prlimit(engine, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}, nil)
	}
	c.group.tighten(most)
}

// endFirst ends all processes of the engine's own numbers, the engine itself having
// been waited for. The kernel lets the first go when all others have been taken off the
// process table; those that the engine has made its sisters are ours to take.
func (c *Cell) endFirst() error {
	if c.first == 0 {
		return nil
	}
	var h orphanScan
	pause := 50 * time.Microsecond
	for waited := time.Duration(0); waited < endLimit; waited += pause {
		_ = syscall.Kill(c.first, syscall.SIGKILL)
		if got, _ := syscall.Wait4(c.first, nil, syscall.WNOHANG, nil); got == c.first {
			unregister(c.first)
			c.first = 0
			return nil
		}
		if waited > time.Millisecond {
			c.w.killOrphans(&h)
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
	return errors.New("processes of the engine do not end although they were killed")
}

// plan says what the helper has to do.
func (c *Cell) plan(path string, argv []string, attr *syscall.ProcAttr, how way) (*plan, error) {
	l := &c.limits
	p := &plan{
		Path: path, Argv: argv, NoNetwork: l.NoNetwork, Port: l.Port, Sockets: l.Sockets,
		Sampled: l.Memory > 0 && !c.group.weighs(), Pinned: l.Pinned, ReadOnly: l.ReadOnly,
	}
	if l.ReadOnly {
		if err := c.see(p, attr, how); err != nil {
			return nil, err
		}
	}
	limit := func(name string, resource int, value uint64) {
		p.Limits = append(p.Limits, rlimit{name, resource, value})
	}
	if c.group != nil {
		p.Groups = groupMounts()
	}
	limit("the size of core files", unix.RLIMIT_CORE, 0)
	limit("real-time priority", unix.RLIMIT_RTPRIO, 0)
	limit("priority", unix.RLIMIT_NICE, 0)
	if size := l.FileSize; size > 0 || l.Temp > 0 {
		size = cmp.Or(size, l.Temp)
		limit("the size of files", unix.RLIMIT_FSIZE, uint64(size))
	}
	if l.CPUTime > 0 {
		// For each process; the sum is watched. The kernel counts whole seconds.
		limit("processor time", unix.RLIMIT_CPU, uint64((l.CPUTime+2*time.Second)/time.Second))
	}
	if l.Processes > 0 && !c.group.counts() && os.Geteuid() != 0 && how == worst {
		// The kernel counts all processes of the user, so this only stops an
		// explosion; the engine's own are watched.
		limit("the number of processes", unix.RLIMIT_NPROC, uint64(tasksOf(os.Getuid())+4*l.Processes+64))
	}
	if l.Handles > 0 {
		limit("the number of open files", unix.RLIMIT_NOFILE, uint64(l.Handles))
	}
	if l.Memory > 0 && !c.group.weighs() {
		// For each process, and also what is never touched: an outer bound while
		// the sum of what is resident is watched.
		limit("memory", unix.RLIMIT_DATA, uint64(2*l.Memory+4<<30))
	}
	return p, nil
}

// see says what the engine has of the file system.
func (c *Cell) see(p *plan, attr *syscall.ProcAttr, how way) error {
	l := &c.limits
	p.Writable = real(append(slices.Clone(l.Writable), c.temp))
	p.Hidden = real(append(slices.Clone(l.Hidden), filepath.Dir(c.temp)))
	dir := attr.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	for _, path := range sight(p.Path, p.Argv[1:], dir, attr.Env) {
		if !slices.ContainsFunc(real([]string{path}), func(x string) bool {
			return slices.ContainsFunc(p.Hidden, func(h string) bool { return below(x, h) })
		}) {
			p.Readable = append(p.Readable, path)
		}
	}
	p.Readable = append(p.Readable, l.Visible...)
	if how <= parted {
		root, settings, err := c.w.worlds()
		if err != nil {
			return err
		}
		p.World = &world{Root: root, Settings: settings, Dir: dir, Session: attr.Sys.Setsid, Isolated: how == isolated}
	}
	return nil
}

// conversation is what came back from the helper.
type conversation struct {
	refused       []string
	first, engine int
	err           error
}

// converse gives the helper its plan and reads its words until the engine begins.
func converse(p *plan, tell io.WriteCloser, listen io.Reader) (conversation, error) {
	var c conversation
	err := json.NewEncoder(tell).Encode(p)
	if err = errors.Join(err, tell.Close()); err != nil {
		return c, fmt.Errorf("the guard cannot be told its plan: %w", err)
	}
	d := json.NewDecoder(listen)
	for {
		var w word
		switch err := d.Decode(&w); {
		case errors.Is(err, io.EOF):
			return c, nil
		case err != nil:
			return c, fmt.Errorf("the guard speaks in riddles: %w", err)
		case w.Refused != "":
			c.refused = append(c.refused, w.Refused)
		case w.First != 0:
			c.first = w.First
		case w.Engine != 0:
			c.engine = w.Engine
		case w.NoWorld != "":
			c.err = &noWay{errors.New(w.NoWorld)}
		default:
			c.err = w.err()
		}
	}
}
