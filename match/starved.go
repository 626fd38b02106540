package match

import (
	"fmt"
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

// watchSched takes a first reading before a turn that has a limit, and may be long enough
// to be lost by waiting.
func (r *referee) watchSched(seat game.Seat, limit time.Duration) {
	s := &r.sched[seat]
	if s.known || s.from == nil || limit == clock.Unlimited || limit < schedEvery {
		return
	}
	s.base, s.known = s.from.Sched()
	if !s.known {
		s.from = nil // this system does not tell
	}
}

// addSched notes the time of a turn, and takes another reading after enough of it.
func (r *referee) addSched(seat game.Seat, used time.Duration) {
	s := &r.sched[seat]
	if !s.known {
		return
	}
	if s.since += used; s.since < schedEvery {
		return
	}
	s.base, s.known = s.from.Sched()
	s.since = 0
}

// starved says what a seat that lost on time had waited for in its last turn, and notes
// the game as one that it may have lost by the machine. What it may have waited in the
// turns since the last reading is taken off: the rest it did wait in this one. Threads
// of an engine that had a processor's worth of time among them waited for each other.
func (r *referee) starved(seat game.Seat, used, limit time.Duration) string {
	s := &r.sched[seat]
	if !s.known {
		return ""
	}
	now, ok := s.from.Sched()
	if !ok {
		return ""
	}
	ran := max(0, now.Ran-s.base.Ran)
	waited := max(0, min(now.Waited-s.base.Waited-s.since, used-ran))
	x := Starved{Seat: seat, Waited: waited, Over: max(0, used-limit)}
	if x.Waited > x.Over {
		r.out.Starved = &x
	}
	text := fmt.Sprintf("; %s on a processor, %s waiting for one",
		ran.Round(time.Millisecond), x.Waited.Round(time.Millisecond))
	if r.g.Load == nil {
		return text
	}
	if load, ok := r.g.Load(); ok {
		text += fmt.Sprintf(", load of the machine %.1f", load)
	}
	return text
}
