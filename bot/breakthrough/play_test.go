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
	playertest.Series{Table: playertest.Table{Spec: "breakthrough"}, Board: board, Games: 20, A: level(3), B: playertest.Chance}.AtLeast(t, 20)
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	playertest.Series{Table: playertest.Table{Spec: "breakthrough"}, Board: board, Games: 12, A: level(5), B: level(2)}.AtLeast(t, 11)
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

func TestThreads(t *testing.T) { playertest.Threads(t, "breakthrough", board, level) }
