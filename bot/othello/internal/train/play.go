package main

import (
	"math/bits"
	"math/rand/v2"

	"kibitz/bot/othello/internal/pattern"
	"kibitz/games/othello"
)

// sample is a position with the score the game ended with, for the side to move.
type sample struct {
	board othello.Board
	score int8
}

// generator plays games.
type generator struct {
	w   *pattern.Weights
	rng *rand.Rand
}

func newGenerator(w *pattern.Weights, seed uint64) *generator {
	return &generator{w: w, rng: rand.New(rand.NewPCG(seed, 0))}
}

// simple returns weights that count moves alone, to begin with.
func simple() *pattern.Weights { return pattern.Mobility() }

const (
	depth  = 3
	solved = 10 // empty squares from which on play is perfect
)

// play plays games and returns their positions.
func (g *generator) play(games int) []sample {
	var all []sample
	for range games {
		all = g.one(all)
	}
	return all
}

// one plays a game: some random moves, then searched ones with a random one now
// and then, then perfect play.
func (g *generator) one(all []sample) []sample {
	b := othello.Start()
	begin, side := len(all), 1
	var sides []int8
	last := 0 // positions before the last random move are not judged by the end
	random := 6 + g.rng.IntN(18)
	for ply := 0; ; ply++ {
		moves := b.Moves()
		if moves == 0 {
			if b = b.Swap(); !b.HasMoves() {
				break
			}
			side = -side
			continue
		}
		all = append(all, sample{board: b})
		sides = append(sides, int8(side))
		var sq int
		switch {
		case ply < random || g.rng.IntN(60) == 0 && b.Empties() > solved+4:
			for n := g.rng.IntN(bits.OnesCount64(moves)); n > 0; n-- {
				moves &= moves - 1
			}
			sq = bits.TrailingZeros64(moves)
			last = len(all) - begin
		case b.Empties() <= solved:
			sq = g.best(b, 64)
		default:
			sq = g.best(b, depth)
		}
		b = b.Play(sq, b.Flips(sq))
		side = -side
	}
	// The loop ended with the board seen by the other side than side says.
	score := -b.Score() * side
	for i := range sides {
		all[begin+i].score = int8(score * int(sides[i]))
	}
	kept := all[begin+max(0, last-1):]
	n := copy(all[begin:], kept)
	return all[:begin+n]
}

// best returns the best square by a search of the depth; 64 solves.
func (g *generator) best(b othello.Board, depth int) int {
	best, square := -1<<20, -1
	for m := b.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		noise := 0
		if depth < 64 {
			noise = g.rng.IntN(pattern.Disc)
		}
		v := noise - g.search(b.Play(sq, b.Flips(sq)), -1<<20, -best+noise, depth-1)
		if v > best {
			best, square = v, sq
		}
	}
	return square
}

// search is a plain alpha-beta search, moves with few replies first.
func (g *generator) search(b othello.Board, alpha, beta, depth int) int {
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return pattern.Disc * b.Score()
		}
		return -g.search(b.Swap(), -beta, -alpha, depth)
	}
	if depth <= 0 {
		return g.w.Eval(b)
	}
	type child struct {
		b othello.Board
		n int
	}
	var list [34]child
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		sq := bits.TrailingZeros64(moves)
		c := b.Play(sq, b.Flips(sq))
		list[n] = child{c, 0}
		if depth > 1 {
			list[n].n = bits.OnesCount64(c.Moves())
		}
		for k := n; k > 0 && list[k].n < list[k-1].n; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
		n++
	}
	best := -1 << 20
	for i := range n {
		v := -g.search(list[i].b, -beta, -max(alpha, best), depth-1)
		if v > best {
			if best = v; v >= beta {
				break
			}
		}
	}
	return best
}
