package wine

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

const (
	killTries = 200
	killPause = 10 * time.Millisecond
	// killQuiet is how often in a row none must be found: a process that executes
	// another program has no environment for a moment.
	killQuiet = 3
)

// kill ends every process of a prefix and returns when there is none.
func kill(prefix string) error {
	mark := []byte("\x00WINEPREFIX=" + prefix + "\x00")
	quiet := 0
	for range killTries {
		found := 0
		entries, err := os.ReadDir("/proc")
		if err != nil {
			return err
		}
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || pid == os.Getpid() {
				continue
			}
			env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
			if err != nil || !bytes.Contains(append([]byte{0}, env...), mark) {
				continue
			}
			found++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if quiet++; found > 0 {
			quiet = 0
		}
		if quiet == killQuiet {
			return nil
		}
		time.Sleep(killPause)
	}
	return fmt.Errorf("what Wine has started in %s does not end although it was killed", prefix)
}
