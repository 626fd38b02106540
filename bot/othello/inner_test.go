package othello

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"kibitz/games/othello"
)

func newSearch(t *testing.T) *search {
	t.Helper()
	s := &search{}
	if err := s.load(); err != nil {
		t.Fatal(err)
	}
	s.tables.resize(1 << 20)
	return s
}

// squares lists the squares of a set.
func squares(set uint64) []int {
	var out []int
	for ; set != 0; set &= set - 1 {
		out = append(out, bits.TrailingZeros64(set))
	}
	return out
}

// someMove returns the board after a random move, passes made.
func someMove(b othello.Board, rng *rand.Rand) (othello.Board, bool) {
	moves := squares(b.Moves())
	if len(moves) == 0 {
		b = b.Swap()
		if moves = squares(b.Moves()); len(moves) == 0 {
			return b, false
		}
	}
	sq := moves[rng.IntN(len(moves))]
	return b.Play(sq, b.Flips(sq)), true
}

// random returns a position with so many empty squares.
func random(empties int, rng *rand.Rand) othello.Board {
	for {
		b, ok := othello.Start(), true
		for ok && b.Empties() > empties {
			b, ok = someMove(b, rng)
		}
		if b.Empties() == empties {
			return b
		}
	}
}

// minimax is the score by definition.
func minimax(b othello.Board) int {
	moves := squares(b.Moves())
	if len(moves) == 0 {
		if b.Over() {
			return b.Score()
		}
		return -minimax(b.Swap())
	}
	best := -65
	for _, sq := range moves {
		best = max(best, -minimax(b.Play(sq, b.Flips(sq))))
	}
	return best
}

// TestSolverAgainstMinimax compares scores and bounds with the definition for all
// numbers of empty squares that minimax can manage.
func TestSolverAgainstMinimax(t *testing.T) {
	s := newSearch(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for empties := 0; empties <= 8; empties++ {
		n := 60
		if empties > 6 {
			n = 10
		}
		for range n {
			b := random(empties, rng)
			want := minimax(b)
			if got := s.solve(b, -64, 64, empties); got != want {
				t.Fatalf("%s: %+d, want %+d", othello.FormatPosition(b, 0), got, want)
			}
			for _, w := range []int{-20, -2, 0, 6, 30} {
				if got := s.solve(b, w-1, w+1, empties); (got < w) != (want < w) || (got > w) != (want > w) {
					t.Fatalf("%s: %+d within %+d and %+d, the score is %+d", othello.FormatPosition(b, 0), got, w-1, w+1, want)
				}
			}
			// A search to the end by plies sees the same.
			if got := s.mid(b, -limit, limit, empties+2); empties <= 4 && got != want*disc {
				t.Fatalf("%s: %d by plies, want %d", othello.FormatPosition(b, 0), got, want*disc)
			}
		}
	}
}

// TestStableDiscsStay plays on at random and looks whether a stable disc flips.
func TestStableDiscsStay(t *testing.T) {
	edges := edgeTable()
	rng := rand.New(rand.NewPCG(5, 6))
	seen := 0
	for range 3000 {
		b, ok := random(20+rng.IntN(20), rng), true
		var mine, theirs uint64 // stable discs of the side to move and the other
		for ok {
			mine |= edges.stable(b.Own, b.Opp)
			theirs |= edges.stable(b.Opp, b.Own)
			if mine&^b.Own != 0 || theirs&^b.Opp != 0 {
				t.Fatalf("%s: a stable disc was flipped", othello.FormatPosition(b, 0))
			}
			seen = max(seen, bits.OnesCount64(mine|theirs))
			passed := !b.HasMoves()
			b, ok = someMove(b, rng)
			if !passed {
				mine, theirs = theirs, mine
			}
		}
	}
	if seen < 50 {
		t.Errorf("at most %d stable discs were seen", seen)
	}
	if n := bits.OnesCount64(edges.stable(^uint64(0), 0)); n != 64 {
		t.Errorf("%d stable discs on a full board", n)
	}
	if n := bits.OnesCount64(edges.stable(0xff, 0)); n != 8 {
		t.Errorf("%d stable discs on a full edge", n)
	}
	if st := edges.stable(0x6, 0x1); st != 0 {
		t.Errorf("%x is stable beside an opposing corner", st)
	}
}

func TestFullLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	steps := [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}
	for range 2000 {
		full := rng.Uint64() | rng.Uint64() | rng.Uint64() | rng.Uint64()
		var got [4]uint64
		got[0], got[1], got[2], got[3] = fullLines(full)
		for sq := range 64 {
			for d, step := range steps {
				want := true
				for x := -7; x <= 7; x++ {
					cx, cy := sq%8+x*step[0], sq/8+x*step[1]
					if cx >= 0 && cy >= 0 && cx < 8 && cy < 8 && full>>uint(8*cy+cx)&1 == 0 {
						want = false
					}
				}
				if (got[d]>>uint(sq)&1 != 0) != want {
					t.Fatalf("%x: square %d, direction %v: want %v", full, sq, step, want)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	var tb table
	tb.resize(1 << 16)
	if tb.bytes() > 1<<16 || tb.bytes() < 1<<14 {
		t.Errorf("%d bytes", tb.bytes())
	}
	b := othello.Start()
	if tb.find(b) != nil {
		t.Error("found in an empty table")
	}
	tb.store(b, 100, -50, 200, 6, false, 19)
	if e := tb.find(b); e == nil || e.lo != 100 || e.hi != 100 || e.move != 19 {
		t.Errorf("%+v", e)
	}
	tb.store(b, 300, -50, 200, 7, false, 26) // at least 300
	if v, cut := tb.find(b).cut(0, 250); !cut || v != 300 {
		t.Errorf("%d, %v", v, cut)
	}
	if _, cut := tb.find(b).cut(0, 350); cut {
		t.Error("a lower bound decided within the window")
	}
	tb.store(b, 256, 255, 257, 60, true, 37)
	tb.store(b, 0, -1, 1, 8, false, 44) // does not displace what is proved
	if e := tb.find(b); !e.exact || e.lo != 256 || e.move != 37 {
		t.Errorf("%+v", e)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 { // fills it many times over
		tb.store(othello.Board{Own: rng.Uint64()}, 0, -1, 1, rng.IntN(5), false, noMove)
	}
	if e := tb.find(b); e == nil || !e.exact {
		t.Error("the most expensive entry was displaced")
	}
}
