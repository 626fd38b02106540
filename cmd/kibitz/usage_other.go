//go:build !unix

package main

import "time"

// ownUsage is not known on this system.
func ownUsage() (cpu time.Duration, peak int64) { return 0, 0 }
