//go:build !linux

package main

import "errors"

// allowedProcessors refuses: this system has no such call.
func allowedProcessors() ([]int, error) {
	return nil, errors.New("this system cannot bind engines to processors")
}
