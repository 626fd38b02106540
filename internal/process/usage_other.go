//go:build !unix

package process

import "time"

// Usage is not known on this system.
func Usage() (cpu time.Duration, peak int64) { return 0, 0 }
