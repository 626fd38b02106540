package gamebase

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kibitz/game"
)

// Count is what became of some games, as the seat on turn in a position sees it.
type Count struct {
	Games, Wins, Draws, Losses int
	// Score is the sum of the differences on the board of Scored games.
	Scored int
	Score  float64
	// Last is the year of the latest, 0 if none is known.
	Last int
}

func (c *Count) add(g *Game, seat game.Seat) {
	if !seat.IsPlayer() {
		seat = game.First
	}
	c.Games++
	c.Last = max(c.Last, g.Year())
	r := g.Result
	if r == nil {
		return
	}
	switch w := r.Winner(); {
	case w == seat:
		c.Wins++
	case w.IsPlayer():
		c.Losses++
	case r.Draw():
		c.Draws++
	}
	if r.HasBoard {
		c.Scored++
		c.Score += r.Board[seat] - r.Board[seat.Other()]
	}
}

func (c *Count) join(o Count) {
	c.Games += o.Games
	c.Wins += o.Wins
	c.Draws += o.Draws
	c.Losses += o.Losses
	c.Scored += o.Scored
	c.Score += o.Score
	c.Last = max(c.Last, o.Last)
}

// Decided returns how many games have a known result.
func (c *Count) Decided() int { return c.Wins + c.Draws + c.Losses }

// Mean returns the mean difference on the board, NaN without any.
func (c *Count) Mean() float64 {
	if c.Scored == 0 {
		return math.NaN()
	}
	return c.Score / float64(c.Scored)
}

// Points returns the mean match score from 0 to 1, NaN without any.
func (c *Count) Points() float64 {
	if c.Decided() == 0 {
		return math.NaN()
	}
	return (float64(c.Wins) + float64(c.Draws)/2) / float64(c.Decided())
}

// Look is what a base knows of a position.
type Look struct {
	// All are the games that came to the position. One that came there again and
	// went on otherwise counts twice.
	All Count
	// Ended are those that ended in it.
	Ended Count
	// Moves are the moves that were played, the most frequent first.
	Moves []Played
}

// Played is a move that was played in a position.
type Played struct {
	// Move stands for Same too, if the position is symmetric: decisions that are
	// images of each other.
	Move game.Move
	Same []game.Move
	Count
	// Latest are numbers of games in which it was played, those added last first.
	Latest []int64
}

// Look returns what was played in a position, with the numbers of up to so many
// games for each move.
func (b *Base) Look(ctx context.Context, p Place, examples int) (*Look, error) {
	list, err := b.at(ctx, p.Key)
	if err != nil {
		return nil, err
	}
	l := &Look{}
	for _, t := range list {
		l.All.join(t.Count)
		if t.move == 0 {
			l.Ended = t.Count
			continue
		}
		same := p.Moves(t.move)
		m := Played{Move: same[0], Same: same[1:], Count: t.Count}
		for _, id := range slices.Backward(t.ids[max(0, len(t.ids)-examples):]) {
			m.Latest = append(m.Latest, int64(id))
		}
		l.Moves = append(l.Moves, m)
	}
	slices.SortStableFunc(l.Moves, func(x, y Played) int {
		return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(y.Last, x.Last), cmp.Compare(pack(x.Move), pack(y.Move)))
	})
	return l, nil
}

// Reached returns how many games came to a position, by whatever order of moves.
func (b *Base) Reached(ctx context.Context, p Place) (int, error) {
	list, err := b.at(ctx, p.Key)
	n := 0
	for _, t := range list {
		n += t.Games
	}
	return n, err
}
