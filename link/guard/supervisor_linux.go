package guard

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link/procfs"
)

// markKey is the variable by which the processes of a cell are known; its value is
// the name of Kibitz's process (ownID), the token and the number of the cell, with dots
// between.
const markKey = "KIBITZ_CELL"

// Supervisor owns the cells of one program. Its methods may be called from anywhere; those
// of a nil Supervisor make cells without limits or control group.
type Supervisor struct {
	id     string  // number and age of this program
	groups *groups // nil where no control group can be made
	alone  error   // why there are none
	temp   string  // the folder of the private temporary folders, made when needed
	where  string  // in this one

	mu    sync.Mutex // guards what follows
	cells int
	way   way // the best that has not failed
	noWay [worst]error
}

// New returns the Supervisor of this program; there should be one. It becomes the parent
// of the processes that engines leave behind.
func New(o Options) (*Supervisor, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("the processes that engines leave behind cannot be collected: %w", err)
	}
	keepFiles()
	w := &Supervisor{id: ownID() + "." + o.Token, where: o.Temp}
	w.groups, w.alone = newGroups(ownGroup(), w.id, o.Lost)
	allowGroups(w.groups, true)
	w.where = cmp.Or(w.where, os.TempDir())
	if o.Lost {
		w.killAbandoned()
	}
	return w, nil
}

// keepFiles sees to it that no program that is executed from now on finds files open
// that were open when this one was started.
func keepFiles() {
	open, _ := os.ReadDir("/proc/self/fd")
	for _, e := range open {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// Holds reports whether a process belongs to an engine of this program, whatever it
// has done to hide that.
func (w *Supervisor) Holds(pid int) bool {
	if w == nil {
		return false
	}
	own := os.Getpid()
	for p := pid; p > 1; p = procfs.StatOf(p).Parent {
		if p == own {
			return pid != own
		}
	}
	return strings.HasPrefix(markOf(pid), w.id+".") || w.groups.holds(pid)
}

// Refusals runs nothing under the limits of l and returns what the system does not
// honour, one line each.
func (w *Supervisor) Refusals(l Limits) ([]string, error) {
	if !l.Any() {
		return nil, nil
	}
	c, err := w.Cell(l)
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	defer func() { _ = null.Close() }()
	fd := null.Fd()
	pid, err := c.help("", []string{""}, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{fd, fd, fd}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err == nil {
		drop(pid)
	}
	out := slices.Concat(c.refused, c.without())
	if text := c.sampled(); text != "" {
		out = append(out, text)
	}
	return out, errors.Join(err, c.Close())
}

// sampled says which limits the kernel does not keep, and why.
func (c *Cell) sampled() string {
	l := &c.limits
	var keys []string
	add := func(key string, sampled bool) {
		if sampled {
			keys = append(keys, key)
		}
	}
	add("memory", l.Memory > 0 && !c.group.weighs())
	add("processes", l.Processes > 0 && !c.group.counts() && !c.counted)
	add("cputime", l.CPUTime > 0 && c.group == nil)
	if keys == nil {
		return ""
	}
	text := strings.Join(keys, ", ") + ": sampled 50 times a second, so that a burst may be larger for a moment"
	if c.group != nil {
		return text + ": " + c.w.groups.lacking(l)
	}
	text += ", and what leaves the engine's process tree is not counted"
	if c.w.alone != nil {
		text += ": " + c.w.alone.Error()
	}
	return text
}

// Cell returns a new cell. The error is for people.
func (w *Supervisor) Cell(l Limits) (*Cell, error) {
	c := &Cell{w: w, limits: l, done: make(chan struct{})}
	if w == nil {
		if l.Any() {
			return nil, errors.New("there is no warden that could limit a process")
		}
		return c, nil
	}
	w.mu.Lock()
	w.cells++
	n := w.cells
	w.mu.Unlock()
	c.mark = w.id + "." + strconv.Itoa(n)
	if w.groups != nil {
		c.group = w.groups.make(n, &l)
	}
	if c.group == nil {
		allowMark(c.mark, true)
	}
	if l.Any() {
		var err error
		if c.temp, err = w.private(n); err != nil {
			return nil, errors.Join(fmt.Errorf("cannot make a private temporary folder: %w", err), c.Close())
		}
	}
	return c, nil
}

// private makes the temporary folder of cell n.
func (w *Supervisor) private(n int) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.temp == "" {
		dir := filepath.Join(w.where, "kibitz-cells-"+w.id)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return "", err
		}
		w.temp = dir
	}
	dir := filepath.Join(w.temp, strconv.Itoa(n))
	return dir, os.Mkdir(dir, 0o700)
}

// worlds returns the empty folder on which worlds are mounted, and their /etc.
func (w *Supervisor) worlds() (root, settings string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	root, settings = filepath.Join(w.temp, "world"), filepath.Join(w.temp, "etc")
	if err := os.Mkdir(root, 0o700); err != nil {
		if errors.Is(err, os.ErrExist) {
			err = nil
		}
		return root, settings, err
	}
	return root, settings, copySettings(settings)
}

// Close ends whatever engines have left behind, also those that have taken off their
// mark, and removes the control groups and temporary folders.
func (w *Supervisor) Close() error {
	if w == nil {
		return nil
	}
	err := errors.Join(w.groups.close(), w.killAllOrphans(true))
	allowGroups(w.groups, false)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.temp != "" {
		err = errors.Join(err, removeAll(w.temp))
		w.temp = ""
	}
	return err
}

// Cell holds one engine and all that it starts.
type Cell struct {
	w       *Supervisor
	limits  Limits
	mark    string
	group   *group // nil where there is none
	temp    string
	pid     int
	first   int  // the first process of the engine's own numbers, 0 if there are none
	counted bool // processes, by a user namespace of the engine's own
	refused []string

	done    chan struct{} // closed when the cell is
	watched chan struct{} // closed when nobody watches any more
	reached atomic.Pointer[string]
	once    sync.Once
	err     error
}

// Launch executes a program as the only engine of the cell, under its limits. attr
// is as syscall.ForkExec takes it, with three files; its Sys is changed. Launch
// returns when the engine's first instruction is next, or with the error of exec.
func (c *Cell) Launch(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	if c.w == nil {
		return forkExec(path, argv, attr)
	}
	set := []string{markKey + "=" + c.mark}
	if c.group != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, c.group.fd
	}
	if c.limits.Any() {
		set = append(set, "TMPDIR="+c.temp, "TMP="+c.temp, "TEMP="+c.temp)
	}
	attr.Env = Environ(attr.Env, set...)
	var err error
	if c.limits.Any() {
		c.pid, err = c.help(path, argv, attr)
	} else {
		c.pid, err = c.spawn(path, argv, attr)
	}
	if err != nil {
		return 0, err
	}
	c.watch()
	return c.pid, nil
}

// spawn starts a process and takes note of it before anybody can take it for an orphan.
func (c *Cell) spawn(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	family.born.RLock()
	defer family.born.RUnlock()
	pid, err := forkExec(path, argv, attr)
	if err == nil {
		register(pid)
	}
	return pid, err
}

// wait takes an ended child off the process table.
func wait(pid int) {
	for {
		if _, err := syscall.Wait4(pid, nil, 0, nil); !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// Reaped tells that the engine has been taken off the process table by its parent.
func (c *Cell) Reaped() {
	if c.w != nil {
		unregister(c.pid)
	}
}

// Ended tells how much processor time the engine had used when it ended. Where the
// machine is busy the kernel, which counts for each process, may have been faster than
// who watches the cell.
func (c *Cell) Ended(used time.Duration) {
	if l := c.limits.CPUTime; l > 0 && used > l {
		text := overTime(used, l)
		c.reached.CompareAndSwap(nil, &text)
	}
}

// Reached returns the limit that the engine was ended for, or that it has run into as
// far as the kernel tells, in words that follow the engine's name; empty if none. It
// may be asked after Close.
func (c *Cell) Reached() string {
	if t := c.reached.Load(); t != nil {
		return *t
	}
	return c.group.reached(&c.limits)
}

// Close ends everything in the cell and removes what was made for it. The engine
// itself must have been waited for. Close waits until nothing runs; the error names
// what does not end.
func (c *Cell) Close() error {
	c.once.Do(func() {
		close(c.done)
		if c.watched != nil {
			<-c.watched
		}
		if c.w == nil {
			return
		}
		if c.group != nil {
			if text := c.Reached(); text != "" {
				c.reached.CompareAndSwap(nil, &text)
			}
		}
		apart := c.first != 0
		c.err = c.endFirst()
		if c.group != nil {
			c.err = errors.Join(c.err, c.group.close())
		}
		allowMark(c.mark, false)
		if c.pid != 0 && !apart {
			c.err = errors.Join(c.err, c.w.killAllOrphans(false))
		}
		if c.temp != "" {
			c.err = errors.Join(c.err, removeAll(c.temp))
		}
	})
	return c.err
}

// removeAll removes a folder also if the engine has locked folders in it.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
