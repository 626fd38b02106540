//go:build !linux

package proc

import "kibitz/link"

// gauge is nothing where a running process is not read.
type gauge struct{}

// Used implements link.Meter: it is known once the process has ended.
func (c *Conn) Used() (link.Used, bool) {
	end, ended := c.Usage()
	if !ended {
		return link.Used{}, false
	}
	return link.Used{CPU: end.User + end.System, Peak: end.MaxRSS}, true
}

// ResetPeak implements link.Meter; this system cannot.
func (c *Conn) ResetPeak() {}
