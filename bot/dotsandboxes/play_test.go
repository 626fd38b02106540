package dotsandboxes_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/dotsandboxes"
	"kibitz/bot/random"
	"kibitz/game"
	rule "kibitz/games/dotsandboxes"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

func board() player.Position {
	return rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{rule.Game()}, string(s))
	})
}

// series plays games with alternating seats and returns the points of the first
// player.
func series(t *testing.T, spec game.Spec, games int, a, b func(seed uint64) player.Player) (points float64) {
	t.Helper()
	for i := range games {
		seats := [2]player.Player{a(uint64(i)), b(uint64(i))}
		if i%2 == 1 {
			seats[0], seats[1] = seats[1], seats[0]
		}
		table := playertest.Table{Position: board(), Spec: spec, Seed: uint64(i)}
		g, err := table.Play(context.Background(), seats)
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		points += g.Result.Points[i%2]
	}
	return points
}

func level(n int) func(uint64) player.Player {
	return func(seed uint64) player.Player {
		return engine.New(bot.Options{Level: n, Seed: seed, Now: time.Now})
	}
}

func chance(seed uint64) player.Player { return random.New(random.Options{Seed: seed}) }

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"dotsandboxes:size=5", "dotsandboxes:size=4", "dotsandboxes:size=7"} {
		if p := series(t, spec, 10, level(4), chance); p != 10 {
			t.Errorf("%s: %v of 10 against random", spec, p)
		}
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	for _, c := range []struct{ a, b int }{{4, 1}, {6, 3}} {
		if p := series(t, "dotsandboxes:size=5", 10, level(c.a), level(c.b)); p < 8 {
			t.Errorf("level %d made %v of 10 points against level %d", c.a, p, c.b)
		}
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "dotsandboxes:size=5",
		Position:      board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 1000, Depth: 2},
	}.Run(t)
}
