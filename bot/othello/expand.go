package othello

import (
	"context"
	"math/bits"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

const (
	// expandDepth is how deep positions are searched that a book is expanded by,
	// glanceDepth how deep it is seen whether a move is worth that.
	expandDepth = 18
	glanceDepth = 10
	// expandAll is the number of empty squares from which on all moves are worth it.
	expandAll = 57
	// expandEnd is the number of empty squares from which on a book is not expanded.
	expandEnd = 30
	// expandBatch is the number of positions whose moves are evaluated before it is
	// found anew which are next.
	expandBatch = 16
	// plyCost is how far the next ply puts a position back, in parts of a disc that
	// were lost on the way.
	plyCost = disc / 3
)

// Expand adds positions to the book, at least so many while there are any, without
// playing games. It goes on from where the book ends: first where a game is likely to
// come to, in which one seat plays by the book and the other makes small mistakes at
// most. Keep is given the book now and then. The same book and number make the same
// book. The book that comes with the program is put away for good.
func (p *Player) Expand(ctx context.Context, positions int) error {
	p.WithoutBook()
	setup := player.Setup{
		ID: "expand", Spec: game.Spec(othello.ID), Width: othello.Size, Height: othello.Size, Seat: game.Nobody,
		ToMove: game.First,
	}
	if err := p.NewGame(ctx, &setup); err != nil {
		return err
	}
	k := &p.engine.book
	if _, _, ok := k.find(othello.Start()); !ok {
		p.learnAt(othello.Start())
	}
	for want := len(k.pages) + positions; len(k.pages) < want; {
		ends := k.ends()
		if len(ends) == 0 {
			break
		}
		for _, end := range ends[:min(len(ends), expandBatch)] {
			p.expand(end.board)
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(k.pages) >= want {
				break
			}
		}
		if err := p.kept(); err != nil {
			return err
		}
	}
	return p.kept()
}

// learnAt searches a position and adds it to the book.
func (p *Player) learnAt(b othello.Board) {
	e := p.engine
	e.board = b
	e.prepare(&bot.Task{})
	e.list()
	e.rankRoots()
	var done iteration
	for depth := range p.depth {
		it := iteration{depth: depth + 1, silent: true}
		if !e.iterate(nil, &it, 1) {
			break
		}
		done = it
	}
	if best := e.roots[0]; done.depth > 0 {
		e.book.add(b, best.value, best.square, false)
	}
}

// expand learns the positions after the moves of a position that are worth it.
func (p *Player) expand(b othello.Board) {
	e := p.engine
	at, first, ok := e.book.find(b)
	if !ok {
		return
	}
	margin := 3 * disc
	if b.Empties() < 52 {
		margin = 3 * disc / 2
	}
	for m := b.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		next, sign, ok := moved(b, sq)
		if !ok {
			continue // the game is over
		}
		if _, _, known := e.book.find(next); known {
			continue
		}
		if sq != first && b.Empties() < expandAll && !e.promises(next, sign, int(at.value)-margin) {
			continue
		}
		p.learnAt(next)
	}
}

// promises reports whether a glance puts a position above a value. The sign is 1 if
// the value is meant for the side to move.
func (e *engine) promises(b othello.Board, sign, value int) bool {
	e.prepare(&bot.Task{})
	if sign > 0 {
		return e.search.mid(b, value, value+1, glanceDepth) > value
	}
	return -e.search.mid(b, -value-1, -value, glanceDepth) > value
}

// end is a position of the book whose best move leads out of it.
type end struct {
	bookKey
	cost int
}

// ends returns where the book ends for games in which one seat plays by it, the most
// likely first: where the other seat has lost little, and after few plies.
func (k *book) ends() []end {
	var ends []end
	// cost of a position by the seat that plays by the book.
	layer := map[bookKey][2]int{{othello.Start(), game.First}: {}}
	for len(layer) > 0 {
		below := map[bookKey][2]int{}
		for at, cost := range layer {
			if k.below(at, cost, below) {
				ends = append(ends, end{at, min(cost[0], cost[1])})
			}
		}
		layer = below
	}
	slices.SortFunc(ends, func(a, b end) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return order(a.board, b.board)
	})
	return ends
}

// never is the cost of what is not played by the book.
const never = 1 << 30

// below puts the positions after one of the book into the layer below, and reports
// whether its best move leads out of the book.
func (k *book) below(at bookKey, cost [2]int, layer map[bookKey][2]int) (open bool) {
	p, first, ok := k.find(at.board)
	if !ok || p.exact || at.board.Empties() < expandEnd {
		return false
	}
	best, _ := k.value(at.board, at.seat)
	for m := at.board.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		next, sign, ok := moved(at.board, sq)
		if !ok {
			continue
		}
		seat := at.seat
		if sign < 0 {
			seat = seat.Other()
		}
		v, known := k.value(next, seat)
		if !known {
			open = open || sq == first
			continue
		}
		loss := best - sign*v
		c := cost
		for i := range c {
			switch {
			case c[i] == never || game.Seat(i) == at.seat && loss > vary(at.board):
				c[i] = never
			default:
				c[i] += plyCost + loss
			}
		}
		if c[0] == never && c[1] == never {
			continue
		}
		next, _ = upright(next)
		if was, ok := layer[bookKey{next, seat}]; ok {
			c[0], c[1] = min(c[0], was[0]), min(c[1], was[1])
		}
		layer[bookKey{next, seat}] = c
	}
	return open
}
