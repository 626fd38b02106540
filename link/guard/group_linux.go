package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
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
}

// newGroups returns nil where no group can be made. Groups of programs that are gone
// are killed and removed first, if lost is set.
func newGroups(id string, lost bool) *groups {
	own := ownGroup()
	if own == "" {
		return nil
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
		return nil
	}
	if _, err := os.Stat(filepath.Join(g.root, "cgroup.kill")); err != nil {
		_ = os.Remove(g.root) // a kernel before 5.14
		return nil
	}
	return g
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

// take asks for the controllers once. Where Kibitz is in the way, since a group with
// controllers for others may hold no processes, it moves itself into a group of its
// own, if it is alone.
func (g *groups) take() {
	g.once.Do(func() {
		g.controllers = map[string]bool{}
		for _, name := range []string{"memory", "pids"} {
			if !listed(filepath.Join(g.own, "cgroup.controllers"), name) {
				continue
			}
			if !listed(filepath.Join(g.own, "cgroup.subtree_control"), name) {
				err := write(g.own, "cgroup.subtree_control", "+"+name)
				if errors.Is(err, syscall.EBUSY) && g.step() {
					err = write(g.own, "cgroup.subtree_control", "+"+name)
				}
				if err != nil {
					continue
				}
			}
			g.controllers[name] = write(g.root, "cgroup.subtree_control", "+"+name) == nil
		}
	})
}

// step moves Kibitz into a group of its own, if nobody else is in the present one.
func (g *groups) step() bool {
	if g.main != "" {
		return true
	}
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

func listed(file, word string) bool {
	b, _ := os.ReadFile(file)
	for _, w := range strings.Fields(string(b)) {
		if w == word {
			return true
		}
	}
	return false
}

func write(dir, file, text string) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)
}

// make returns the group of cell n, nil if it cannot be made.
func (g *groups) make(n int, l *Limits) *group {
	if l.Memory > 0 || l.Processes > 0 {
		g.take()
	}
	one := &group{dir: filepath.Join(g.root, strconv.Itoa(n)), fd: -1}
	if err := os.Mkdir(one.dir, 0o755); err != nil {
		return nil
	}
	if l.Memory > 0 && g.controllers["memory"] {
		one.memory = write(one.dir, "memory.max", strconv.FormatInt(l.Memory, 10)) == nil
		_ = write(one.dir, "memory.swap.max", "0")
		_ = write(one.dir, "memory.oom.group", "1")
	}
	if l.Processes > 0 && g.controllers["pids"] {
		one.pids = write(one.dir, "pids.max", strconv.Itoa(l.Processes)) == nil
	}
	var err error
	if one.fd, err = syscall.Open(one.dir, syscall.O_DIRECTORY|syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err != nil {
		_ = os.Remove(one.dir)
		return nil
	}
	return one
}

// holds reports whether a process is in one of the groups.
func (g *groups) holds(pid int) bool {
	if g == nil {
		return false
	}
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cgroup")
	return strings.Contains(string(b), "/"+filepath.Base(g.root)+"/")
}

// close kills what is in any group and removes them all.
func (g *groups) close() error {
	if g == nil {
		return nil
	}
	err := endGroup(g.root)
	if g.main == "" {
		return err
	}
	for name := range g.controllers {
		_ = write(g.own, "cgroup.subtree_control", "-"+name)
	}
	if write(g.own, "cgroup.procs", strconv.Itoa(os.Getpid())) == nil {
		_ = os.Remove(g.main)
	}
	return err
}

// group is the control group of one cell; its methods may be called on nil.
type group struct {
	dir          string
	fd           int
	memory, pids bool // limited by the group
}

// weighs and counts tell whether memory or processes are limited by the group.
func (g *group) weighs() bool { return g != nil && g.memory }

func (g *group) counts() bool { return g != nil && g.pids }

// members lists the processes of the group and of those below.
func (g *group) members() []int { return membersOf(g.dir) }

func membersOf(dir string) []int {
	var out []int
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			b, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
			for _, w := range strings.Fields(string(b)) {
				if n, err := strconv.Atoi(w); err == nil {
					out = append(out, n)
				}
			}
		}
		return nil
	})
	return out
}

// cpu is the processor time of everything that ever ran in the group.
func (g *group) cpu() (time.Duration, bool) {
	n, ok := field(filepath.Join(g.dir, "cpu.stat"), "usage_usec")
	return time.Duration(n) * time.Microsecond, ok
}

// peak is the largest memory of the group, which is known with its controller alone.
func (g *group) peak() (int64, bool) {
	b, err := os.ReadFile(filepath.Join(g.dir, "memory.peak"))
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
	return n, err == nil
}

// reached tells which limit of the group was hit, empty if none was.
func (g *group) reached(l *Limits) string {
	if g.weighs() {
		if n, _ := field(filepath.Join(g.dir, "memory.events"), "oom_kill"); n > 0 {
			return fmt.Sprintf("wanted more memory than its limit of %s", Bytes(l.Memory))
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
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// kill ends everything in the group.
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
	if _, err := os.Stat(dir); err != nil {
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
