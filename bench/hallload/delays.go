//go:build linux

package main

import "time"

// delays counts delays by the millisecond; what is longer than the last place counts
// there. The zero value is empty.
type delays struct {
	counts [30_000]uint32
	n      uint64
	most   time.Duration
}

// add counts a delay; clocks of two processes may differ by less than a millisecond, so
// that one below 0 counts as 0.
func (d *delays) add(x time.Duration) {
	i := min(max(0, int(x/time.Millisecond)), len(d.counts)-1)
	d.counts[i]++
	d.n++
	d.most = max(d.most, x)
}

// at returns the delay that a part of all, from 0 to 1, do not exceed, rounded up to a
// millisecond.
func (d *delays) at(part float64) time.Duration {
	want, sum := part*float64(d.n), uint64(0)
	for i, c := range &d.counts {
		if sum += uint64(c); c > 0 && float64(sum) >= want {
			return time.Duration(i+1) * time.Millisecond
		}
	}
	return 0
}
