// Package nogo decides positions of NoGo.
package nogo

import (
	bot "kibitz/bot/nogo"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Most is the number of points that either side may still play on, together and
// counted once, from which on a position is tried.
const Most = 22

// room is how many of them a position of the search can tell apart: two bits for
// each, in one word.
const room = 32

// mostSeen bounds the positions that a search remembers, some 20 bytes each.
const mostSeen = 8 << 20

// Solver decides positions by search: whoever has no harmless point left has lost,
// and a point that is harmful stays so. Positions of one search differ only in the
// points that are left at its start, so that these are all that is remembered of
// one; whose turn it is follows from their number.
type Solver struct {
	seen          map[uint64]bool // whether the side to move wins
	number        [nogo.Points]uint8
	budget, nodes int64
	boards        [room + 1]nogo.Board
}

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{}, nil }

// Near reports whether few enough points are left.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*nogo.State)
	if !ok {
		return false
	}
	b := st.Board()
	return len(left(&b, make([]int, 0, room))) <= Most
}

// left appends the points that are harmless for one side at least.
func left(b *nogo.Board, dst []int) []int {
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Cell(p) == nogo.Empty && (b.Harmless(p, nogo.Black) || b.Harmless(p, nogo.White)) {
			dst = append(dst, p)
		}
	}
	return dst
}

// Solve finds out who wins.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*nogo.State)
	if !ok || !st.Turn().Seat.IsPlayer() {
		return exact.Verdict{}, false
	}
	b := st.Board()
	side := st.Side()
	if who := bot.Decided(&b, side); who != nogo.Empty {
		v := exact.Won(game.Seat(who-nogo.Black), "the eyes of the winner outnumber the points that the other side has left")
		v.Nodes = 1
		return v, true
	}
	points := left(&b, nil)
	if len(points) > room {
		return exact.Verdict{}, false
	}
	for i, p := range points {
		x.number[p] = uint8(i)
	}
	x.budget, x.nodes, x.seen = budget, 0, map[uint64]bool{}
	x.boards[0] = b
	win, ok := x.wins(0, side, 0)
	if !ok {
		return exact.Verdict{Nodes: x.nodes}, false
	}
	who := side
	if !win {
		who = nogo.Black + nogo.White - side
	}
	v := exact.Won(game.Seat(who-nogo.Black), plain.Count(len(points), "point")+" to play on searched to the end")
	x.budget += budget
	v.Line = x.line(side, win)
	v.Nodes, x.seen = x.nodes, nil
	return v, true
}

// wins reports whether the colour to move on a board wins; ok is false once the
// budget is spent.
func (x *Solver) wins(depth int, colour uint8, k uint64) (win, ok bool) {
	b, next := &x.boards[depth], &x.boards[depth+1]
	if x.nodes++; x.nodes > x.budget {
		return false, false
	}
	if !b.CanMove(colour) {
		return false, true
	}
	if who := bot.Decided(b, colour); who != nogo.Empty {
		return who == colour, true
	}
	if win, known := x.seen[k]; known {
		return win, true
	}
	other := nogo.Black + nogo.White - colour
	for p := b.At(0, 0); p < b.Bound() && !win; p++ {
		if b.Cell(p) != nogo.Empty || !b.Harmless(p, colour) {
			continue
		}
		next.Copy(b)
		next.Place(p, colour)
		w, ok := x.wins(depth+1, other, x.with(k, p, colour))
		if !ok {
			return false, false
		}
		win = !w
	}
	if len(x.seen) < mostSeen {
		x.seen[k] = win
	}
	return win, true
}

// with returns the key of a position with one stone more.
func (x *Solver) with(k uint64, p int, colour uint8) uint64 {
	return k | uint64(colour)<<(2*x.number[p])
}

// line plays on, the winner with a winning point, the loser with its first one.
func (x *Solver) line(colour uint8, win bool) (line []game.Move) {
	k := uint64(0)
	for depth := 0; ; depth++ {
		b, next := &x.boards[depth], &x.boards[depth+1]
		other := nogo.Black + nogo.White - colour
		found := false
		for p := b.At(0, 0); p < b.Bound() && !found; p++ {
			if b.Cell(p) != nogo.Empty || !b.Harmless(p, colour) {
				continue
			}
			next.Copy(b)
			next.Place(p, colour)
			if win {
				w, ok := x.wins(depth+1, other, x.with(k, p, colour))
				if !ok {
					return line
				}
				found = !w
			} else {
				found = true
			}
			if found {
				line = append(line, game.PlaceAt(game.Pt(b.XY(p))))
				k = x.with(k, p, colour)
			}
		}
		if !found {
			return line
		}
		colour, win = other, !win
	}
}
