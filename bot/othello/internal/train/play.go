package main

import (
	"math/bits"
	"math/rand/v2"

	bot "kibitz/bot/othello"
	"kibitz/bot/othello/internal/pattern"
	"kibitz/game"
	"kibitz/games/othello"
)

// sample is a position of a game with what tells its score.
type sample struct {
	board othello.Board
	// score is the score for the side to move in discs, if later is 0.
	score float32
	// later is how many samples later the position is that tells the score by a
	// search; other tells that it is seen by the other side.
	later uint8
	other bool
	// stray tells that a move drawn by lot changed the score before it was told.
	stray bool
}

type generator struct {
	search searcher
	rng    *rand.Rand
	solver *bot.Solver
	// Of each sample of the game that is played: whether its move was drawn by lot,
	// and the side to move, 1 or -1.
	lots  []bool
	sides []int8
}

func newGenerator(w *pattern.Weights, seed uint64) *generator {
	return &generator{
		search: searcher{w}, rng: rand.New(rand.NewPCG(seed, 0)), solver: bot.NewSolverBy(w, tableBytes),
	}
}

const (
	tableBytes = 4 << 20 // of the table for solving
	depth      = 4       // of search in games
	solved     = 14      // empty squares from which on play is perfect
	// ahead is after how many moves a search tells what a position was worth: it
	// sees farther than one of the position, and fewer mistakes lie in between than
	// before the end of the game.
	ahead = 6
	// strays is in how many moves one is drawn by lot.
	strays = 25
)

// play plays games and returns their positions.
func (g *generator) play(games int) []sample {
	var all []sample
	for range games {
		all = g.one(all)
	}
	return all
}

// one plays a game: some moves drawn by lot, then searched ones, then perfect play.
func (g *generator) one(all []sample) []sample {
	b, begin, side := othello.Start(), len(all), int8(1)
	g.lots, g.sides = g.lots[:0], g.sides[:0]
	opening := 2 + g.rng.IntN(18)
	var line []int
	for {
		moves := b.Moves()
		if moves == 0 {
			if b = b.Swap(); !b.HasMoves() {
				break
			}
			side = -side
			continue
		}
		proved := b.Empties() <= solved
		if proved && len(line) == 0 {
			line = g.solve(b)
		}
		ply := len(all) - begin
		lot := !proved && (ply < opening || g.rng.IntN(strays) == 0)
		all = append(all, sample{board: b})
		g.sides, g.lots = append(g.sides, side), append(g.lots, lot)
		var sq int
		switch {
		case proved:
			sq, line = line[0], line[1:]
		case lot:
			for n := g.rng.IntN(bits.OnesCount64(moves)); n > 0; n-- {
				moves &= moves - 1
			}
			sq = bits.TrailingZeros64(moves)
		default:
			sq = g.best(b)
		}
		b = b.Play(sq, b.Flips(sq))
		side = -side
	}
	// The loop ended with the board seen by the other side than side says.
	g.judge(all[begin:], float32(-b.Score()), side)
	return all
}

// solve returns the squares of perfect play as far as they are known, at least one.
func (g *generator) solve(b othello.Board) (squares []int) {
	sol, _ := g.solver.Solve(b, nil)
	for _, m := range sol.Line {
		if sq, ok := othello.SquareOf(m.To); ok && m.Op == game.Place {
			squares = append(squares, sq)
		}
	}
	return squares
}

// judge says for each position of a game what tells its score. The game ended with
// the score for the side.
func (g *generator) judge(game []sample, score float32, side int8) {
	for i := range game {
		s := &game[i]
		k := i
		for k < len(game) && k < i+ahead && game[k].board.Empties() > solved {
			s.stray = s.stray || g.lots[k]
			k++
		}
		if k < len(game) && game[k].board.Empties() > solved {
			s.later, s.other = ahead, g.sides[k] != g.sides[i]
			continue
		}
		s.score = score * float32(side*g.sides[i])
	}
}

// best returns a square that is among the best by a search.
func (g *generator) best(b othello.Board) int {
	best, square := -1<<20, -1
	for m := b.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		noise := g.rng.IntN(pattern.Disc)
		v := noise - g.search.value(b.Play(sq, b.Flips(sq)), -1<<20, -best+noise, depth-1)
		if v > best {
			best, square = v, sq
		}
	}
	return square
}
