package procfs

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Held is a file of the kernel that stays open: each reading is one call. It is opened by
// the first one. Its methods may be called at the same time.
type Held struct {
	path string
	mode int

	mu     sync.Mutex
	fd     int
	opened bool
}

// Hold returns the file at a path, to be read.
func Hold(path string) *Held { return &Held{path: path, mode: unix.O_RDONLY, fd: -1} }

// Read returns what the file says now, in the room if there is enough; nil if it cannot
// be read, or is closed.
func (h *Held) Read(room []byte) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch n, err := unix.Pread(h.open(), room, 0); {
	case err != nil:
		return nil
	case n == len(room):
		return Read(h.path, nil)
	default:
		return room[:n]
	}
}

// write writes to the start of the file; nothing is told if it cannot.
func (h *Held) write(p []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _ = unix.Pwrite(h.open(), p, 0)
}

// open returns the descriptor, -1 if there is none.
func (h *Held) open() int {
	if !h.opened {
		h.opened = true
		if fd, err := unix.Open(h.path, h.mode|unix.O_CLOEXEC, 0); err == nil {
			h.fd = fd
		}
	}
	return h.fd
}

// Close closes the file for good.
func (h *Held) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.opened = true; h.fd >= 0 {
		_ = unix.Close(h.fd)
		h.fd = -1
	}
}

// Process is one whose largest size is asked for again and again: its files stay open.
type Process struct {
	pid           int
	status, reset *Held
}

// Watch returns a process that runs.
func Watch(pid int) *Process {
	return &Process{pid: pid, status: Hold(File(pid, "status")), reset: &Held{path: File(pid, "clear_refs"), mode: unix.O_WRONLY, fd: -1}}
}

// Peak is that of the function Peak.
func (p *Process) Peak() int64 {
	var room [4096]byte
	if n := number(p.status.Read(room[:]), "VmHWM"); n > 0 {
		return n << 10
	}
	return Peak(p.pid) // its first thread has ended
}

// ResetPeak is that of the function ResetPeak.
func (p *Process) ResetPeak() { p.reset.write([]byte("5")) }

// Close closes the files.
func (p *Process) Close() {
	p.status.Close()
	p.reset.Close()
}
