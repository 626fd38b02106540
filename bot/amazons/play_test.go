package amazons_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/amazons"
	"kibitz/game"
	rule "kibitz/games/amazons"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"amazons", "amazons:rulings=sau"} {
		playertest.Series{Table: playertest.Table{Spec: spec}, Board: board, Games: 20, A: level(2), B: playertest.Chance}.AtLeast(t, 20)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	playertest.Series{Table: playertest.Table{Spec: "amazons"}, Board: board, Games: 8, A: level(4), B: level(1)}.AtLeast(t, 7)
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "amazons",
		Position:      board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 1000, Depth: 2},
	}.Run(t)
}

func TestAnalysisShowsLines(t *testing.T) {
	p := engine.New(bot.Options{Now: time.Now})
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "amazons"}); err != nil {
		t.Fatal(err)
	}
	for i, info := range playertest.Lines(t, p, 3, 2) {
		if len(info.PV) != 2*info.Depth || info.Nodes == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
	}
}
