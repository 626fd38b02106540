package othello

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"kibitz/games/othello"
)

// likely returns positions as they come up in games: each move is among the best at a
// glance.
func likely(s *search, n, empties int) []othello.Board {
	rng := rand.New(rand.NewPCG(uint64(empties), 3))
	var list []othello.Board
	for len(list) < n {
		b := othello.Start()
		for b.Empties() > empties && b.HasMoves() {
			best, next := none, b
			for m := b.Moves(); m != 0; m &= m - 1 {
				sq := bits.TrailingZeros64(m)
				c := b.Play(sq, b.Flips(sq))
				if v := rng.IntN(4*disc) - s.mid(c, -limit, limit, 1); v > best {
					best, next = v, c
				}
			}
			b = next
		}
		if b.Empties() == empties && b.HasMoves() {
			list = append(list, b)
		}
	}
	return list
}

// Searches of different depth differ as much as is reckoned with.
func TestDeviations(t *testing.T) {
	s := newSearch(t)
	s.midWidth = 0
	for _, empties := range []int{48, 36, 24} {
		list := likely(s, 60, empties)
		for _, c := range [][2]int{{0, 2}, {1, 3}, {0, 4}, {2, 4}, {2, 6}, {4, 6}} {
			sum, square := 0.0, 0.0
			for _, b := range list {
				s.tables.clear()
				shallow := s.mid(b, -limit, limit, c[0])
				d := float64(s.mid(b, -limit, limit, c[1])-shallow) / disc
				sum, square = sum+d, square+d*d
			}
			n := float64(len(list))
			got := math.Sqrt(square/n - sum*sum/n/n)
			want := float64(cutMargin(c[0], c[1], empties, 1)) / disc
			if got < want/1.6 || got > want*1.6 {
				t.Errorf("%d empty squares, %d and %d plies: a deviation of %.2f discs, the formula says %.2f", empties, c[0], c[1], got, want)
			}
		}
	}
}

// What is left out costs little, and spares much.
func TestProbCut(t *testing.T) {
	s := newSearch(t)
	s.tables.resize(8 << 20)
	var nodes int64
	s.poll = func(n int64) bool {
		nodes += n
		return false
	}
	const depth = 9
	find := func(b othello.Board, width float64) (v int, spent int64) {
		s.tables.clear()
		s.midWidth = width
		nodes = 0
		v = s.mid(b, -limit, limit, depth)
		s.flush()
		return v, nodes
	}
	square := 0.0
	var all, some int64
	list := likely(s, 16, 36)
	for _, b := range list {
		v, n := find(b, 0)
		w, m := find(b, midWidth)
		d := float64(v-w) / disc
		square += d * d
		all, some = all+n, some+m
	}
	if d := math.Sqrt(square / float64(len(list))); d > 2 {
		t.Errorf("what a search finds that leaves lines out is %.1f discs off", d)
	}
	if some*4 > all {
		t.Errorf("%d positions where lines are left out, %d where none is", some, all)
	}
}

// Every square is in one of the groups in which moves are tried.
func TestGroups(t *testing.T) {
	all, n := uint64(0), 0
	for _, g := range groups {
		all, n = all|g, n+bits.OnesCount64(g)
	}
	if n != othello.Squares || ^all != 0 {
		t.Errorf("%d squares in the groups, without %x", n, ^all)
	}
}
