//go:build !linux

package engines

import "io/fs"

// stateOf is what a system tells of a file: here its size and the time when it was written.
func stateOf(info fs.FileInfo) fileState {
	return fileState{size: info.Size(), modified: info.ModTime()}
}
