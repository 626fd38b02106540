package store

import "time"

// Kept is a time as a store keeps it.
func Kept(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// When shows a time, nothing for none.
func When(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
