//go:build !linux

package engines

import "errors"

// AllowedProcessors refuses: this system has no such call.
func AllowedProcessors() ([]int, error) {
	return nil, errors.New("this system cannot bind engines to processors")
}
