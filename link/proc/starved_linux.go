package proc

import (
	"bytes"
	"os"
	"strconv"
)

// starved returns how many processes the kernel has killed since the machine was
// started because memory ran out, 0 if it does not say.
func starved() int64 {
	stat, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0
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
