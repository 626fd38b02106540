package worker

import (
	"sync"
	"time"
)

const (
	// doubtful is the age of the latest sign of a hall from which no flag falls any more,
	// unreached that from which no hall could certainly take a move since: what is shorter
	// is on the clocks.
	doubtful  = 900 * time.Millisecond
	unreached = 2 * time.Second
	// reachEvery is how often that is looked at.
	reachEvery = 100 * time.Millisecond
)

// holder is a seat of somebody whose answers come through a hall.
type holder interface {
	Hold(since time.Time)
	Release(now time.Time)
}

// reach knows until when halls could take moves, as their beats tell, and holds the
// clocks of those who play through them when none can. A worker that has never heard a beat
// holds nothing.
type reach struct {
	now func() time.Time
	// told hears of the beginning and the end of a time in which no hall could.
	told func(since time.Time, on bool)

	mu    sync.Mutex
	last  time.Time     // until when halls could take moves; zero before the first beat
	on    bool          // flags do not fall
	began time.Time     // when that began
	spent time.Duration // how long that lasted in all, before it began
	freed time.Time     // when time counted again
	since time.Time     // from when time does not count, zero while it does
	seats map[holder]bool
}

func newReach(now func() time.Time, told func(since time.Time, on bool)) *reach {
	return &reach{now: now, told: told, seats: map[holder]bool{}}
}

// beat takes a sign of a hall that could take moves so long ago.
func (r *reach) beat(age time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := r.now().Add(-age); at.After(r.last) {
		r.last = at
	}
	r.judge()
}

// look looks at the time.
func (r *reach) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge()
}

// judge holds, or lets go; mu is held.
func (r *reach) judge() {
	if r.last.IsZero() {
		return
	}
	now := r.now()
	silent := now.Sub(r.last)
	switch {
	case silent < doubtful:
		if !r.on {
			return
		}
		for s := range r.seats {
			s.Release(r.last)
		}
		if !r.since.IsZero() {
			r.told(r.since, false)
			r.freed = now
		}
		r.spent += now.Sub(r.began)
		r.on, r.since = false, time.Time{}
		return
	case silent >= unreached && r.since.IsZero():
		r.since = r.last
		r.told(r.since, true)
	case r.on:
		return
	}
	if !r.on {
		r.on, r.began = true, now
	}
	r.holdAll()
}

func (r *reach) holdAll() {
	for s := range r.seats {
		s.Hold(r.since)
	}
}

// add lets the time of a seat depend on halls.
func (r *reach) add(s holder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seats[s] = true
	if r.on {
		s.Hold(r.since)
	}
}

func (r *reach) remove(s holder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seats, s)
}

// held reports whether no hall may be able to take what somebody does; if one is, since when
// after a time that did not count, zero if there was none.
func (r *reach) held() (on bool, freed time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.on, r.freed
}

// heldFor is how long in all no hall may have been able to take what somebody does.
func (r *reach) heldFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on {
		return r.spent + r.now().Sub(r.began)
	}
	return r.spent
}

// watch looks again and again until over is closed.
func (r *reach) watch(over <-chan struct{}) {
	tick := time.NewTicker(reachEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			r.look()
		case <-over:
			return
		}
	}
}
