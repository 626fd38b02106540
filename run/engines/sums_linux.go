package engines

import (
	"io/fs"
	"syscall"
	"time"
)

// stateOf is what a system tells of a file.
func stateOf(info fs.FileInfo) fileState {
	s := fileState{size: info.Size(), modified: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.device, s.inode, s.changed = st.Dev, st.Ino, time.Unix(st.Ctim.Unix())
	}
	return s
}
