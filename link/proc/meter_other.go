//go:build !linux

package proc

import "kibitz/link"

// gauge is nothing where a running process is not read.
type gauge struct{}

func (gauge) close() {}

// Used implements link.Meter: it is known once the process has ended.
func (c *Conn) Used() (link.Used, bool) {
	end, ended := c.Usage()
	if !ended {
		return link.Used{}, false
	}
	return link.Used{CPU: end.User + end.System, Peak: end.MaxRSS}, true
}

// Begin implements link.Meter; this system cannot begin a peak anew.
func (c *Conn) Begin() (link.Used, bool) { return c.Used() }

// lastReading is of nothing where a running process is not read.
func (c *Conn) lastReading() {}

func (c *Conn) lastSched() {}

// Sched implements link.Scheduled; this system does not tell.
func (c *Conn) Sched() (link.Sched, bool) { return link.Sched{}, false }
