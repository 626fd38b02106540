//go:build !linux

package procfs

// Load is not known here.
func Load() (float64, bool) { return 0, false }
