package guard

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stat is what /proc tells of a process in one line; zero if it is gone.
type stat struct {
	state         byte
	parent, group int
	cpu           uint64 // ticks, of itself and of the children it has waited for
	started       uint64 // ticks since the machine's start
}

// ticks is how many of /proc's ticks there are in a second; every Linux has it so.
const ticks = 100

func statOf(pid int) stat {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}
	}
	// The name, in parentheses, may hold anything.
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 20 {
		return stat{}
	}
	num := func(i int) uint64 { n, _ := strconv.ParseUint(f[i], 10, 64); return n }
	return stat{
		state: f[0][0], parent: int(num(1)), group: int(num(2)),
		cpu: num(11) + num(12) + num(13) + num(14), started: num(19),
	}
}

// status is what is wanted of /proc/PID/status, in bytes and numbers.
type status struct {
	resident int64 // anonymous and shared memory, and what was swapped out
	peak     int64
	threads  int
	user     int
}

func statusOf(pid int) status {
	var s status
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return s
	}
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(line, ":")
		f := strings.Fields(value)
		if len(f) == 0 {
			continue
		}
		n, _ := strconv.ParseInt(f[0], 10, 64)
		switch key {
		case "RssAnon", "RssShmem", "VmSwap":
			s.resident += n << 10
		case "VmHWM":
			s.peak = n << 10
		case "Threads":
			s.threads = int(n)
		case "Uid":
			s.user = int(n)
		}
	}
	return s
}

// pids lists the processes of the machine.
func pids() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }()
	names, _ := d.Readdirnames(-1)
	out := make([]int, 0, len(names))
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// childrenOf lists the children of a process, its own zombies too.
func childrenOf(pid int) []int {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if files == nil {
		return childrenByScan(pid)
	}
	var out []int
	for _, f := range files {
		b, _ := os.ReadFile(f)
		for _, word := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(word); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// childrenByScan is for kernels that do not list children.
func childrenByScan(pid int) []int {
	var out []int
	for _, n := range pids() {
		if statOf(n).parent == pid {
			out = append(out, n)
		}
	}
	return out
}

// treeOf lists a process and what descends from it, as far as nobody in between has
// ended.
func treeOf(pid int) []int {
	out := []int{pid}
	for i := 0; i < len(out); i++ {
		out = append(out, childrenOf(out[i])...)
	}
	return out
}

// tasksOf counts the processes and threads of a user.
func tasksOf(user int) int {
	n := 0
	for _, pid := range pids() {
		if s := statusOf(pid); s.user == user {
			n += s.threads
		}
	}
	return n
}

// marked lists the processes whose mark begins with prefix; with whole it must be
// equal.
func marked(prefix string, whole bool) []int {
	var out []int
	for _, pid := range pids() {
		m := markOf(pid)
		if m != "" && (m == prefix || !whole && strings.HasPrefix(m, prefix)) {
			out = append(out, pid)
		}
	}
	return out
}

// markOf returns the mark in the environment with which a process was executed.
func markOf(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for len(b) > 0 {
		var one []byte
		one, b, _ = bytes.Cut(b, []byte{0})
		if m, ok := bytes.CutPrefix(one, []byte(markKey+"=")); ok {
			return string(m)
		}
	}
	return ""
}

// strays are the children of this process that it has not started: those that came
// back to it when their parents ended. Children that commands start for themselves
// stay in the program's own group.
func (w *Warden) strays() []int {
	own := syscall.Getpgrp()
	var out []int
	for _, pid := range childrenOf(os.Getpid()) {
		if adopted(pid) || statOf(pid).group == own {
			continue
		}
		if m := markOf(pid); m != "" && !strings.HasPrefix(m, w.id+".") {
			continue // another warden's
		}
		out = append(out, pid)
	}
	return out
}

// reapStrays takes the ended strays off the process table.
func (w *Warden) reapStrays() {
	family.born.Lock()
	defer family.born.Unlock()
	w.reap()
}

func (w *Warden) reap() {
	for _, pid := range w.strays() {
		if statOf(pid).state == 'Z' {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// sweepLimit is how long strays are looked for: each time those that were born
// meanwhile are found, and a chain of births loses its links faster than it grows.
// sweepPause lies between two looks.
const (
	sweepLimit = 5 * time.Second
	sweepPause = 2 * time.Millisecond
)

// sweep kills what carries a mark, or with all every mark that begins so and every
// stray, until nothing is left.
func (w *Warden) sweep(mark string, all bool) error {
	family.born.Lock()
	defer family.born.Unlock()
	for waited := time.Duration(0); waited < sweepLimit; waited += sweepPause {
		list := marked(mark, !all)
		if all {
			list = append(list, w.strays()...)
		}
		if !killAll(list) {
			w.reap()
			return nil
		}
		time.Sleep(sweepPause)
	}
	return errors.New("processes that the engine left behind do not end although they were killed")
}

// killAll kills processes and reports whether there was anybody to kill.
func killAll(list []int) bool {
	found := false
	for _, pid := range list {
		switch statOf(pid).state {
		case 0, 'X', 'Z':
		default:
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// endLost kills the marked processes whose Kibitz is gone and removes its temporary
// folders.
func (w *Warden) endLost() {
	for _, pid := range pids() {
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

// runs reports whether the Kibitz of a mark, or of a name made of its first two
// parts, is the process of that number still.
func runs(mark string) bool {
	f := strings.SplitN(mark, ".", 3)
	if len(f) < 2 {
		return true // no mark of ours
	}
	pid, err := strconv.Atoi(f[0])
	if err != nil {
		return true
	}
	s := statOf(pid)
	return s.state != 0 && s.state != 'Z' && strconv.FormatUint(s.started, 10) == f[1]
}
