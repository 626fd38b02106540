//go:build unix && !linux

package proc

import "errors"

// Bind refuses: this system has no such call.
func Bind(processors []int) (restore func() error, err error) {
	if len(processors) == 0 {
		return func() error { return nil }, nil
	}
	return nil, errors.New("this system cannot bind a process to processors")
}
