package proc

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// starved returns how many processes the kernel has killed since the machine was
// started because memory ran out, 0 if it does not say. The file comes in pieces of a page.
func starved() int64 {
	fd, err := unix.Open("/proc/vmstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(fd) //nolint:errcheck // it was only read
	var room [16 << 10]byte
	stat := room[:0]
	for len(stat) < len(room) {
		n, err := unix.Read(fd, room[len(stat):])
		if err != nil || n <= 0 {
			break
		}
		stat = room[:len(stat)+n]
	}
	_, rest, ok := bytes.Cut(stat, []byte("\noom_kill "))
	line, _, ended := bytes.Cut(rest, []byte("\n"))
	if !ok || !ended {
		return 0
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
