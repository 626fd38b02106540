package replay

import (
	"slices"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// Turn is a run of decisions of one seat, with what chance decided in it and the attempts
// that did not stand: one entry of a list of moves. Its decisions are Steps[From:To] of
// the line, and it leads from position From to position To.
type Turn struct{ From, To int }

// Turns returns the turns of the line in order. The last one may not be complete.
func (l *Line) Turns() []Turn {
	var out []Turn
	for i := range l.Steps {
		if n := len(out); n == 0 || l.ended[i-1] {
			out = append(out, Turn{From: i, To: i + 1})
		} else {
			out[n-1].To = i + 1
		}
	}
	return out
}

// Ended reports whether decision n (from 1) completed a turn.
func (l *Line) Ended(n int) bool { return l.ended[n-1] }

// Played returns how many turns a game has that was played, those of its opening
// included; none if nobody decided anything but what was given.
func (l *Line) Played() int {
	if !slices.ContainsFunc(l.Steps, func(s record.Step) bool { return s.By.IsPlayer() && !s.Opening && !s.Refused }) {
		return 0
	}
	return len(l.Turns())
}

// TurnEnds reports whether the decision that led to a state completed a turn: the game is
// over, or the next decision is the first of another turn.
func TurnEnds(s rules.State) bool {
	t := s.Turn()
	return t.Seat == game.Nobody || t.Step == 0
}
