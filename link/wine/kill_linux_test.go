package wine

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kibitz/link/procfs"
)

// Whatever group a process has gone to, its prefix tells that it belongs to an engine;
// those of other prefixes live on.
func TestKill(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "1")
	start := func(prefix string) *exec.Cmd {
		cmd := exec.Command("sleep", "60")
		cmd.Env = []string{"A=1", "WINEPREFIX=" + prefix, "B=2"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 6000 && procfs.Variable(cmd.Process.Pid, "WINEPREFIX") != prefix; n++ {
			time.Sleep(10 * time.Millisecond) // it has no environment until its program is loaded
		}
		return cmd
	}
	mine, other := start(prefix), start(prefix+"0")
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	ended := make(chan error, 1)
	go func() { ended <- mine.Wait() }()
	if err := kill(prefix); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the process lives")
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("a process of another prefix: %v", err)
	}
}
