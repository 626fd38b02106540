package guard

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"kibitz/link/procfs"
)

// family are the children of this program: those that cells have started and that are
// not waited for yet, and what tells whose the others are. The kernel keeps one list
// of children for the whole program, and so does this.
var family struct {
	// born is held for reading between the birth of a child and its entry, for
	// writing while orphans are looked for.
	born    sync.RWMutex
	mu      sync.Mutex
	engines map[int]bool
	marks   map[string]bool  // of the open cells that have no control group
	groups  map[*groups]bool // in which the orphans of the others live
}

func register(pid int) {
	family.mu.Lock()
	defer family.mu.Unlock()
	if family.engines == nil {
		family.engines = map[int]bool{}
	}
	family.engines[pid] = true
}

func unregister(pid int) {
	family.mu.Lock()
	defer family.mu.Unlock()
	delete(family.engines, pid)
}

func registered(pid int) bool {
	family.mu.Lock()
	defer family.mu.Unlock()
	return family.engines[pid]
}

// allowMark tells whether orphans with this mark may live.
func allowMark(mark string, live bool) {
	family.mu.Lock()
	defer family.mu.Unlock()
	if family.marks == nil {
		family.marks = map[string]bool{}
	}
	if live {
		family.marks[mark] = true
	} else {
		delete(family.marks, mark)
	}
}

// allowGroups tells whether orphans in these groups may live.
func allowGroups(g *groups, live bool) {
	family.mu.Lock()
	defer family.mu.Unlock()
	if family.groups == nil {
		family.groups = map[*groups]bool{}
	}
	if live && g != nil {
		family.groups[g] = true
	} else {
		delete(family.groups, g)
	}
}

// allowed reports whether an orphan belongs to an open cell: it bears the mark of one
// that has no group, or is in the group of one that has.
func allowed(pid int, mark string) bool {
	family.mu.Lock()
	defer family.mu.Unlock()
	if family.marks[mark] {
		return true
	}
	for g := range family.groups {
		if g.holds(pid) {
			return true
		}
	}
	return false
}

// orphanScan looks for orphans: children of this program that it has not started, and that
// came back to it when their parents ended. Whatever has left an engine's tree is one
// of them or descends from one.
type orphanScan struct {
	// all tells that no orphan may live, else those of open cells may.
	all bool
	// hasty tells that an orphan without a mark is killed at first sight. Otherwise
	// it must lack it twice: there is none for a moment while a program is executed.
	hasty   bool
	without map[int]bool
}

// scanResult is what a scan at the orphans came upon.
type scanResult struct{ killed, ended, doubtful int }

// scan takes the ended orphans off the process table and kills those that may not
// live. Children that commands start for themselves are in the program's own group,
// which no engine can join, being in a session of its own. The caller holds
// family.born.
func (h *orphanScan) scan() scanResult {
	var c scanResult
	own := syscall.Getpgrp()
	without := map[int]bool{}
	procfs.EachChild(os.Getpid(), func(pid int) {
		if registered(pid) {
			return
		}
		s := procfs.StatOf(pid)
		if s.Group == own {
			return
		}
		if s.State == 'Z' {
			// It may be that only its first thread has ended.
			if got, _ := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); got == pid {
				c.ended++
				return
			}
		}
		if !h.all {
			mark := markOf(pid)
			if allowed(pid, mark) {
				return
			}
			if mark == "" && !h.hasty && !h.without[pid] {
				without[pid] = true
				c.doubtful++
				return
			}
		}
		c.killed++
		for _, p := range procfs.Tree(pid) {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	})
	h.without = without
	return c
}

// How orphans are looked for: with a pause between two looks, since the killed need a
// moment to go, but in haste if there is no end of them, since a chain of processes
// that each start the next and end is as quick. Who is only ever seen ended was
// perhaps a chain of a cell that is open: mostDoubts are enough.
const (
	scanPause  = 2 * time.Millisecond
	hasteFrom  = 5
	hasteTo    = 2000
	mostScans  = 4000
	mostDoubts = 50
)

// killAllOrphans kills the orphans that belong to no open cell, or with all every orphan and
// whoever else bears a mark of this supervisor, until nothing is left.
func (w *Supervisor) killAllOrphans(all bool) error {
	family.born.Lock()
	defer family.born.Unlock()
	h := orphanScan{all: all}
	doubts := 0
	for n := range mostScans {
		c := h.scan()
		if c == (scanResult{}) && all && killAll(marked(w.id+".")) {
			c.killed++
		}
		if c.killed == 0 {
			if doubts++; c == (scanResult{}) || doubts > mostDoubts {
				return nil
			}
		}
		if h.hasty = n >= hasteFrom; !h.hasty || n > hasteTo {
			time.Sleep(scanPause)
		}
	}
	return errors.New("processes that the engine left behind do not end although they were killed")
}

// killAll kills processes and reports whether there was anybody to kill.
func killAll(list []int) bool {
	found := false
	for _, pid := range list {
		if syscall.Kill(pid, syscall.SIGKILL) == nil && !procfs.Ended(pid) {
			found = true
		}
	}
	return found
}

// killAbandoned kills the marked processes whose Kibitz is gone and removes its temporary
// folders.
func (w *Supervisor) killAbandoned() {
	all, _ := procfs.Processes()
	for _, pid := range all {
		if m := markOf(pid); m != "" && !runs(m) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	dirs, _ := filepath.Glob(filepath.Join(w.where, "kibitz-cells-*"))
	for _, dir := range dirs {
		if !runs(strings.TrimPrefix(filepath.Base(dir), "kibitz-cells-")) {
			_ = removeAll(dir)
		}
	}
}

// ownID is the number of this process, before it where that number counts, and behind
// it when the process was started, in ticks since the machine's start: together they
// name it for as long as the machine runs.
func ownID() string {
	pid := os.Getpid()
	return ownSpace() + "-" + strconv.Itoa(pid) + "." + strconv.FormatUint(procfs.StatOf(pid).Started, 10)
}

// ownSpace is the number of the PID namespace in which this process runs.
func ownSpace() string {
	s, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(strings.TrimPrefix(s, "pid:"), "[]")
}

// runs reports whether the Kibitz of a mark, or of a name made of its first two
// parts, is the process of that number still. One in a container cannot be asked and
// is left alone.
func runs(mark string) bool {
	f := strings.SplitN(mark, ".", 3)
	if len(f) < 2 {
		return true // no mark of ours
	}
	space, number, _ := strings.Cut(f[0], "-")
	pid, err := strconv.Atoi(number)
	if err != nil || space != ownSpace() {
		return true
	}
	s := procfs.StatOf(pid)
	return s.State != 0 && s.State != 'Z' && strconv.FormatUint(s.Started, 10) == f[1]
}
