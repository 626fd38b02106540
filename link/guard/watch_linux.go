package guard

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"kibitz/link/procfs"
)

// How often a cell with limits that the kernel does not keep is looked at, and how
// many looks go by between two at its files.
const (
	lookEvery  = 20 * time.Millisecond
	filesEvery = 10
)

// mostEntries is how many files the private folder may hold: looking at more would
// cost more than they are worth.
const mostEntries = 20_000

// watch looks at the cell until it is closed, if there is a limit that is not the
// kernel's to keep.
func (c *Cell) watch() {
	l := &c.limits
	memory := l.Memory > 0 && !c.group.weighs()
	tasks := l.Processes > 0 && !c.group.counts()
	if !memory && l.Processes == 0 && l.CPUTime == 0 && l.Temp == 0 {
		return
	}
	c.watched = make(chan struct{})
	go func() {
		defer close(c.watched)
		t := time.NewTicker(lookEvery)
		defer t.Stop()
		var h orphanScan
		for n := 0; ; n++ {
			select {
			case <-c.done:
				return
			case <-t.C:
			}
			if n%filesEvery == 0 {
				c.w.killOrphans(&h) // nobody is to evade the limits by leaving his cell
			}
			text := c.look(memory, tasks)
			if text == "" && l.Temp > 0 && n%filesEvery == 0 {
				text = c.files()
			}
			if text != "" {
				c.reached.CompareAndSwap(nil, &text)
				c.kill()
				return
			}
		}
	}()
}

// killOrphans looks once for orphans that belong to no open cell and kills them.
func (w *Supervisor) killOrphans(h *orphanScan) {
	family.born.Lock()
	defer family.born.Unlock()
	h.scan()
}

// look returns the limit that the processes exceed.
func (c *Cell) look(memory, tasks bool) string {
	l := &c.limits
	if text := c.group.reached(l); text != "" {
		return text // the kernel has refused a process, and the engine lives on
	}
	if memory || tasks {
		var bytes int64
		n := 0
		for _, pid := range c.members() {
			s := procfs.StatusOf(pid)
			bytes += s.Resident
			n += s.Threads
		}
		if memory && bytes > l.Memory {
			return fmt.Sprintf("used %s of memory; its limit is %s", Bytes(bytes), l.mostMemory())
		}
		if tasks && n > l.Processes {
			return fmt.Sprintf("had %d processes and threads; its limit is %d", n, l.Processes)
		}
	}
	if l.CPUTime > 0 {
		if used := c.cpu(); used > l.CPUTime {
			return overTime(used, l.CPUTime)
		}
	}
	return ""
}

// overTime tells of an engine that has used too much processor time.
func overTime(used, limit time.Duration) string {
	return fmt.Sprintf("used %.2f s of processor time; its limit is %.2f s", used.Seconds(), limit.Seconds())
}

// files returns the limit that the private folder exceeds.
func (c *Cell) files() string {
	bytes := c.deleted()
	n := 0
	_ = filepath.WalkDir(c.temp, func(_ string, d fs.DirEntry, err error) error {
		if n++; n > mostEntries {
			return filepath.SkipAll
		}
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += st.Blocks * 512
			}
		}
		return nil
	})
	switch {
	case bytes > c.limits.Temp:
		return fmt.Sprintf("put %s into its temporary folder; its limit is %s", Bytes(bytes), Bytes(c.limits.Temp))
	case n > mostEntries:
		return fmt.Sprintf("put more than %d files into its temporary folder", mostEntries)
	}
	return ""
}

// deleted is what the files hold that are deleted but still open, where the private
// folder is.
func (c *Cell) deleted() int64 {
	var here syscall.Stat_t
	if syscall.Stat(c.temp, &here) != nil {
		return 0
	}
	sizes := map[uint64]int64{} // the same file may be open twice
	for _, pid := range c.members() {
		open, _ := filepath.Glob(procfs.File(pid, "fd/*"))
		for _, name := range open {
			var st syscall.Stat_t
			if syscall.Stat(name, &st) == nil && st.Nlink == 0 && st.Dev == here.Dev && st.Mode&syscall.S_IFMT == syscall.S_IFREG {
				sizes[st.Ino] = st.Blocks * 512
			}
		}
	}
	var sum int64
	for _, n := range sizes {
		sum += n
	}
	return sum
}

// Members lists the processes of the cell, those that have left the engine's process
// group included; nil where only a control group could tell.
func (c *Cell) Members() []int {
	if c.group == nil {
		return nil
	}
	return c.members()
}

// members lists the processes of the cell: the engine's tree, and the orphans that bear
// its mark, where there is no control group.
func (c *Cell) members() []int {
	if c.group != nil {
		return slices.DeleteFunc(c.group.members(), func(pid int) bool { return pid == c.first })
	}
	out := procfs.Tree(c.pid)
	if c.first != 0 { // to which orphans come
		out = append(out, slices.DeleteFunc(procfs.Tree(c.first), func(pid int) bool { return pid == c.first })...)
	}
	procfs.EachChild(os.Getpid(), func(pid int) {
		if !registered(pid) && markOf(pid) == c.mark {
			out = append(out, procfs.Tree(pid)...)
		}
	})
	return out
}

// kill ends what is in the cell without waiting.
func (c *Cell) kill() {
	if c.group != nil {
		c.group.kill()
		return
	}
	if c.first != 0 {
		_ = syscall.Kill(c.first, syscall.SIGKILL)
	}
	for _, pid := range c.members() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// cpu is the processor time that the cell has used, as far as its processes are
// known.
func (c *Cell) cpu() time.Duration {
	if used, ok := c.CPU(); ok {
		return used
	}
	var sum time.Duration
	for _, pid := range c.members() {
		cpu, _ := procfs.CPU(pid)
		sum += cpu
	}
	return sum
}

// CPU returns the processor time of everything that ever lived in the cell, as its control
// group knows it; false where there is none, or none any more.
func (c *Cell) CPU() (time.Duration, bool) {
	if c.group == nil {
		return 0, false
	}
	return c.group.cpu()
}

// Peak returns the largest memory of the cell's control group in bytes, 0 where it is not
// counted.
func (c *Cell) Peak() int64 {
	if c.group == nil {
		return 0
	}
	peak, _ := c.group.peak()
	return peak
}
