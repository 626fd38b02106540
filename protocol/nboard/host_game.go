package nboard

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/ggf"
)

// gameText is the running game as an engine is told it.
type gameText struct {
	version int // of the protocol
	names   [2]string
	seat    game.Seat // whose engine is told
	board   ggf.Board
	empties int // of the start position
	clocks  [2]clock.Clock
	steps   []record.Step
}

// begin takes the game from a set-up with its start position.
func (g *gameText) begin(start ggf.Board, s *player.Setup) {
	g.board, g.empties = start, len(start.Cells)-start.Discs()
	g.names, g.seat, g.steps = s.Names, s.Seat, g.steps[:0]
	for i := range s.History {
		g.add(&s.History[i])
	}
	g.clocks = s.Clocks
}

func (g *gameText) add(u *player.Update) {
	for _, m := range u.Steps {
		if m.Op != game.Place && m.Op != game.Pass {
			continue
		}
		st := record.Step{By: u.By, Move: m, Used: u.Used, Timed: !u.Forced && u.Used > 0, Forced: u.Forced}
		// The protocol carries only the receiver's own evaluations.
		if u.By == g.seat && u.Info != nil && u.Info.Eval.Known() {
			st.Info = &game.Info{Eval: u.Info.Eval}
		}
		g.steps = append(g.steps, st)
	}
	g.clocks = u.Clocks
}

func (g *gameText) rewind(u *player.Update) {
	g.steps = g.steps[:max(0, len(g.steps)-u.Rewind)]
	g.clocks = u.Clocks
}

// timed reports whether the engine's seat has a clock.
func (g *gameText) timed() bool {
	return g.seat.IsPlayer() && !g.clocks[g.seat].Control.None()
}

// appendMoves appends the moves from a step on.
func (g *gameText) appendMoves(b []byte, from int) []byte {
	for i := from; i < len(g.steps); i++ {
		st := &g.steps[i]
		a := Answer{Move: st.Move, Valid: true, Time: st.Used, Timed: st.Timed}
		if st.Info != nil {
			a.Eval = st.Info.Eval
		}
		b = AppendMove(b, g.version, &a)
	}
	return b
}

// appendAll appends the whole game, under a date.
func (g *gameText) appendAll(b []byte, date time.Time) ([]byte, error) {
	// A game text never ends in a pass: old engines drop it and think for the
	// wrong side.
	n := len(g.steps)
	for n > 0 && g.steps[n-1].Move.Op == game.Pass {
		n--
	}
	b = append(b, "set game "...)
	b, err := ggf.Append(b, g.record(n, date))
	if err != nil {
		return b, err
	}
	return g.appendMoves(append(b, '\n'), n), nil
}

// record returns the game with its first n steps as the engine is told it.
func (g *gameText) record(n int, date time.Time) *record.Game {
	r := &record.Game{
		Spec: GameID, Place: "Kibitz", Date: date.UTC().Format("2006-01-02 15:04:05"),
		Names: [2]string{ggf.Name(g.names[0]), ggf.Name(g.names[1])},
		Steps: g.steps[:n],
	}
	if !g.board.Standard() {
		r.Start = g.board.Text()
	}
	// The writer makes them one tag if they are equal.
	r.Tags = []record.Tag{
		{Key: "TB", Value: g.initialClock(game.First).String()},
		{Key: "TW", Value: g.initialClock(game.Second).String()},
	}
	return r
}

// noClock is the time that engines are told when there is no clock: every game
// text names one, and an engine may take a missing or zero clock for no time at
// all.
const noClock = 10 * time.Hour

// initialClock returns the clock that a seat would have begun with: what it has
// now, plus what it used, less what it was given. An engine that subtracts the
// times of the moves arrives at what is left, also after a restart or a resumed
// game.
func (g *gameText) initialClock(seat game.Seat) ggf.Clock {
	k := g.clocks[seat]
	c := k.Control
	var used time.Duration
	turns := 0
	for i := range g.steps {
		if st := &g.steps[i]; st.By == seat && st.Timed {
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
		left = c.Turn * time.Duration(g.ownTurns(len(g.steps)))
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
func (g *gameText) ownTurns(n int) int {
	left := g.empties
	for i := range g.steps[:n] {
		if g.steps[i].Move.Op == game.Place {
			left--
		}
	}
	return max(1, (left+1)/2)
}
