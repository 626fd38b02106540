package main

import (
	"testing"

	bot "kibitz/bot/othello"
	"kibitz/bot/othello/internal/pattern"
	"kibitz/games/othello"
)

// What tells the score of a position is the proved score, the end, or a position six
// moves later with the right side to move.
func TestSamples(t *testing.T) {
	w := pattern.Mobility()
	all := newGenerator(w, 3).play(20)
	solver := bot.NewSolverBy(w, tableBytes)
	told, proved, stray := 0, 0, 0
	for i, s := range all {
		empties := s.board.Empties()
		if s.stray {
			stray++
		}
		if s.later > 0 {
			told++
			b := all[i+int(s.later)].board
			if s.later != ahead || b.Empties() != empties-ahead || b.Empties() <= solved {
				t.Fatalf("position %d with %d empty squares is told by one with %d, %d later", i, empties, b.Empties(), s.later)
			}
			continue
		}
		if empties > solved || i%7 > 0 {
			continue
		}
		proved++
		if sol, ok := solver.Solve(s.board, nil); !ok || sol.Score != int(s.score) {
			t.Errorf("%v is said to be worth %v, not %d", s.board, s.score, sol.Score)
		}
	}
	if told < 20*20 || proved < 20 || stray < 20*5 || stray > len(all)/2 {
		t.Errorf("%d positions: %d told by later ones, %d proved, %d strays", len(all), told, proved, stray)
	}
}

// A side that passes changes who tells the score.
func TestJudge(t *testing.T) {
	start := othello.Start()
	g := &generator{lots: make([]bool, 9), sides: []int8{1, -1, 1, 1, -1, 1, -1, 1, -1}}
	g.lots[4] = true
	game := make([]sample, 9)
	for i := range game {
		game[i].board = start
	}
	g.judge(game, 10, -1)
	for i, s := range game {
		if want := i <= 4; s.stray != want {
			t.Errorf("position %d: a stray move before the score is told: %v", i, s.stray)
		}
		if i+ahead < len(game) {
			if s.later != ahead || s.other != (g.sides[i] != g.sides[i+ahead]) {
				t.Errorf("position %d is told by the one %d later, by the other side: %v", i, s.later, s.other)
			}
		} else if s.score != float32(-10*g.sides[i]) {
			t.Errorf("position %d, side %d: %v", i, g.sides[i], s.score)
		}
	}
}

// Fitted weights foretell the scores of games kept apart better than the numbers of
// moves do.
func TestFit(t *testing.T) {
	games, rounds := 300, 3
	if testing.Short() { // for the race detector, which asks for no good fit
		games, rounds = 20, 1
	}
	all := play(pattern.Mobility(), games, 2, 5)
	f := fitting{all: all, weights: new(pattern.Weights), canon: pattern.Canonical(), threads: 2}
	f.fit(rounds)
	if testing.Short() {
		return
	}
	for _, stage := range []int{8, 12, 16} {
		_, test := f.ofStage(stage)
		fitted := f.loss(stage, test)
		moves := fitting{all: all, weights: pattern.Mobility()}
		if simple := moves.loss(stage, test); len(test) < 20 || fitted >= simple {
			t.Errorf("stage %d: an error of %.1f discs on %d positions, of %.1f by the numbers of moves", stage, fitted, len(test), simple)
		}
	}
}
