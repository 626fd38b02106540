package proc

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link"
	"kibitz/link/procfs"
)

// relist is how long the list of the processes of a group is used.
const relist = time.Second

// gauge is what was read of a process while it ran.
type gauge struct {
	latest  link.Used
	known   bool // something was read
	sched   link.Sched
	waits   bool      // sched was asked for and is known
	members []int     // the processes of its group
	listed  time.Time // when they were looked up
	read    []int     // the processes of the latest reading
	taken   time.Time // when that was
	first   *procfs.Process
	over    bool         // what could be read is gone
	freed   *unix.CPUSet // the processors that it had before it was bound, nil unless it is
}

// process is the first process of the group.
func (g *gauge) process(pid int) *procfs.Process {
	if g.first == nil {
		g.first = procfs.Watch(pid)
	}
	return g.first
}

func (g *gauge) close() {
	g.over = true
	if g.first != nil {
		g.first.Close()
	}
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
	c.measure(true)
	return c.gauge.latest, c.gauge.known
}

// sameReading is how long the reading at the end of a game serves as that at the beginning
// of the next.
const sameReading = time.Millisecond

// Begin implements link.Meter. The peak of processes that refuse stays that of their
// whole life.
func (c *Conn) Begin() (link.Used, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := &c.gauge
	if g.over {
		return g.latest, g.known
	}
	g.latest.Peak = 0
	if c.exit != nil || c.now().Sub(g.taken) >= sameReading {
		c.measure(false)
	}
	if c.exit == nil {
		for _, pid := range g.read {
			if pid == c.pid {
				g.process(pid).ResetPeak()
			} else {
				procfs.ResetPeak(pid)
			}
		}
	}
	return g.latest, g.known
}

// stopSteps is how often, a millisecond apart, threads are looked at that are to stop.
const stopSteps = 1000

// lastReading reads what can only be read while the process runs. How long a thread waited
// at last the kernel tells when the thread gets a processor, and of all threads but the
// first of a process no more when they have ended. So they are stopped before they are
// read, which each of them is when it has got one.
func (c *Conn) lastReading() {
	c.Used()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gauge.waits || c.exit != nil {
		return
	}
	list := c.group()
	threads := 0
	for _, pid := range list {
		threads += len(procfs.Threads(pid))
	}
	if threads > 1 && unix.Kill(-c.pid, unix.SIGSTOP) == nil {
		runs := func(pid int) bool { return !procfs.Stopped(pid) }
		for i := 0; i < stopSteps && slices.ContainsFunc(list, runs); i++ {
			c.mu.Unlock()
			time.Sleep(time.Millisecond)
			c.mu.Lock()
		}
	}
	if c.exit == nil {
		c.readSched()
	}
}

// Sched implements link.Scheduled.
func (c *Conn) Sched() (link.Sched, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit == nil {
		c.readSched()
	}
	return c.gauge.sched, c.gauge.waits
}

// lastSched reads of a process that has ended and is not reaped: only now it is told how
// long a thread waited at last, which the kernel adds when the thread gets a processor.
// The caller holds the lock.
func (c *Conn) lastSched() {
	if c.gauge.waits {
		c.readSched()
	}
}

// readSched takes a reading, which never goes back: what threads that have ended had
// waited is gone with them. The caller holds the lock.
func (c *Conn) readSched() {
	var sum link.Sched
	for _, pid := range c.group() {
		if ran, waited, ok := procfs.Sched(pid); ok {
			sum.Ran, sum.Waited = sum.Ran+ran, sum.Waited+waited
			c.gauge.waits = true
		}
	}
	was := &c.gauge.sched
	was.Ran, was.Waited = max(was.Ran, sum.Ran), max(was.Waited, sum.Waited)
}

// measure takes a reading. The caller holds the lock, so that the process is not
// reaped and its number not somebody else's.
//
// A cell knows the time of everything that ever lived in it. Its peak is that of its
// whole life and holds files that the kernel keeps in memory, so it is asked for one
// only where the processes can no longer be read.
func (c *Conn) measure(peaks bool) {
	if c.gauge.over {
		return
	}
	all, inCell := c.cell.CPU()
	if inCell {
		c.gauge.note(link.Used{CPU: all})
	}
	if c.exit == nil {
		if u, ok := c.meter(inCell, peaks); ok {
			c.gauge.note(u)
		}
		return
	}
	end := c.usage
	if end.MaxRSS <= ownPeak() {
		end.MaxRSS = c.cell.Peak() // ours, of the moment before the child became the engine
	}
	c.gauge.note(link.Used{CPU: end.User + end.System, Peak: end.MaxRSS})
}

// meter reads what the processes of a running group have used: the sum of their
// times and of their peaks, which may have been at different moments. The times of those
// that have ended are left to the cell, where there is one.
func (c *Conn) meter(inCell, peaks bool) (link.Used, bool) {
	var sum link.Used
	known, time := false, procfs.CPU
	if inCell {
		time = procfs.Clock
	}
	c.gauge.read, c.gauge.taken = c.group(), c.now()
	for _, pid := range c.gauge.read {
		cpu, ok := time(pid)
		if !ok {
			continue
		}
		known = true
		sum.CPU += cpu
		switch {
		case !peaks:
		case pid == c.pid:
			sum.Peak += c.gauge.process(pid).Peak()
		default:
			sum.Peak += procfs.Peak(pid)
		}
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
		g.members, g.listed = procfs.Group(c.pid), now
	}
	return g.members
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
