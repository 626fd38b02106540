package plain

import (
	"fmt"
	"time"
)

// Span prints seconds with the digits that matter: 1.2s, 350ms, 20µs.
func Span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	for unit := time.Second; unit > time.Nanosecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.String()
}

// Megabytes prints a size in the unit in which limits are given.
func Megabytes(n int64) string {
	mb := float64(n) / (1 << 20)
	if mb < 10 {
		return fmt.Sprintf("%.1f MB", mb)
	}
	return fmt.Sprintf("%.0f MB", mb)
}
