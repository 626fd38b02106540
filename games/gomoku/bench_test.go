package gomoku_test

import (
	"math/rand/v2"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/rules"
)

// BenchmarkPlayout plays random games to the end; ns/op is per game.
func BenchmarkPlayout(b *testing.B) {
	for _, spec := range []string{"gomoku", "gomoku:rule=renju", "gomoku:size=20"} {
		b.Run(spec, func(b *testing.B) {
			r := open(b, spec)
			states := make([]rules.State, 256)
			rng := rand.New(rand.NewPCG(1, 2))
			legal := make([]game.Move, 0, 400)
			notices := make([]game.Notice, 0, 8)
			plies := 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				if i%len(states) == 0 {
					b.StopTimer()
					for k := range states {
						states[k] = r.New()
					}
					b.StartTimer()
				}
				s := states[i%len(states)]
				for s.Turn().Seat != game.Nobody {
					legal = s.Legal(legal[:0])
					notices, _ = s.Apply(legal[rng.IntN(len(legal))], notices[:0])
					plies++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
		})
	}
}

// BenchmarkJudge judges black on every empty point of random positions of renju;
// ns/op is per point.
func BenchmarkJudge(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	type place struct {
		board *gomoku.Board
		at    int
	}
	var places []place
	for range 100 {
		p := randomPosition(rng, 15)
		f := fastBoard(gomoku.Renju, p)
		for y := range p {
			for x := range p[y] {
				if p[y][x] == '.' {
					places = append(places, place{f, f.Index(game.Pt(x, y))})
				}
			}
		}
	}
	for i := 0; b.Loop(); i++ {
		p := &places[i%len(places)]
		p.board.Judge(p.at, gomoku.Black)
	}
}

// BenchmarkPerft counts leaves; the metric is leaves per second.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		spec, position string
		depth          int
	}{
		{"gomoku", "-", 4},
		{"gomoku:rule=renju", "-", 4},
		{"gomoku:rule=renju", "h8i9g7h6j10h9f8g8i6", 4},
	} {
		b.Run(c.spec+" "+c.position, func(b *testing.B) {
			s := position(b, open(b, c.spec), c.position)
			var leaves uint64
			for b.Loop() {
				leaves += s.Perft(c.depth)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}
