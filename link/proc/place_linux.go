package proc

import (
	"golang.org/x/sys/unix"

	"kibitz/link"
	"kibitz/link/procfs"
)

var _ link.Placed = (*Conn)(nil)

// Place implements link.Placed.
func (c *Conn) Place(processors, all []int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit != nil {
		return false
	}
	list := c.group()
	if alone := len(list) == 1 && list[0] == c.pid && procfs.StatusOf(c.pid).Threads == 1; !alone || len(processors) == 0 {
		if c.gauge.freed != nil {
			for _, pid := range list {
				setAll(pid, c.gauge.freed)
			}
			c.gauge.freed = nil
		}
		return false
	}
	if c.gauge.freed == nil {
		var now unix.CPUSet
		if unix.SchedGetaffinity(c.pid, &now) != nil || now != setOf(all) {
			return false
		}
		c.gauge.freed = &now
	}
	set := setOf(processors)
	return unix.SchedSetaffinity(c.pid, &set) == nil
}

// setAll binds all threads of a process.
func setAll(pid int, set *unix.CPUSet) {
	for _, tid := range procfs.Threads(pid) {
		_ = unix.SchedSetaffinity(tid, set)
	}
}
