//go:build unix && !linux

package proc

import "errors"

// bind refuses: this system has no such call.
func bind(processors []int) (restore func(), err error) {
	if len(processors) == 0 {
		return func() {}, nil
	}
	return nil, errors.New("this system cannot bind a process to processors")
}
