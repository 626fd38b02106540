package connect6_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/connect6"
	"kibitz/bot/random"
	"kibitz/game"
	rule "kibitz/games/connect6"
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
	for _, spec := range []game.Spec{"connect6:size=19", "connect6:size=19,rulings=sau", "connect6:size=9", "connect6:size=26"} {
		games := 20
		if testing.Short() {
			games = 4
		}
		if p := series(t, spec, games, level(2), chance); p != float64(games) {
			t.Errorf("%s: %v of %d against random", spec, p, games)
		}
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	for _, c := range [][2]int{{3, 1}, {5, 2}} {
		if p := series(t, "connect6:size=19", 8, level(c[0]), level(c[1])); p < 7 {
			t.Errorf("level %d made %v of 8 points against level %d", c[0], p, c[1])
		}
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "connect6:size=19",
		Position:      board,
		Deterministic: true, Limits: player.Limits{Nodes: 1000, Depth: 2},
	}.Run(t)
}
