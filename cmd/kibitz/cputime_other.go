//go:build !linux

package main

import "time"

// threadTime returns a function that says how much time has passed: here the
// processor time of one thread is not to be had.
func threadTime() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
