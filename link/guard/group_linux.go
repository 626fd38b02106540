package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"kibitz/link/procfs"
)

// groups makes control groups (version 2) below the one in which Kibitz runs, where it
// may. A group needs no controllers to be killed as one; memory and processes are
// limited by it where the controllers can be had.
type groups struct {
	own  string // the group in which Kibitz was started
	root string // the one it has made below
	main string // the one it has moved itself to, if it had to

	once        sync.Once
	controllers map[string]bool // those of the groups below root
	taken       []string        // those that own did not give away before
	missing     string          // why there is not every controller
}

// newGroups makes the group of this program below own, the folder of the one in which
// it runs; the error tells in words why none can be made. Groups of programs that are
// gone are killed and removed first, if lost is set.
func newGroups(own, id string, lost bool) (*groups, error) {
	if own == "" {
		return nil, errors.New("this system has no cgroup v2")
	}
	if lost {
		old, _ := filepath.Glob(filepath.Join(own, "kibitz-*"))
		for _, dir := range old {
			if !runs(strings.TrimPrefix(filepath.Base(dir), "kibitz-")) {
				_ = endGroup(dir)
			}
		}
	}
	g := &groups{own: own, root: filepath.Join(own, "kibitz-"+id)}
	if err := os.Mkdir(g.root, 0o755); err != nil {
		return nil, fmt.Errorf("no control group can be made below that of Kibitz (%w)%s", bare(err), ownScope())
	}
	_, err := os.Stat(filepath.Join(g.root, "cgroup.kill"))
	if err != nil {
		err = errors.New("this kernel cannot end a control group as a whole, which needs Linux 5.14")
	} else if err = enterable(g.root); err != nil {
		err = fmt.Errorf("no program can be started in a control group below that of Kibitz (%w)%s", bare(err), ownScope())
	}
	if err != nil {
		_ = os.Remove(g.root)
		return nil, err
	}
	return g, nil
}

// ownScope tells how to give Kibitz a control group in which it may make others.
func ownScope() string {
	user := " --user"
	if os.Geteuid() == 0 {
		user = ""
	}
	return "; systemd-run" + user + " --scope -p Delegate=yes gives it a control group of its own"
}

// bare is the number in an error of the system, whose words name no file.
func bare(err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		return no
	}
	return err
}

// enterable tells why a process cannot be born in a group below dir: it is born there
// and finds nothing to execute. Rights, a group of threads above, or a filter of
// system calls may stand against it.
func enterable(dir string) error {
	leaf := filepath.Join(dir, "0")
	if err := os.Mkdir(leaf, 0o755); err != nil {
		return err
	}
	defer func() { _ = os.Remove(leaf) }()
	fd, err := syscall.Open(leaf, syscall.O_DIRECTORY|syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()
	_, err = syscall.ForkExec("", []string{""}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: fd}})
	if errors.Is(err, syscall.ENOENT) {
		return nil
	}
	return err
}

// ownGroup returns the folder of this process's control group, empty if there is
// none.
func ownGroup() string {
	b, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	path, found := "", false
	for line := range strings.Lines(string(b)) {
		if p, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "0::"); ok {
			path, found = p, true
		}
	}
	if !found {
		return ""
	}
	for _, m := range mountsOfGroups() {
		if rel, err := filepath.Rel(m.root, path); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.Join(m.at, rel)
		}
	}
	return ""
}

// mount is where the tree of control groups is seen, and from which group on.
type mount struct{ root, at string }

func mountsOfGroups() []mount {
	b, _ := os.ReadFile("/proc/self/mountinfo")
	var out []mount
	for line := range strings.Lines(string(b)) {
		before, after, _ := strings.Cut(line, " - ")
		if f := strings.Fields(before); len(f) >= 5 && strings.HasPrefix(after, "cgroup2 ") {
			out = append(out, mount{f[3], f[4]})
		}
	}
	return out
}

// groupMounts are the folders in which control groups are seen.
func groupMounts() []string {
	var out []string
	for _, m := range mountsOfGroups() {
		out = append(out, m.at)
	}
	return out
}

// limiting are the controllers that limit what engines may use.
var limiting = []string{"memory", "pids"}

// take asks for the controllers once. A group with controllers for others may hold no
// processes, so where Kibitz is in the way it moves itself into a group of its own, if
// it is alone. Nothing is asked for otherwise: the kernel would give the processes'
// controller all the same, and no group below could hold a process then.
func (g *groups) take() {
	g.once.Do(func() {
		g.controllers = map[string]bool{}
		given := func(name string) bool { return listed(filepath.Join(g.own, "cgroup.subtree_control"), name) }
		var offered, absent []string
		for _, name := range limiting {
			if listed(filepath.Join(g.own, "cgroup.controllers"), name) {
				offered = append(offered, name)
			} else {
				absent = append(absent, name)
			}
		}
		if absent != nil {
			g.missing = "cgroup v2 does not offer Kibitz the controller " + strings.Join(absent, " and ")
		}
		if !slices.ContainsFunc(offered, func(name string) bool { return !given(name) }) || g.vacate() {
			for _, name := range offered {
				if !given(name) {
					if write(g.own, "cgroup.subtree_control", "+"+name) != nil {
						continue
					}
					g.taken = append(g.taken, name)
				}
				g.controllers[name] = write(g.root, "cgroup.subtree_control", "+"+name) == nil
			}
		}
	})
}

// lacking tells why memory or processes are not the kernel's to count although there
// are groups; empty if they are.
func (g *groups) lacking(l *Limits) string {
	if l.Memory == 0 && l.Processes == 0 {
		return ""
	}
	g.take()
	if (l.Memory == 0 || g.controllers["memory"]) && (l.Processes == 0 || g.controllers["pids"]) {
		return ""
	}
	if g.missing == "" {
		return "Kibitz's control group does not hand on its controllers" + ownScope()
	}
	return g.missing
}

// vacate sees to it that the own group holds no processes. That of the whole machine
// may hold some; it is the only one without a type.
func (g *groups) vacate() bool {
	if _, err := os.Stat(filepath.Join(g.own, "cgroup.type")); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if !g.step() {
		g.missing = "other processes are in Kibitz's control group" + ownScope()
		return false
	}
	return true
}

// step moves Kibitz into a group of its own, if nobody else is in the present one.
func (g *groups) step() bool {
	b, err := os.ReadFile(filepath.Join(g.own, "cgroup.procs"))
	if err != nil || strings.TrimSpace(string(b)) != strconv.Itoa(os.Getpid()) {
		return false
	}
	dir := g.root + "-main"
	if os.Mkdir(dir, 0o755) != nil {
		return false
	}
	if write(dir, "cgroup.procs", strconv.Itoa(os.Getpid())) != nil {
		_ = os.Remove(dir)
		return false
	}
	g.main = dir
	return true
}

// back undoes step and gives the controllers back, for those who come later.
func (g *groups) back() {
	if g.main == "" {
		return
	}
	for _, name := range g.taken {
		_ = write(g.own, "cgroup.subtree_control", "-"+name)
	}
	if write(g.own, "cgroup.procs", strconv.Itoa(os.Getpid())) == nil {
		_ = os.Remove(g.main)
		g.main = ""
	}
}

func listed(file, word string) bool {
	b, _ := os.ReadFile(file)
	return slices.Contains(strings.Fields(string(b)), word)
}

func write(dir, file, text string) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)
}

// make returns the group of cell n, nil if it cannot be made.
func (g *groups) make(n int, l *Limits) *group {
	if l.Memory > 0 || l.Processes > 0 {
		g.take()
	}
	one := newGroup(filepath.Join(g.root, strconv.Itoa(n)))
	one.weighed = g.controllers["memory"]
	if err := os.Mkdir(one.dir, 0o755); err != nil {
		return nil
	}
	if l.Memory > 0 && g.controllers["memory"] {
		most := l.Memory
		if l.ReadOnly {
			most += firstMemory
		}
		one.memory = write(one.dir, "memory.max", strconv.FormatInt(most, 10)) == nil
		_ = write(one.dir, "memory.swap.max", "0")
		_ = write(one.dir, "memory.oom.group", "1")
	}
	if l.Processes > 0 && g.controllers["pids"] {
		one.pids = write(one.dir, "pids.max", strconv.Itoa(l.Processes+helperTasks)) == nil
	}
	var err error
	if one.fd, err = syscall.Open(one.dir, syscall.O_DIRECTORY|syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err != nil {
		_ = os.Remove(one.dir)
		return nil
	}
	return one
}

// firstMemory is what the first process of an engine's own numbers has, which is in the
// group with the engine.
const firstMemory = 4 << 20

// helperTasks is how many threads the helper may have until the engine has begun.
const helperTasks = 32

// tighten leaves the engine as many processes and threads as it may have, the helper
// having gone.
func (g *group) tighten(most int) {
	if g.counts() {
		_ = write(g.dir, "pids.max", strconv.Itoa(most))
	}
}

// holds reports whether a process is in one of the groups.
func (g *groups) holds(pid int) bool {
	if g == nil {
		return false
	}
	b, _ := os.ReadFile(procfs.File(pid, "cgroup"))
	return strings.Contains(string(b), "/"+filepath.Base(g.root)+"/")
}

// close kills what is in any group and removes them all.
func (g *groups) close() error {
	if g == nil {
		return nil
	}
	err := endGroup(g.root)
	g.back()
	return err
}

// group is the control group of one cell; its methods may be called on nil.
type group struct {
	dir          string
	procs, stat  *procfs.Held
	fd           int
	memory, pids bool // limited by the group
	weighed      bool // its memory is counted, limited or not
}

func newGroup(dir string) *group {
	return &group{dir: dir, procs: procfs.Hold(filepath.Join(dir, "cgroup.procs")), stat: procfs.Hold(filepath.Join(dir, "cpu.stat")), fd: -1}
}

// weighs and counts tell whether memory or processes are limited by the group.
func (g *group) weighs() bool { return g != nil && g.memory }

func (g *group) counts() bool { return g != nil && g.pids }

// members lists the processes of the group and of those below.
func (g *group) members() []int {
	const none = 2 // links of a folder without folders in it
	var st syscall.Stat_t
	var room [1024]byte
	if syscall.Fstat(g.fd, &st) == nil && st.Nlink == none {
		if b := g.procs.Read(room[:]); b != nil {
			return appendMembers(nil, b)
		}
	}
	return membersOf(g.dir)
}

func membersOf(dir string) []int {
	var out []int
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			b, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
			out = appendMembers(out, b)
		}
		return nil
	})
	return out
}

// appendMembers reads what cgroup.procs says.
func appendMembers(list []int, b []byte) []int {
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if n, err := strconv.Atoi(string(line)); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// cpu is the processor time of everything that ever ran in the group.
func (g *group) cpu() (time.Duration, bool) {
	var room [1024]byte
	n, ok := fieldOf(g.stat.Read(room[:]), "usage_usec")
	return time.Duration(n) * time.Microsecond, ok
}

// peak is the largest memory of the group, which is known with its controller alone.
func (g *group) peak() (int64, bool) {
	if !g.weighed {
		return 0, false
	}
	var room [64]byte
	b := procfs.Read(filepath.Join(g.dir, "memory.peak"), room[:])
	if b == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
	return n, err == nil
}

// reached tells which limit of the group was hit, empty if none was.
func (g *group) reached(l *Limits) string {
	if g.weighs() {
		if n, _ := field(filepath.Join(g.dir, "memory.events"), "oom_kill"); n > 0 {
			return "wanted more memory than its limit of " + l.mostMemory()
		}
	}
	if g.counts() {
		if n, _ := field(filepath.Join(g.dir, "pids.events"), "max"); n > 0 {
			return fmt.Sprintf("wanted more than %d processes and threads, its limit", l.Processes)
		}
	}
	return ""
}

// field reads a number from a file of lines with a name and a number.
func field(file, name string) (int64, bool) {
	var room [1024]byte
	return fieldOf(procfs.Read(file, room[:]), name)
}

func fieldOf(b []byte, name string) (int64, bool) {
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if key, value, ok := bytes.Cut(line, []byte(" ")); ok && string(key) == name {
			n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

func (g *group) kill() { killGroup(g.dir) }

// killGroup kills a group as a whole, also what is just being born, and then one by
// one, since the kernel passes over processes whose first thread has ended.
func killGroup(dir string) {
	_ = write(dir, "cgroup.kill", "1")
	for _, pid := range membersOf(dir) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// close kills the group, waits until it is empty and removes it.
func (g *group) close() error {
	g.procs.Close()
	g.stat.Close()
	if g.fd >= 0 {
		_ = syscall.Close(g.fd)
		g.fd = -1
	}
	return endGroup(g.dir)
}

// endLimit is how long killed processes may take to go.
const endLimit = 5 * time.Second

// endGroup kills and removes a group with those below it.
func endGroup(dir string) error {
	// A group that is empty and has none below goes at once; what has ended and is not
	// waited for yet does not count.
	if err := syscall.Rmdir(dir); err == nil || errors.Is(err, syscall.ENOENT) {
		return nil
	}
	pause := 200 * time.Microsecond
	for waited := time.Duration(0); waited < endLimit; waited += pause {
		killGroup(dir)
		if n, ok := field(filepath.Join(dir, "cgroup.events"), "populated"); ok && n == 0 {
			if removeGroup(dir) == nil {
				return nil
			}
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
	return fmt.Errorf("processes of the engine do not end although they were killed (control group %s)", dir)
}

// removeGroup removes a group, those below it first.
func removeGroup(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			_ = removeGroup(filepath.Join(dir, e.Name()))
		}
	}
	return os.Remove(dir)
}
