//go:build unix

package wine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// serverName is the name of the folder in which the server of a prefix has its socket,
// after the device and number of the prefix.
func serverName(prefix string) (string, bool) {
	var st syscall.Stat_t
	if err := syscall.Stat(prefix, &st); err != nil {
		return "", false
	}
	return fmt.Sprintf("server-%x-%x", uint64(st.Dev), st.Ino), true //nolint:unconvert // it is another number elsewhere
}

// serverFolder returns the folder of a prefix's server, empty if there is none. Wine
// has it in /tmp/.wine-USER, Debian's Wine in the user's runtime folder or in a folder
// of its own in /tmp.
func serverFolder(prefix string) string {
	name, ok := serverName(prefix)
	if !ok {
		return ""
	}
	uid := os.Getuid()
	for _, base := range []string{
		fmt.Sprintf("/tmp/.wine-%d", uid), fmt.Sprintf("/run/user/%d/wine*", uid), "/tmp/wine-*",
	} {
		dirs, _ := filepath.Glob(filepath.Join(base, name))
		for _, dir := range dirs {
			if st, err := os.Lstat(dir); err == nil && st.IsDir() && owner(st) == uid {
				return dir
			}
		}
	}
	return ""
}

func owner(st os.FileInfo) int {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// apart starts a program in a process group of its own, so that an interrupt at the
// terminal does not reach it, and kills the group when its time is over.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
