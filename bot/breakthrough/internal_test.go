package breakthrough

import (
	"math/rand/v2"
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/breakthrough"
)

// fewMen is a random position with few men, the game not over.
func fewMen(rng *rand.Rand) breakthrough.Board {
	for {
		var b breakthrough.Board
		used := map[int]bool{}
		for i := range 2 + rng.IntN(4) {
			sq := rng.IntN(breakthrough.Points)
			if !used[sq] {
				used[sq] = true
				b.Add(sq, game.Seat(i%2))
			}
		}
		if rng.IntN(2) == 1 {
			b.Turn()
		}
		if _, _, over := b.Over(); !over {
			return b
		}
	}
}

// win reports whether the side to move wins, by trying everything.
func win(b *breakthrough.Board, known map[breakthrough.Board]bool) bool {
	if winner, _, over := b.Over(); over {
		return winner == b.Side()
	}
	if v, ok := known[*b]; ok {
		return v
	}
	v := false
	for _, m := range b.Moves(nil) {
		next := *b
		next.Move(m)
		if !win(&next, known) {
			v = true
			break
		}
	}
	known[*b] = v
	return v
}

// A race that is decided is: all play says the same of it.
func TestRacesAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	decided := [2]int{}
	for range 2000 {
		b := fewMen(rng)
		n := race(&b)
		if n == 0 {
			continue
		}
		if want := win(&b, map[breakthrough.Board]bool{}); want != (n > 0) {
			t.Fatalf("%x %x, %s: race %d, a win %t", b.Of(0), b.Of(1), b.Side(), n, want)
		}
		if n > 0 {
			decided[0]++
		} else {
			decided[1]++
		}
	}
	if decided[0] < 100 || decided[1] < 100 {
		t.Errorf("only %v races were decided", decided)
	}
}

// The search finds what all play finds.
func TestSearchIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	e := newEngine()
	for range 150 {
		b := fewMen(rng)
		e.pos.board = b
		e.Forget()
		r := e.search.Run(&bot.Task{Depth: 40}, &e.pos, 1, 0)
		want := win(&b, map[breakthrough.Board]bool{})
		if v := r.Lines[0].Value; v < mateThreshold && v > -mateThreshold || v > 0 != want {
			t.Errorf("%x %x, %s: %d after depth %d, a win %t", b.Of(0), b.Of(1), b.Side(), v, r.Depth, want)
		}
		if e.pos.board != b {
			t.Fatal("the board has moved")
		}
	}
}

// The evaluation is the same for both sides of a board that is turned round.
func TestEvaluationIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		b := fewMen(rng)
		var turned breakthrough.Board
		for sq := range breakthrough.Points {
			for _, s := range []game.Seat{game.First, game.Second} {
				if b.Of(s)>>sq&1 != 0 {
					turned.Add(breakthrough.Points-1-sq, s.Other())
				}
			}
		}
		if b.Side() == 0 {
			turned.Turn()
		}
		if v, w := evaluate(&b), evaluate(&turned); v != w {
			t.Fatalf("%d, and %d turned round", v, w)
		}
	}
}

func BenchmarkThink(b *testing.B) {
	e := newEngine()
	e.pos.board = breakthrough.StartBoard()
	var n int64
	for b.Loop() {
		t := &bot.Task{Nodes: 300_000, Rand: rand.New(rand.NewPCG(1, 1))}
		e.Forget()
		e.Think(t)
		n += t.Count()
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "nodes/s")
}
