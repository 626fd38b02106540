//go:build !linux

package process

import "time"

// ThreadTime returns a function that says how much time has passed: here the
// processor time of one thread is not to be had.
func ThreadTime() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
