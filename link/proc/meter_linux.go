package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link"
)

const (
	// relist is how long the list of the processes of a group is used.
	relist = time.Second
	// tick is the unit of processor time in /proc/PID/stat, the same on every
	// machine.
	tick = 10 * time.Millisecond
	// resetPeak is what makes the kernel forget the largest resident size, written
	// to /proc/PID/clear_refs.
	resetPeak = "5"
)

// gauge is what was read of a process while it ran.
type gauge struct {
	latest  link.Used
	known   bool      // something was read
	members []int     // the processes of its group
	listed  time.Time // when they were looked up
}

// note keeps a reading. It never goes back: what a process of the group had used is
// gone with it, unless another one waited for its end.
func (g *gauge) note(u link.Used) {
	g.latest = link.Used{CPU: max(u.CPU, g.latest.CPU), Peak: max(u.Peak, g.latest.Peak)}
	g.known = true
}

// Used implements link.Meter.
func (c *Conn) Used() (link.Used, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.measure()
	return c.gauge.latest, c.gauge.known
}

// measure takes a reading. The caller holds the lock, so that the process is not
// reaped and its number not somebody else's.
//
// A cell knows the time of everything that ever lived in it. Its peak is that of its
// whole life and holds files that the kernel keeps in memory, so it is asked for one
// only where the processes can no longer be read.
func (c *Conn) measure() {
	all, inCell := c.cell.Used()
	if inCell {
		c.gauge.note(link.Used{CPU: all.CPU})
	}
	if c.exit == nil {
		if u, ok := meter(c); ok {
			c.gauge.note(u)
		}
		return
	}
	end := c.usage
	if end.MaxRSS <= ownPeak() {
		end.MaxRSS = all.Peak // ours, of the moment before the child became the engine
	}
	c.gauge.note(link.Used{CPU: end.User + end.System, Peak: end.MaxRSS})
}

// ResetPeak implements link.Meter. The peak of processes that refuse stays that of
// their whole life.
func (c *Conn) ResetPeak() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gauge.latest.Peak = 0
	if c.exit != nil {
		return
	}
	for _, pid := range c.group() {
		if fd, err := unix.Open(procFile(pid, "clear_refs"), unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
			_, _ = unix.Write(fd, []byte(resetPeak))
			_ = unix.Close(fd)
		}
	}
}

// meter reads what the processes of a running group have used: the sum of their
// times and of their peaks, which may have been at different moments.
func meter(c *Conn) (link.Used, bool) {
	var sum link.Used
	known := false
	for _, pid := range c.group() {
		cpu, ok := cpuTime(pid)
		if !ok {
			continue
		}
		known = true
		sum.CPU += cpu
		sum.Peak += peak(pid)
	}
	return sum, known
}

// group returns the processes of the group, looked up again when that was long ago.
func (c *Conn) group() []int {
	g := &c.gauge
	if list := c.cell.Members(); list != nil {
		return list
	}
	if now := c.now(); g.members == nil || now.Sub(g.listed) >= relist {
		g.members, g.listed = members(c.pid), now
	}
	return g.members
}

// members lists the processes of a group, its leader first.
func members(group int) []int {
	list := []int{group}
	dir, err := os.Open("/proc")
	if err != nil {
		return list
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == group {
			continue
		}
		if g, err := unix.Getpgid(pid); err == nil && g == group {
			list = append(list, pid)
		}
	}
	return list
}

// cpuTime returns the processor time of a process and of those whose end it has
// waited for.
func cpuTime(pid int) (time.Duration, bool) {
	var room [1024]byte
	stat := readSmall(procFile(pid, "stat"), room[:])
	// The name, in brackets, may hold anything; fields are counted after it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return 0, false
	}
	var v [4]int64 // utime, stime, cutime, cstime
	for i := range v {
		var err error
		if v[i], err = strconv.ParseInt(string(fields[11+i]), 10, 64); err != nil {
			return 0, false
		}
	}
	own := time.Duration(v[0]+v[1]) * tick
	var exact unix.Timespec
	if unix.ClockGettime(processClock(pid), &exact) == nil {
		own = time.Duration(exact.Nano())
	}
	return own + time.Duration(v[2]+v[3])*tick, true
}

// processClock returns the clock of a process's time, which is finer than ticks:
// its number, inverted, above three bits that say which clock of it.
func processClock(pid int) int32 {
	const scheduled = 2
	return int32(^pid)<<3 | scheduled
}

// peak returns the largest resident size of a process, 0 if unknown.
func peak(pid int) int64 {
	var room [4096]byte
	status := readSmall(procFile(pid, "status"), room[:])
	const key = "\nVmHWM:"
	i := bytes.Index(status, []byte(key))
	if i < 0 {
		return 0
	}
	fields := bytes.Fields(status[i+len(key):])
	if len(fields) < 2 || string(fields[1]) != "kB" {
		return 0
	}
	kb, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kb << 10
}

// ownPeak returns our own largest resident size: what a child that became another
// program may have had before.
func ownPeak() int64 {
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	return ru.Maxrss << 10
}

// readSmall reads a file of the kernel into the room, as far as there is any. These
// files come in one piece.
func readSmall(path string, room []byte) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	n, err := unix.Read(fd, room)
	if err != nil {
		return nil
	}
	return room[:n]
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
