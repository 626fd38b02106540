package phantomgo_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/phantomgo"
	"kibitz/bot/random"
	"kibitz/game"
	rule "kibitz/games/phantomgo"
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
// player and the number of games that were too long.
func series(t *testing.T, spec game.Spec, games int, a, b func(seed uint64) player.Player) (points float64, long int) {
	t.Helper()
	for i := range games {
		seats := [2]player.Player{a(uint64(i)), b(uint64(i))}
		if i%2 == 1 {
			seats[0], seats[1] = seats[1], seats[0]
		}
		tried := map[game.Move]bool{}
		turn := game.Nobody
		table := playertest.Table{
			Position: board(), Spec: spec, Seed: uint64(i), MaxSteps: 40_000,
			Inspect: func(p *player.Prompt, a *player.Answer) {
				if p.Again == 0 || p.Seat != turn {
					clear(tried)
				}
				turn = p.Seat
				if m := a.Steps[0]; tried[m] {
					t.Errorf("game %d, seat %v: %v was tried twice in one turn, attempt %d of %d", i, p.Seat, m, p.Again, len(tried))
				}
				tried[a.Steps[0]] = true
			},
		}
		g, err := table.Play(context.Background(), seats)
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		points += g.Result.Points[i%2]
		if g.Result.Reason != rule.ByScore {
			long++
		}
	}
	return points, long
}

func level(n int) func(uint64) player.Player {
	return func(seed uint64) player.Player {
		return engine.New(bot.Options{Level: n, Seed: seed, Now: time.Now})
	}
}

func chance(seed uint64) player.Player { return random.New(random.Options{Seed: seed}) }

func TestBeatsRandom(t *testing.T) {
	spec, games := game.Spec("phantomgo"), 20
	if testing.Short() {
		spec, games = "phantomgo:size=6", 4
	}
	p, long := series(t, spec, games, level(3), chance)
	t.Logf("%v points of %d, %d too long", p, games, long)
	if p < 0.9*float64(games) {
		t.Errorf("%v of %d against random", p, games)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	p, long := series(t, "phantomgo:size=7", 6, level(4), level(1))
	t.Logf("%v points of 6, %d too long", p, long)
	if p < 4 {
		t.Errorf("level 4 made %v of 6 points against level 1", p)
	}
}

func TestOtherSizes(t *testing.T) {
	for i, spec := range []game.Spec{"phantomgo:size=2,komi=0.5", "phantomgo:size=5", "phantomgo:size=13,komi=-3", "phantomgo:size=9,superko=true"} {
		if testing.Short() && i > 1 {
			break
		}
		series(t, spec, 2, level(1), level(1))
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "phantomgo", Position: board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 50},
	}.Run(t)
}
