package surakarta_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/surakarta"
	"kibitz/game"
	rule "kibitz/games/surakarta"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"surakarta", "surakarta:rulings=sau", "surakarta:repetition=2,nocapture=0"} {
		playertest.Series{Table: playertest.Table{Spec: spec}, Board: board, Games: 20, A: level(3), B: playertest.Chance}.AtLeast(t, 20)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	playertest.Series{Table: playertest.Table{Spec: "surakarta"}, Board: board, Games: 12, A: level(5), B: level(2)}.AtLeast(t, 11)
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
	for i, info := range playertest.Lines(t, p, 3, 4) {
		if len(info.PV) < info.Depth || info.Nodes == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
	}
}

func TestThreads(t *testing.T) { playertest.Threads(t, "surakarta", board, level) }
