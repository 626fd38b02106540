package surakarta_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	engine "kibitz/bot/surakarta"
	"kibitz/game"
	rule "kibitz/games/surakarta"
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
	for _, spec := range []game.Spec{"surakarta", "surakarta:rulings=sau", "surakarta:repetition=2,nocapture=0"} {
		if p := series(t, spec, 20, level(3), chance); p != 20 {
			t.Errorf("%s: %v of 20 against random", spec, p)
		}
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	if p := series(t, "surakarta", 12, level(5), level(2)); p < 11 {
		t.Errorf("level 5 made %v of 12 points against level 2", p)
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "surakarta",
		Position:      board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 1000, Depth: 3},
	}.Run(t)
}

func TestAnalysisShowsLines(t *testing.T) {
	p := engine.New(bot.Options{Now: time.Now})
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "surakarta"}); err != nil {
		t.Fatal(err)
	}
	var got []game.Info
	err := p.(player.Analyst).Analyse(context.Background(), player.Question{Lines: 3, Depth: 4}, func(i game.Info) bool {
		got = append(got, i)
		return true
	})
	if err != nil || len(got) != 12 {
		t.Fatalf("%d lines, %v", len(got), err)
	}
	for i, info := range got {
		if info.Rank != i%3+1 || info.Depth != i/3+1 || len(info.PV) < info.Depth || info.Nodes == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
		if i%3 > 0 && info.Eval.Lo > got[i-1].Eval.Lo {
			t.Errorf("line %d is better than the one before it: %+v", i, info)
		}
	}
}
