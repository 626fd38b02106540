package main

import (
	"testing"
	"time"
)

// The time source never goes back and stays with both clocks of the system, also
// beyond the life of its anchor.
func TestNow(t *testing.T) {
	now := newNow()
	const slack = 100 * time.Millisecond // a wall clock may be set while the test runs, hardly by more
	last := now()
	for end := time.Now().Add(anchorFor + 200*time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
		before := time.Now()
		got := now()
		after := time.Now()
		if got.Before(last) || got.Before(before) || got.After(after) {
			t.Fatalf("%v is not between %v and %v, or before %v", got, before, after, last)
		}
		if wall := got.Round(0); wall.Before(before.Round(0).Add(-slack)) || wall.After(after.Round(0).Add(slack)) {
			t.Fatalf("by the wall clock %v is not between %v and %v", wall, before.Round(0), after.Round(0))
		}
		last = got
	}
}
