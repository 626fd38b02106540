package breakthrough_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/breakthrough"
	rule "kibitz/games/breakthrough"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	s := playertest.Series{Table: playertest.Table{Spec: "breakthrough"}, Board: board, Games: 20, A: level(3), B: playertest.Chance}.Play(t)
	if p := s.Points(); p != 20 {
		t.Errorf("%v of 20 against random", p)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	s := playertest.Series{Table: playertest.Table{Spec: "breakthrough"}, Board: board, Games: 12, A: level(5), B: level(2)}.Play(t)
	if p := s.Points(); p < 11 {
		t.Errorf("level 5 made %v of 12 points against level 2", p)
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "breakthrough",
		Position:      board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 1000, Depth: 3},
	}.Run(t)
}

func TestAnalysisShowsLines(t *testing.T) {
	p := engine.New(bot.Options{Now: time.Now})
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "breakthrough"}); err != nil {
		t.Fatal(err)
	}
	for i, info := range playertest.Lines(t, p, 3, 4) {
		if len(info.PV) < info.Depth || info.Nodes == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
	}
}

// With several goroutines it plays on, and within its positions.
func TestThreads(t *testing.T) {
	s := playertest.Series{
		Table: playertest.Table{Spec: "breakthrough", Limits: player.Limits{Nodes: 3000, Threads: 3}},
		Board: board, Games: 2, A: level(9), B: playertest.Chance,
	}.Play(t)
	if p := s.Points(); p != 2 {
		t.Errorf("%v of 2 against random", p)
	}
}
