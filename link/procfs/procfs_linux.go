package procfs

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of processor time in /proc/PID/stat, the same on every machine.
const tick = 10 * time.Millisecond

// Stat is what /proc tells of a process in one line; zero if it is gone.
type Stat struct {
	// State is the letter of the state, such as R, S, T, or Z for an ended process
	// that nobody has waited for, or one whose first thread alone has ended.
	State         byte
	Parent, Group int
	// Own is its processor time, Waited that of the children whose end it has
	// waited for, and theirs. Both are in steps of 10 ms.
	Own, Waited time.Duration
	// Started is when it was started, in hundredths of a second since the machine was.
	Started uint64
}

// StatOf reads the line of a process.
func StatOf(pid int) Stat {
	var room [1024]byte
	b := Read(File(pid, "stat"), room[:])
	// The name, in parentheses, may hold anything.
	var state byte
	var num [20]uint64
	n := 0
	for f := range bytes.FieldsSeq(b[bytes.LastIndexByte(b, ')')+1:]) {
		switch {
		case n == 0:
			state = f[0]
		case n < len(num):
			num[n], _ = strconv.ParseUint(string(f), 10, 64)
		}
		n++
	}
	if n < len(num) {
		return Stat{}
	}
	return Stat{
		State: state, Parent: int(num[1]), Group: int(num[2]),
		Own: time.Duration(num[11]+num[12]) * tick, Waited: time.Duration(num[13]+num[14]) * tick, Started: num[19],
	}
}

// CPU returns the processor time of a process and of those whose end it has waited
// for; false if it is gone. Its own is told by a clock that is finer than that of Stat.
func CPU(pid int) (time.Duration, bool) {
	s := StatOf(pid)
	if s.State == 0 {
		return 0, false
	}
	if own, ok := Clock(pid); ok {
		s.Own = own
	}
	return s.Own + s.Waited, true
}

// Clock returns the processor time of a process itself, to the nanosecond; false if it is
// gone.
func Clock(pid int) (time.Duration, bool) {
	var exact unix.Timespec
	err := unix.ClockGettime(processClock(pid), &exact)
	return time.Duration(exact.Nano()), err == nil
}

// Sched returns how long the threads of a process have run, and how long they could have
// and waited for a processor; false if it is gone or the kernel does not tell.
func Sched(pid int) (ran, waited time.Duration, ok bool) {
	tasks, err := os.ReadDir(File(pid, "task"))
	if err != nil {
		return 0, 0, false
	}
	for _, t := range tasks {
		var room [128]byte
		f := bytes.Fields(Read(File(pid, "task/"+t.Name()+"/schedstat"), room[:]))
		if len(f) < 2 {
			continue // the thread has ended
		}
		r, _ := strconv.ParseInt(string(f[0]), 10, 64)
		w, _ := strconv.ParseInt(string(f[1]), 10, 64)
		ran, waited, ok = ran+time.Duration(r), waited+time.Duration(w), true
	}
	return ran, waited, ok
}

// Threads lists the threads of a process; none if it is gone.
func Threads(pid int) []int {
	tasks, _ := os.ReadDir(File(pid, "task"))
	var list []int
	for _, t := range tasks {
		if n, err := strconv.Atoi(t.Name()); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// Stopped reports whether no thread of a process runs or waits for a processor: all have
// been stopped, or have ended.
func Stopped(pid int) bool {
	return !slices.ContainsFunc(Threads(pid), func(thread int) bool {
		state := StatOf(thread).State
		return state != 0 && !bytes.ContainsRune([]byte("TtZX"), rune(state))
	})
}

// Load is the mean number of threads of the machine that ran or could have run over the
// last minute; false where the system does not tell.
func Load() (float64, bool) {
	var room [128]byte
	f := bytes.Fields(Read("/proc/loadavg", room[:]))
	if len(f) == 0 {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(f[0]), 64)
	return x, err == nil
}

// processClock returns the clock of a process's time: its number, inverted, above three
// bits that say which clock of it.
func processClock(pid int) int32 {
	const scheduled = 2
	return int32(^pid)<<3 | scheduled
}

// Ended reports whether nothing of a process runs: of one whose first thread has
// ended the others may.
func Ended(pid int) bool {
	switch StatOf(pid).State {
	case 0, 'X':
		return true
	case 'Z':
		tasks, _ := os.ReadDir(File(pid, "task"))
		return len(tasks) < 2
	}
	return false
}

// Status is what is wanted of /proc/PID/status; zero if the process is gone.
type Status struct {
	Resident int64 // bytes of anonymous and shared memory, and of what was swapped out
	Threads  int
	User     int // the real one
}

// StatusOf reads the status of a process.
func StatusOf(pid int) Status {
	var room [4096]byte
	b := status(pid, room[:])
	return Status{
		Resident: (number(b, "RssAnon") + number(b, "RssShmem") + number(b, "VmSwap")) << 10,
		Threads:  int(number(b, "Threads")),
		User:     int(number(b, "Uid")),
	}
}

// Peak returns the largest resident size of a process in bytes since it was executed, or
// since ResetPeak; 0 if it is unknown.
func Peak(pid int) int64 {
	var room [4096]byte
	return number(status(pid, room[:]), "VmHWM") << 10
}

// ResetPeak makes the kernel forget the largest resident size of a process; one that
// refuses keeps it.
func ResetPeak(pid int) {
	fd, err := unix.Open(File(pid, "clear_refs"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	_, _ = unix.Write(fd, []byte("5"))
	_ = unix.Close(fd)
}

func status(pid int, room []byte) []byte {
	return ofThread(pid, "status", room, "\nVmHWM:")
}

// number returns the first number of a line of a status, 0 if there is none.
func number(status []byte, key string) int64 {
	key = "\n" + key + ":"
	i := bytes.Index(status, []byte(key))
	if i < 0 {
		return 0
	}
	line, _, _ := bytes.Cut(status[i+len(key):], []byte("\n"))
	word := bytes.TrimLeft(line, " \t")
	if end := bytes.IndexAny(word, " \t"); end >= 0 {
		word = word[:end]
	}
	n, err := strconv.ParseInt(string(word), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Variable returns a variable of the environment with which a process was executed,
// empty if there is none, or none that may be read.
func Variable(pid int, key string) string {
	var room [8192]byte
	b := ofThread(pid, "environ", room[:], "\x00")
	for len(b) > 0 {
		var one []byte
		one, b, _ = bytes.Cut(b, []byte{0})
		if name, value, ok := bytes.Cut(one, []byte("=")); ok && string(name) == key {
			return string(value)
		}
	}
	return ""
}

// ofThread returns a file of a process, or of the first of its threads with a good
// one: nothing is told of a process whose first thread has ended, although the
// others run on. A good one has the mark. The room stays on the caller's stack.
func ofThread(pid int, name string, room []byte, mark string) []byte {
	good := func(b []byte) bool { return bytes.Contains(b, []byte(mark)) }
	b := Read(File(pid, name), room)
	if good(b) || StatOf(pid).State != 'Z' {
		return b
	}
	for _, thread := range names(File(pid, "task")) {
		if t := Read(File(pid, "task/"+thread+"/"+name), nil); good(t) {
			return t
		}
	}
	return b
}

// Processes lists the processes of the machine.
func Processes() ([]int, error) {
	d, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	names, err := d.Readdirnames(-1)
	out := make([]int, 0, len(names))
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			out = append(out, n)
		}
	}
	return out, err
}

// Group lists the processes of a group, its leader first, also if it has ended.
func Group(leader int) []int {
	out := []int{leader}
	all, _ := Processes()
	for _, pid := range all {
		if g, err := unix.Getpgid(pid); err == nil && g == leader && pid != leader {
			out = append(out, pid)
		}
	}
	return out
}

// EachChild calls f for the children of a process, the ended ones too, as they are
// found.
func EachChild(pid int, f func(child int)) {
	var room [1024]byte
	listed := false
	for _, thread := range names(File(pid, "task")) {
		b := Read(File(pid, "task/"+thread+"/children"), room[:])
		listed = listed || b != nil
		for word := range strings.FieldsSeq(string(b)) {
			if n, err := strconv.Atoi(word); err == nil {
				f(n)
			}
		}
	}
	if !listed { // this kernel does not list them
		all, _ := Processes()
		for _, n := range all {
			if StatOf(n).Parent == pid {
				f(n)
			}
		}
	}
}

// names lists a folder of the kernel.
func names(dir string) (list []string) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd) //nolint:errcheck // it was only read
	var room [4096]byte
	for {
		n, err := unix.ReadDirent(fd, room[:])
		if err != nil || n <= 0 {
			return list
		}
		_, _, list = unix.ParseDirent(room[:n], -1, list)
	}
}

// Tree lists a process and what descends from it, as far as nobody in between has
// ended.
func Tree(pid int) []int {
	out := []int{pid}
	for i := 0; i < len(out); i++ {
		EachChild(out[i], func(child int) { out = append(out, child) })
	}
	return out
}

// File is the path of a file of a process.
func File(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// Read reads a file of the kernel into the room, elsewhere if that is too small; nil if
// there is none. These files come in one piece, and are never waited for: they do not
// pass by the runtime's poller.
func Read(path string, room []byte) []byte {
	if len(room) > 0 {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil
		}
		n, err := unix.Read(fd, room)
		_ = unix.Close(fd)
		if err != nil {
			return nil
		}
		if n < len(room) {
			return room[:n]
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return b
}
