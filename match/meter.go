package match

import (
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// What makes the referee say that an engine works in its opponent's time. It looks
// where a reading costs nothing beside the turn, and says so once a game.
const (
	// idleTurn is how long the opponent's turns must be on average.
	idleTurn = 100 * time.Millisecond
	// idleFirst is from which of its turns on: engines that compile themselves while
	// they run, or tidy up, have done so by then.
	idleFirst = 4
	// idleTotal is how long those turns must be together, idleShare how much of it
	// the engine must have worked.
	idleTotal = 2 * time.Second
	idleShare = 0.5
)

// meters reads what the processes of the players consume.
type meters struct {
	list  [2]player.Meter
	began [2]player.Used
	known [2]bool // a reading was taken when the game began
	// waits are the opponent's turns of each seat that were watched, worked the
	// processor time that the seat used in them.
	waits, worked [2]time.Duration
	turns         [2]int
	talkers       [2]player.Flooder
	floods        [2]int64 // before the game
}

// startMeters takes the first reading. Players are ready by now: what it costs to start
// them is no part of the game.
func (r *referee) startMeters() {
	for s := range r.g.Sides {
		if f, ok := r.g.Sides[s].Player.(player.Flooder); ok {
			r.meters.talkers[s], r.meters.floods[s] = f, f.Floods()
		}
		r.sched[s].from, _ = r.g.Sides[s].Player.(player.Scheduled)
		m, ok := r.g.Sides[s].Player.(player.Meter)
		if !ok {
			continue
		}
		m.ResetPeak()
		r.meters.list[s] = m
		r.meters.began[s], r.meters.known[s] = m.Used()
	}
}

// readMeters takes the last reading.
func (r *referee) readMeters() {
	r.warnFloods()
	for s, m := range r.meters.list {
		if m == nil || !r.meters.known[s] {
			continue
		}
		u, ok := m.Used()
		if !ok {
			continue
		}
		r.out.Resources[s] = journal.Resources{Known: true, CPU: max(0, u.CPU-r.meters.began[s].CPU), Memory: u.Peak}
		r.warnBusy(game.Seat(s))
	}
}

// readIdle takes a reading of a seat's opponent before the seat thinks, where the
// turn is likely to be long.
func (r *referee) readIdle(seat game.Seat) (player.Used, bool) {
	m, idle := &r.meters, seat.Other()
	if m.list[idle] == nil || r.g.Sides[idle].Ponder {
		return player.Used{}, false
	}
	m.turns[seat]++
	if n := m.turns[seat]; n <= idleFirst || r.out.Used[seat] < time.Duration(n)*idleTurn {
		return player.Used{}, false
	}
	return m.list[idle].Used()
}

// addIdle takes the reading after the seat has thought.
func (r *referee) addIdle(seat game.Seat, before player.Used, used time.Duration) {
	m, idle := &r.meters, seat.Other()
	if after, ok := m.list[idle].Used(); ok {
		m.waits[idle] += used
		m.worked[idle] += after.CPU - before.CPU
	}
}

// warnBusy tells of an engine that works while its opponent thinks.
func (r *referee) warnBusy(seat game.Seat) {
	waits, worked := r.meters.waits[seat], r.meters.worked[seat]
	if waits < idleTotal || worked.Seconds() < idleShare*waits.Seconds() {
		return
	}
	r.warn(seat, "used %s of processor time in %s of the opponent's thinking time, although it was not told to ponder",
		worked.Round(100*time.Millisecond), waits.Round(100*time.Millisecond))
}

// warnFloods tells of engines that said more in a turn than is kept.
func (r *referee) warnFloods() {
	for s, f := range r.meters.talkers {
		if f == nil {
			continue
		}
		switch n := f.Floods() - r.meters.floods[s]; {
		case n == 1:
			r.warn(game.Seat(s), "printed more between two commands than its log keeps, once")
		case n > 1:
			r.warn(game.Seat(s), "printed more between two commands than its log keeps, %d times", n)
		}
	}
}
