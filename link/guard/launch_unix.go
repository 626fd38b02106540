//go:build unix && !linux

package guard

import "syscall"

// Launch executes a program as the only engine of the cell.
func (c *Cell) Launch(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	return forkExec(path, argv, attr)
}
