package random_test

import (
	"context"
	"testing"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/player"
)

type moves []game.Move

func (m moves) Legal(dst []game.Move) []game.Move { return append(dst, m...) }

func board(n int) moves {
	var out moves
	for i := range n {
		out = append(out, game.PlaceAt(game.Pt(i%8, i/8)))
	}
	return out
}

func play(t *testing.T, seed uint64, id string, n int) []game.Move {
	t.Helper()
	p := random.New(random.Options{Seed: seed})
	if err := p.NewGame(context.Background(), &player.Setup{ID: id}); err != nil {
		t.Fatal(err)
	}
	var out []game.Move
	for range n {
		a, err := p.Choose(context.Background(), &player.Prompt{Moves: board(60)})
		if err != nil || len(a.Steps) != 1 {
			t.Fatalf("%v, %v", a, err)
		}
		out = append(out, a.Steps[0])
	}
	return out
}

func equal(a, b []game.Move) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestSeedAndGameDecide(t *testing.T) {
	a := play(t, 1, "g1", 30)
	if !equal(a, play(t, 1, "g1", 30)) {
		t.Error("the same seed and game gave other moves")
	}
	if equal(a, play(t, 2, "g1", 30)) {
		t.Error("another seed gave the same moves")
	}
	if equal(a, play(t, 1, "g2", 30)) {
		t.Error("another game gave the same moves")
	}
}

func TestAllMovesAreDrawnAlike(t *testing.T) {
	count := map[game.Move]int{}
	for _, m := range play(t, 7, "g", 6000) {
		count[m]++
	}
	for _, m := range board(60) {
		if n := count[m]; n < 50 || n > 150 { // 100 expected, five deviations
			t.Errorf("%v was drawn %d times of 6000, 100 expected", m, n)
		}
	}
}

func TestRefusedAttemptsAreNotRepeated(t *testing.T) {
	p := random.New(random.Options{Seed: 3})
	if err := p.NewGame(context.Background(), &player.Setup{}); err != nil {
		t.Fatal(err)
	}
	list := board(20)
	seen := map[game.Move]bool{}
	for i := range list {
		pr := &player.Prompt{Moves: list, Again: i}
		if i > 0 {
			pr.Rejected = player.AttemptRefused
		}
		a, err := p.Choose(context.Background(), pr)
		if err != nil {
			t.Fatal(err)
		}
		if seen[a.Steps[0]] {
			t.Fatalf("%v was tried twice", a.Steps[0])
		}
		seen[a.Steps[0]] = true
	}
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: list, Rejected: player.AttemptRefused}); err != nil {
		t.Errorf("with nothing left untried: %v", err)
	}
}

func TestNothingToDecide(t *testing.T) {
	p := random.New(random.Options{})
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: board(3)}); err == nil {
		t.Error("an answer without a game")
	}
	if err := p.NewGame(context.Background(), &player.Setup{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: board(0)}); err == nil {
		t.Error("an answer without legal moves")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Choose(ctx, &player.Prompt{Moves: board(3)}); err == nil {
		t.Error("an answer in an abandoned game")
	}
}

func TestChooseDoesNotAllocate(t *testing.T) {
	p := random.New(random.Options{})
	if err := p.NewGame(context.Background(), &player.Setup{}); err != nil {
		t.Fatal(err)
	}
	var pr player.Prompt
	pr.Moves = board(60)
	ask := func() {
		if _, err := p.Choose(context.Background(), &pr); err != nil {
			t.Error(err)
		}
	}
	ask()
	if n := testing.AllocsPerRun(100, ask); n > 0 {
		t.Errorf("%v allocations per move", n)
	}
}
