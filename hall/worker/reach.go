package worker

import (
	"sync"
	"time"
)

const (
	// doubtful is the age of the latest sign of a hall from which no flag falls that would have
	// fallen after it, unreached that from which no hall could certainly take a move since: what
	// is shorter is on the clocks. A hall whose services are slow and work gives signs that are
	// younger than unreached.
	doubtful  = 900 * time.Millisecond
	unreached = 2 * time.Second
	// reachEvery is how often that is looked at.
	reachEvery = 100 * time.Millisecond
)

// holder is a seat of somebody whose answers come through a hall.
type holder interface {
	Hold(last time.Time, certain bool)
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
	sure  time.Time     // until when what came has been passed on
	doubt bool          // perhaps not since then
	since time.Time     // from when time does not count, zero while it does
	spent time.Duration // how long in all halls gave no sign, before last
	freed time.Time     // when they gave one again after none for unreached
	seats map[holder]bool
}

func newReach(now func() time.Time, told func(since time.Time, on bool)) *reach {
	return &reach{now: now, told: told, seats: map[holder]bool{}}
}

// beat takes a sign of a hall that could take moves so long ago, and has passed on what came
// before a time that is waits ago.
func (r *reach) beat(age, waits time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if at := now.Add(-age); at.After(r.last) {
		if gap := at.Sub(r.last); !r.last.IsZero() && gap >= doubtful {
			r.spent += gap - doubtful
			if gap >= unreached {
				r.freed = now
			}
		}
		r.last = at
	}
	at := now.Add(-max(age, waits))
	fresh := at.After(r.sure)
	if fresh {
		r.sure = at
	}
	r.judge(fresh)
}

func (r *reach) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge(false)
}

// judge holds, or lets go; fresh tells that more is sure. mu is held.
func (r *reach) judge(fresh bool) {
	if r.last.IsZero() {
		return
	}
	now := r.now()
	silent := now.Sub(r.last)
	switch held := silent >= unreached; {
	case held && r.since.IsZero():
		r.since, fresh = r.last, true
		r.told(r.since, true)
	case !held && !r.since.IsZero():
		r.told(r.since, false)
		r.since, fresh = time.Time{}, true
		r.release()
	}
	was := r.doubt
	r.doubt = now.Sub(r.sure) >= doubtful
	switch {
	case r.doubt && (fresh || !was):
		for s := range r.seats {
			r.hold(s)
		}
	case was && !r.doubt:
		r.release()
	}
}

func (r *reach) release() {
	for s := range r.seats {
		s.Release(r.last)
	}
}

// add lets the time of a seat depend on halls.
func (r *reach) add(s holder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seats[s] = true
	if r.doubt {
		r.hold(s)
	}
}

func (r *reach) hold(s holder) {
	if r.since.IsZero() {
		s.Hold(r.sure, false)
		return
	}
	s.Hold(r.since, true)
}

func (r *reach) remove(s holder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seats, s)
}

// held reports whether it is not known that halls could hear somebody at a time; if it is,
// since when after a long silence, zero if there was none.
func (r *reach) held(at time.Time) (on bool, freed time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.since.IsZero() || r.doubt && r.sure.Before(at), r.freed
}

// heldFor is how long in all halls gave no sign.
func (r *reach) heldFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.IsZero() {
		return 0
	}
	return r.spent + max(0, r.now().Sub(r.last)-doubtful)
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
