package match

import (
	"fmt"
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
	sides *[2]Side
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

// start takes the first reading. Players are ready by now: what it costs to start them is
// no part of the game.
func (m *meters) start(sides *[2]Side) {
	m.sides = sides
	for s := range sides {
		if f, ok := sides[s].Player.(player.Flooder); ok {
			m.talkers[s], m.floods[s] = f, f.Floods()
		}
		if p, ok := sides[s].Player.(player.Meter); ok {
			m.list[s] = p
			m.began[s], m.known[s] = p.Begin()
		}
	}
}

// total takes the last reading: what the game took.
func (m *meters) total(seat game.Seat) (x journal.Resources) {
	if m.list[seat] == nil || !m.known[seat] {
		return x
	}
	if u, ok := m.list[seat].Used(); ok {
		x = journal.Resources{Known: true, CPU: max(0, u.CPU-m.began[seat].CPU), Memory: u.Peak}
	}
	return x
}

// readIdle takes a reading of a seat's opponent before the seat thinks, where the turn is
// likely to be long by the time that the seat has used so far.
func (m *meters) readIdle(seat game.Seat, used time.Duration) (player.Used, bool) {
	idle := seat.Other()
	if m.list[idle] == nil || m.sides[idle].Ponder {
		return player.Used{}, false
	}
	m.turns[seat]++
	if n := m.turns[seat]; n <= idleFirst || used < time.Duration(n)*idleTurn {
		return player.Used{}, false
	}
	return m.list[idle].Used()
}

// addIdle takes the reading after the seat has thought.
func (m *meters) addIdle(seat game.Seat, before player.Used, used time.Duration) {
	idle := seat.Other()
	if after, ok := m.list[idle].Used(); ok {
		m.waits[idle] += used
		m.worked[idle] += after.CPU - before.CPU
	}
}

// busy is what there is to say of an engine that works while its opponent thinks.
func (m *meters) busy(seat game.Seat) string {
	waits, worked := m.waits[seat], m.worked[seat]
	if waits < idleTotal || worked.Seconds() < idleShare*waits.Seconds() {
		return ""
	}
	return fmt.Sprintf("used %s of processor time in %s of the opponent's thinking time, although it was not told to ponder",
		worked.Round(100*time.Millisecond), waits.Round(100*time.Millisecond))
}

// flooded is what there is to say of an engine that said more in a turn than is kept.
func (m *meters) flooded(seat game.Seat) string {
	if m.talkers[seat] == nil {
		return ""
	}
	const text = "printed more between two commands than its log keeps, "
	switch n := m.talkers[seat].Floods() - m.floods[seat]; {
	case n == 1:
		return text + "once"
	case n > 1:
		return fmt.Sprintf(text+"%d times", n)
	}
	return ""
}
