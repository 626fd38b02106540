package wine

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"kibitz/link/procfs"
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
	quiet := 0
	for range killTries {
		found := 0
		all, err := procfs.Processes()
		if err != nil {
			return err
		}
		for _, pid := range all {
			if pid == os.Getpid() || procfs.Variable(pid, "WINEPREFIX") != prefix {
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
