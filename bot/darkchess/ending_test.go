package darkchess

import (
	"math/bits"
	"testing"

	"kibitz/games/darkchess"
)

// What becomes of one piece against one other is what trying everything says, for all
// squares: where one takes the other, both do, or none.
func TestChasesAreSolved(t *testing.T) {
	for _, kinds := range [][2]uint8{
		{darkchess.RedGuard, darkchess.BlackCannon},
		{darkchess.RedPawn, darkchess.BlackKing},
		{darkchess.RedPawn, darkchess.BlackPawn},
		{darkchess.RedPawn, darkchess.BlackKnight},
		{darkchess.RedCannon, darkchess.BlackPawn},
	} {
		won := solve(kinds[0], kinds[1])
		for x, plies := range won {
			p := duel(kinds[0], kinds[1], x)
			if p == nil {
				continue
			}
			if got, ok := p.chases(); !ok || got != min(max(plies, -1), 1) {
				t.Fatalf("%v, position %d: %d, but it is decided in %d", kinds, x, got, plies)
			}
			if max(plies, -plies) > chaseLength {
				t.Fatalf("%v, position %d: the chase lasts %d plies", kinds, x, plies)
			}
		}
	}
}

// duels are the numbers of positions with two pieces: squares and who is on turn.
const duels = 2 * darkchess.Squares * darkchess.Squares

func duel(red, black uint8, x int) *position {
	a, b := x/2%darkchess.Squares, x/2/darkchess.Squares
	if a == b {
		return nil
	}
	p := &position{board: darkchess.EmptyBoard(), colour: uint8(x & 1)}
	p.board.Put(a, red)
	p.board.Put(b, black)
	p.count = countOf(&p.board)
	return p
}

// solve returns for each position in how many plies it is won, or lost if that is
// negative, 0 for a draw, by going over all of them until nothing changes.
func solve(red, black uint8) (won [duels]int) {
	for plies, changed := 1, true; changed; plies++ {
		changed = false
		next := won
		for x := range won {
			p := duel(red, black, x)
			if p == nil || won[x] != 0 {
				continue
			}
			if v := judge(p, &won); v != 0 {
				next[x], changed = v*plies, true
			}
		}
		won = next
	}
	return won
}

// judge returns 1 if the side on turn takes the other piece or comes to a position that
// is lost for the other, -1 if all positions that it comes to are won for that.
func judge(p *position, won *[duels]int) int {
	all := true
	var at [2]int // squares of red and black
	for sq := range darkchess.Squares {
		if c := p.board.Cell(sq); c < darkchess.Hidden {
			at[darkchess.ColourOf(c)] = sq
		}
	}
	for t := p.board.Targets(at[p.colour]); t != 0; t &= t - 1 {
		to := bits.TrailingZeros32(t)
		if to == at[1-p.colour] {
			return 1
		}
		next := at
		next[p.colour] = to
		v := won[(next[1]*darkchess.Squares+next[0])*2+int(1-p.colour)]
		if v < 0 {
			return 1
		}
		all = all && v > 0
	}
	if all {
		return -1
	}
	return 0
}
