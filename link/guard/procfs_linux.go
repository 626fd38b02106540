package guard

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	b := ofThread(pid, "status", func(b []byte) bool { return bytes.Contains(b, []byte("\nVmHWM:")) })
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

// ofThread returns a file of a process in /proc, or of the first of its threads with
// a good one: nothing is told of a process whose first thread has ended, although the
// others run on.
func ofThread(pid int, name string, good func([]byte) bool) []byte {
	dir := "/proc/" + strconv.Itoa(pid)
	b, err := os.ReadFile(dir + "/" + name)
	if err != nil || good(b) || statOf(pid).state != 'Z' {
		return b
	}
	files, _ := filepath.Glob(dir + "/task/*/" + name)
	for _, f := range files {
		if t, err := os.ReadFile(f); err == nil && good(t) {
			return t
		}
	}
	return b
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

// eachChild calls f for the children of a process, its zombies too, as they are found.
func eachChild(pid int, f func(child int)) {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if files == nil {
		for _, n := range childrenByScan(pid) {
			f(n)
		}
	}
	for _, file := range files {
		b, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(word); err == nil {
				f(n)
			}
		}
	}
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
		eachChild(out[i], func(child int) { out = append(out, child) })
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

// marked lists the processes whose mark begins with prefix.
func marked(prefix string) []int {
	var out []int
	for _, pid := range pids() {
		if strings.HasPrefix(markOf(pid), prefix) {
			out = append(out, pid)
		}
	}
	return out
}

// markOf returns the mark in the environment with which a process was executed, empty
// if there is none, or none that may be read.
func markOf(pid int) string {
	b := ofThread(pid, "environ", func(b []byte) bool { return len(b) > 0 })
	for len(b) > 0 {
		var one []byte
		one, b, _ = bytes.Cut(b, []byte{0})
		if m, ok := bytes.CutPrefix(one, []byte(markKey+"=")); ok {
			return string(m)
		}
	}
	return ""
}
