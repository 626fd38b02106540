package match

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// schedEvery is how much thinking time passes between two readings of how an engine was
// scheduled: a reading costs tens of microseconds.
const schedEvery = 50 * time.Millisecond

// Starved tells of a game lost on time by an engine that had to wait for a processor.
type Starved struct {
	Seat game.Seat
	// Waited is at least how long it waited in the turn that it lost by, Over by how much
	// it overstepped its time there.
	Waited, Over time.Duration
}

// scheduled is what is known of how the engine of a seat was scheduled.
type scheduled struct {
	from  player.Scheduled // nil without
	base  player.Sched     // at the last reading
	known bool
	since time.Duration // the seat's time since then
}

// watch takes a first reading before a turn that has a limit, and may be long enough to
// be lost by waiting.
func (s *scheduled) watch(limit time.Duration) {
	if s.known || s.from == nil || limit == clock.Unlimited || limit < schedEvery {
		return
	}
	s.base, s.known = s.from.Sched()
	if !s.known {
		s.from = nil // this system does not tell
	}
}

// add notes the time of a turn, and takes another reading after enough of it.
func (s *scheduled) add(used time.Duration) {
	if !s.known {
		return
	}
	if s.since += used; s.since < schedEvery {
		return
	}
	s.base, s.known = s.from.Sched()
	s.since = 0
}

// last says how long the engine ran and waited in the turn that it lost by. What it may
// have waited in the turns since the last reading is taken off: the rest it did wait in
// this one. Threads of an engine that had a processor's worth of time among them waited
// for each other.
func (s *scheduled) last(used time.Duration) (ran, waited time.Duration, ok bool) {
	if !s.known {
		return 0, 0, false
	}
	now, ok := s.from.Sched()
	ran = max(0, now.Ran-s.base.Ran)
	return ran, max(0, min(now.Waited-s.base.Waited-s.since, used-ran)), ok
}
