package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// control makes files like those of a control group.
func control(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// What is asked of the group in which Kibitz was started, with files in its place.
func TestControllers(t *testing.T) {
	own := strconv.Itoa(os.Getpid())
	both := map[string]bool{"memory": true, "pids": true}
	for _, k := range []struct {
		name    string
		files   map[string]string
		want    map[string]bool
		control string // what is in the own subtree_control in the end
		moved   bool
		lacking string // why memory and processes are not both exact
	}{
		{
			"the whole machine's",
			map[string]string{"cgroup.controllers": "cpu memory pids", "cgroup.subtree_control": "", "cgroup.procs": "1\n2\n" + own},
			both, "+pids", false, "",
		},
		{
			"alone",
			map[string]string{"cgroup.type": "domain", "cgroup.controllers": "memory pids", "cgroup.subtree_control": "", "cgroup.procs": own + "\n"},
			both, "+pids", true, "",
		},
		{
			"among others",
			map[string]string{"cgroup.type": "domain", "cgroup.controllers": "memory pids", "cgroup.subtree_control": "cpu", "cgroup.procs": "1\n" + own + "\n"},
			map[string]bool{},
			"cpu", false, "other processes are in Kibitz's control group",
		},
		{
			"handed on already",
			map[string]string{"cgroup.type": "domain", "cgroup.controllers": "memory pids", "cgroup.subtree_control": "memory pids", "cgroup.procs": "1\n"},
			both, "memory pids", false, "",
		},
		{
			"memory alone",
			map[string]string{"cgroup.type": "domain", "cgroup.controllers": "memory", "cgroup.subtree_control": "", "cgroup.procs": own},
			map[string]bool{"memory": true},
			"+memory", true, "does not offer Kibitz the controller pids",
		},
		{
			"none",
			map[string]string{"cgroup.type": "domain", "cgroup.controllers": "cpu", "cgroup.subtree_control": "cpu", "cgroup.procs": own},
			map[string]bool{},
			"cpu", false, "does not offer Kibitz the controller memory and pids",
		},
	} {
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			control(t, dir, k.files)
			g := &groups{own: dir, root: filepath.Join(dir, "kibitz-1.2.x")}
			control(t, g.root, nil)
			lacking := g.lacking(&Limits{Memory: 1, Processes: 1})
			if lacking == "" != (k.lacking == "") || !strings.Contains(lacking, k.lacking) {
				t.Errorf("lacking: %q", lacking)
			}
			if !maps.Equal(g.controllers, k.want) {
				t.Errorf("controllers: %v", g.controllers)
			}
			if got := content(t, filepath.Join(dir, "cgroup.subtree_control")); got != k.control {
				t.Errorf("the own group hands on %q", got)
			}
			moved := content(t, filepath.Join(g.root+"-main", "cgroup.procs"))
			if moved == own != k.moved || g.main != "" != k.moved {
				t.Errorf("moved: %q", moved)
			}
			if text := g.lacking(&Limits{CPUTime: 1}); text != "" {
				t.Errorf("processor time lacks something: %s", text)
			}
		})
	}
}

// Members are those of the group as it is now, and of the groups that the engine has made
// below it.
func TestMembers(t *testing.T) {
	g := newGroup(t.TempDir())
	var err error
	if g.fd, err = syscall.Open(g.dir, syscall.O_DIRECTORY|syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.close() }()
	var many []string
	for n := range 2000 {
		many = append(many, strconv.Itoa(1000+n))
	}
	below := filepath.Join(g.dir, "below")
	for _, k := range []struct{ procs, below string }{{"", ""}, {"12\n345\n", ""}, {"345\n", ""}, {strings.Join(many, "\n"), ""}, {"12\n", "7\n8\n"}, {"13\n", ""}} {
		control(t, g.dir, map[string]string{"cgroup.procs": k.procs})
		if k.below != "" {
			control(t, below, map[string]string{"cgroup.procs": k.below})
		} else if err := os.RemoveAll(below); err != nil {
			t.Fatal(err)
		}
		want := strings.Join(strings.Fields(k.procs+" "+k.below), " ")
		if got := strings.Trim(fmt.Sprint(g.members()), "[]"); got != want {
			t.Errorf("members %.60s, want %.60s", got, want)
		}
	}
}

// The limits of one cell, and what the kernel tells of them.
func TestGroupFiles(t *testing.T) {
	dir := t.TempDir()
	control(t, dir, map[string]string{"cgroup.controllers": "memory pids", "cgroup.subtree_control": "memory pids"})
	g := &groups{own: dir, root: filepath.Join(dir, "kibitz-1.2.x")}
	control(t, g.root, nil)
	l := &Limits{Memory: 100 << 20, Processes: 20}
	one := g.make(7, l)
	if one == nil || !one.weighs() || !one.counts() {
		t.Fatalf("%+v", one)
	}
	defer func() { one.stat.Close(); _ = syscall.Close(one.fd) }()
	for file, want := range map[string]string{"memory.max": "104857600", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "52"} {
		if got := content(t, filepath.Join(g.root, "7", file)); got != want {
			t.Errorf("%s is %q instead of %q", file, got, want)
		}
	}
	l.ReadOnly = true
	if two := g.make(8, l); two == nil || content(t, filepath.Join(two.dir, "memory.max")) != strconv.Itoa(104<<20) {
		t.Errorf("the first process has no room: %+v", two)
	} else {
		_ = syscall.Close(two.fd)
	}
	if one.tighten(20); content(t, filepath.Join(one.dir, "pids.max")) != "20" {
		t.Error("the helper's room for processes stays")
	}
	control(t, one.dir, map[string]string{
		"memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\n", "pids.events": "max 0\n", "memory.peak": "4096\n", "cpu.stat": "usage_usec 1500\nuser_usec 1000\n",
	})
	if text := one.reached(l); text != "" {
		t.Errorf("nothing was reached: %q", text)
	}
	if peak, ok := one.peak(); !ok || peak != 4096 {
		t.Errorf("peak %d %v", peak, ok)
	}
	if cpu, ok := one.cpu(); !ok || cpu.Microseconds() != 1500 {
		t.Errorf("cpu %v %v", cpu, ok)
	}
	for file, k := range map[string][2]string{
		"memory.events": {"max 9\noom_kill 3\n", "wanted more memory than its limit of 100 MB"},
		"pids.events":   {"max 2\n", "wanted more than 20 processes and threads, its limit"},
	} {
		control(t, one.dir, map[string]string{"memory.events": "", "pids.events": ""})
		control(t, one.dir, map[string]string{file: k[0]})
		if text := one.reached(l); text != k[1] {
			t.Errorf("%s: %q", file, text)
		}
	}
}

func TestNoGroups(t *testing.T) {
	if _, err := newGroups("", "1.2.x", true); err == nil || !strings.Contains(err.Error(), "no cgroup v2") {
		t.Error(err)
	}
	dir := t.TempDir() // has no cgroup.kill
	if _, err := newGroups(dir, "1.2.x", true); err == nil || !strings.Contains(err.Error(), "Linux 5.14") {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Error(left, err)
	}
	if _, err := newGroups(filepath.Join(dir, "none"), "1.2.x", false); err == nil || !strings.Contains(err.Error(), "Delegate=yes") {
		t.Error(err)
	}
}
