package amazons

import (
	"kibitz/game"
	"kibitz/games/amazons"
)

// Parting is the proof that a side has more turns left than the other one can ever
// make.
type Parting struct {
	Winner game.Seat
	// Low is how many turns the winner has where the other side cannot come, High
	// how many the other side has at most.
	Low, High int
	// Line are turns of the winner, moves and shots, in its own area alone.
	Line []game.Move
}

// Part looks for such a proof at the beginning of a turn, within about so many
// positions. Nodes is how many it looked at.
//
// The winner keeps to squares that the loser cannot reach even if all other amazons
// of the winner left their places; those that stand in the way of the loser never
// move. The loser has all the rest of the board for itself, which it fills one
// square with each turn.
func Part(b *amazons.Board, most int64) (proof Parting, nodes int64, ok bool) {
	p := look(b)
	f := filler{tick: func(n int64) bool { nodes += n; return nodes > most }}
	mover := b.Side()
	sides := [2][2]set{{p.own, p.other}, {p.other, p.own}}
	for i, s := range sides {
		seat := mover
		if i == 1 {
			seat = mover.Other()
		}
		low, line, high := f.compare(s[0], s[1], p.empty, i == 0)
		if low > high || i == 1 && low == high {
			proof = Parting{Winner: seat, Low: low, High: high}
			for _, t := range line {
				proof.Line = appendSteps(proof.Line, t)
			}
			return proof, nodes, true
		}
	}
	return proof, nodes, false
}

// compare returns the turns that own has for certain, a line of them, and a bound
// of those of other. It takes trouble only where that may decide.
func (f *filler) compare(own, other, empty set, toMove bool) (low int, line []turn, high int) {
	var frozen, reach set
	for {
		free := own.not(frozen)
		reach = flood(other, empty.or(free))
		caught := reach.and(free)
		if caught.empty() {
			break
		}
		frozen = frozen.or(caught)
	}
	mine := own.not(frozen)
	private := empty.not(reach)
	theirs := reach.and(empty)
	need := 0
	if toMove {
		need = 1
	}
	if private.count() == 0 || mine.empty() {
		return 0, nil, theirs.count()
	}
	for _, a := range areasOf(mine, private) {
		l, _ := f.longest(a)
		low += len(l)
		line = append(line, l...)
	}
	high = theirs.count()
	if low >= high+need {
		return low, line, high
	}
	high = 0
	for _, a := range areasOf(other, theirs) {
		l, proved := f.longest(a)
		if !proved {
			high += a.empty.count()
			continue
		}
		high += len(l)
	}
	return low, line, high
}
