//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sample is what a process holds at a moment, seen from outside.
type sample struct {
	at          time.Duration // since the process was started
	games       int           // that it has finished
	descriptors int
	threads     int
	memory      int64 // bytes resident
	children    int   // descendants, the dead ones included
	zombies     int   // own children that are dead; those of others are others' to ask for
	temporary   int   // entries in its temporary folder
	groups      int   // control groups that it has made
	quiet       bool  // no game was running
}

// status returns a line of /proc/PID/status as a number.
func status(text, key string) int64 {
	_, rest, _ := strings.Cut(text, "\n"+key+":")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "kB")), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// look takes a sample of a process whose temporary folder is tmp.
func look(pid int, tmp string) (sample, error) {
	var s sample
	proc := "/proc/" + strconv.Itoa(pid)
	b, err := os.ReadFile(proc + "/status")
	if err != nil {
		return s, err
	}
	s.threads, s.memory = int(status(string(b), "Threads")), status(string(b), "VmRSS")<<10
	if s.threads < 1 || s.memory < 1 {
		return s, fmt.Errorf("%s/status tells no threads or memory", proc)
	}
	fds, err := os.ReadDir(proc + "/fd")
	if err != nil {
		return s, err
	}
	s.descriptors = len(fds)
	s.children, s.zombies = descendants(pid)
	s.temporary = len(entries(tmp))
	s.groups = len(controlGroups(pid))
	return s, nil
}

// process is a line of the table of processes.
type process struct {
	pid, parent int
	dead        bool
	exe         string
}

// processes lists all processes.
func processes() []process {
	var all []process
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, err := os.ReadFile(filepath.Join("/proc", e.Name(), "status"))
		if err != nil {
			continue // it has ended
		}
		_, state, _ := strings.Cut(string(b), "\nState:\t")
		exe, _ := os.Readlink(filepath.Join("/proc", e.Name(), "exe"))
		all = append(all, process{pid, int(status(string(b), "PPid")), strings.HasPrefix(state, "Z"), exe})
	}
	return all
}

// descendants counts the children of a process, their children, and so on, and its own
// children that are dead.
func descendants(pid int) (all, dead int) {
	parents := map[int]process{}
	list := processes()
	for _, p := range list {
		parents[p.pid] = p
	}
	for _, p := range list {
		for q := p.parent; q > 1; q = parents[q].parent {
			if q != pid {
				continue
			}
			if all++; p.dead && p.parent == pid {
				dead++
			}
			break
		}
	}
	return all, dead
}

// entries lists what is in a folder, by its path.
func entries(dir string) []string {
	var all []string
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && path != dir {
			all = append(all, path)
		}
		return nil
	})
	return all
}

// controlGroups lists the control groups that a kibitz of that number has made, and those
// in them.
func controlGroups(pid int) []string {
	var all []string
	mark := regexp.MustCompile(fmt.Sprintf(`/kibitz-(\d+-)?%d\.`, pid))
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // others come and go
		}
		if d.IsDir() && mark.MatchString(path) {
			all = append(all, path)
		}
		return nil
	})
	return all
}

// leftovers waits for all processes of a run's programs to be gone and tells what is
// left of it: processes, temporary files, control groups, and what it may not change.
func (r *run) leftovers() []string {
	var left []process
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		left = nil
		for _, p := range processes() {
			if strings.HasPrefix(p.exe, r.dir+"/") {
				left = append(left, p)
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			break
		}
	}
	var out []string
	for _, p := range left {
		args, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
		out = append(out, fmt.Sprintf("process %d: %s", p.pid, strings.ReplaceAll(string(args), "\x00", " ")))
	}
	for _, f := range entries(r.temp()) {
		out = append(out, "temporary file "+f)
	}
	for _, g := range controlGroups(r.pid) {
		out = append(out, "control group "+g)
	}
	if b, err := os.ReadFile(filepath.Join(r.dir, "secret")); err != nil || string(b) != secret {
		out = append(out, "a file outside of all engines' folders was changed")
	}
	for _, f := range entries(filepath.Join(r.dir, "engine")) {
		if name := filepath.Base(f); name != "faultengine" && name != "core" { // the fault core is there to leave one
			out = append(out, "a file in the engine's folder: "+f)
		}
	}
	return out
}
