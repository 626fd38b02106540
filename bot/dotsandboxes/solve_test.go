package dotsandboxes

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"

	rule "kibitz/games/dotsandboxes"
)

// brute is the plain value of a position for the side to move, by trying all lines.
func brute(drawn, open rule.Lines, memo map[rule.Lines]int) int {
	if open.Empty() {
		return 0
	}
	if v, ok := memo[drawn]; ok {
		return v
	}
	best := -1000
	for rest := open; !rest.Empty(); rest = rest.Rest() {
		d := drawn.With(rest.First())
		got := bits.OnesCount64(d.Closed() &^ drawn.Closed())
		v := brute(d, open.Without(d), memo)
		if got == 0 {
			v = -v
		}
		best = max(best, got+v)
	}
	memo[drawn] = best
	return best
}

// solve returns the value of any position.
func (s *solver) solve(q quiet) int {
	o := s.settle(&q)
	return o.worth(s.value(&q, 0, -1000, 1000))
}

func newSolver(size int) *solver {
	s := &solver{}
	s.resize(size)
	s.table.Resize(1 << 18)
	return s
}

// Boards of one and four boxes by trying all lines; of nine it is known, and was tried once
// in all 16 million positions, that the second seat wins by three.
func TestSmallBoards(t *testing.T) {
	for size := 1; size <= 3; size++ {
		q := quiet{open: rule.AllLines(size)}
		s := newSolver(size)
		want := -3
		if size < 3 {
			want = brute(q.drawn, q.open, map[rule.Lines]int{})
		}
		if got := s.solve(q); got != want {
			t.Errorf("%d: %d, want %d", size, got, want)
		}
		t.Logf("%dx%d boxes: %d for the first seat, %d nodes", size, size, want, s.nodes)
	}
}

func TestAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	n := 600
	if testing.Short() {
		n = 40
	}
	for i := range n {
		size := 2 + i%4
		q := quiet{open: rule.AllLines(size)}
		for q.open.Count() > 13 {
			o := q.open
			for k := r.IntN(o.Count()); k > 0; k-- {
				o = o.Rest()
			}
			q.draw(o.First())
		}
		s := newSolver(size)
		want := brute(q.drawn, q.open, map[rule.Lines]int{})
		if got := s.solve(q); got != want {
			t.Fatalf("%+v (size %d): %d, want %d", q, size, got, want)
		}
	}
}

// BenchmarkSolve solves positions of so many open lines, reached by safe lines.
func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{34, 36, 38} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(8, 6))
			s := newSolver(5)
			s.table.Resize(32 << 20)
			for b.Loop() {
				s.table.Clear()
				s.solve(safely(r, 5, n))
			}
			b.ReportMetric(float64(s.nodes)/float64(b.N), "nodes/op")
		})
	}
}

// safely draws safe lines by chance until n are open, or until none is safe.
func safely(r *rand.Rand, size, n int) quiet {
	q := quiet{open: rule.AllLines(size)}
	for q.open.Count() > n {
		safe := q.safe()
		if safe.Empty() {
			break
		}
		for k := r.IntN(safe.Count()); k > 0; k-- {
			safe = safe.Rest()
		}
		q.draw(safe.First())
	}
	return q
}
