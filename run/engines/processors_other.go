//go:build !linux

package engines

import "errors"

// AllowedProcessors refuses: this system has no such call.
func AllowedProcessors() ([]int, error) {
	return nil, errors.New("this system cannot bind engines to processors")
}

// Here is unknown on this system.
func Here() int { return -1 }

// Thread is unknown on this system.
func Thread() int { return 0 }

// Hold refuses: this system has no such call.
func Hold([]int) (free func(), err error) {
	return nil, errors.New("this system cannot bind threads to processors")
}
