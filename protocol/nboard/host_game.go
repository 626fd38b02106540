package nboard

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/record"
	"kibitz/record/ggf"
)

// appendChanges appends what the engine does not know yet: the moves since it was
// told, or the whole game.
func (h *Host) appendChanges(b []byte) ([]byte, error) {
	if !h.reset && !h.opt.stateless {
		for i := h.told; i < len(h.steps); i++ {
			b = h.appendStep(b, &h.steps[i])
		}
		return b, nil
	}
	// A game text never ends in a pass: old engines drop it and think for the
	// wrong side.
	n := len(h.steps)
	for n > 0 && h.steps[n-1].Move.Op == game.Pass {
		n--
	}
	g := h.record(n)
	b = append(b, "set game "...)
	b, err := ggf.Append(b, g)
	if err != nil {
		return b, err
	}
	b = append(b, '\n')
	for i := n; i < len(h.steps); i++ {
		b = h.appendStep(b, &h.steps[i])
	}
	return b, nil
}

func (h *Host) appendStep(b []byte, st *record.Step) []byte {
	a := Answer{Move: st.Move, Valid: true, Time: st.Used, Timed: st.Timed}
	if st.Info != nil {
		a.Eval = st.Info.Eval
	}
	return AppendMove(b, h.opt.version, &a)
}

// record returns the game with its first n steps as the engine is told it.
func (h *Host) record(n int) *record.Game {
	g := &record.Game{
		Spec: GameID, Place: "Kibitz", Date: h.cfg.Now().UTC().Format("2006-01-02 15:04:05"),
		Names: [2]string{ggf.Name(h.names[0]), ggf.Name(h.names[1])},
		Steps: h.steps[:n],
	}
	if !h.board.Standard() {
		g.Start = h.board.Text()
	}
	// The writer makes them one tag if they are equal.
	g.Tags = []record.Tag{
		{Key: "TB", Value: h.initialClock(game.First).String()},
		{Key: "TW", Value: h.initialClock(game.Second).String()},
	}
	return g
}

// noClock is the time that engines are told when there is no clock: every game
// text names one, and an engine may take a missing or zero clock for no time at
// all.
const noClock = 10 * time.Hour

// initialClock returns the clock that a seat would have begun with: what it has
// now, plus what it used, less what it was given. An engine that subtracts the
// times of the moves arrives at what is left, also after a restart or a resumed
// game.
func (h *Host) initialClock(seat game.Seat) ggf.Clock {
	k := h.clocks[seat]
	c := k.Control
	var used time.Duration
	turns := 0
	for i := range h.steps {
		if st := &h.steps[i]; st.By == seat && st.Timed {
			used += st.Used
			turns++
		}
	}
	var left time.Duration
	switch {
	case c.None():
		left = noClock
	case c.Timed():
		left = k.Remaining() + c.Delay
		if k.Stage == clock.InOvertime {
			left = k.Left - c.Overtime // below zero by what was used of the grace
		}
	default: // a limit for each turn: the moves to come, each with its limit
		left = c.Turn * time.Duration(h.ownTurns(len(h.steps)))
	}
	inc := c.Increment
	start := max(0, left+used-inc*time.Duration(turns)).Round(time.Millisecond)
	return ggf.Clock{
		Initial:   ggf.Part{Time: start, Given: true},
		Increment: ggf.Part{Time: inc, Given: inc > 0},
		Extension: ggf.Part{Time: c.Overtime, Given: c.Overtime > 0},
	}
}

// ownTurns returns how many turns each side still has at most after n steps: half
// the empty squares, rounded up.
func (h *Host) ownTurns(n int) int {
	left := h.empties
	for i := range h.steps[:n] {
		if h.steps[i].Move.Op == game.Place {
			left--
		}
	}
	return max(1, (left+1)/2)
}
