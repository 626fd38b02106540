package dotsandboxes_test

import (
	"testing"

	engine "kibitz/bot/dotsandboxes"
	"kibitz/game"
	rule "kibitz/games/dotsandboxes"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"dotsandboxes:size=5", "dotsandboxes:size=4", "dotsandboxes:size=7"} {
		playertest.Series{Table: playertest.Table{Spec: spec}, Board: board, Games: 10, A: level(4), B: playertest.Chance}.AtLeast(t, 10)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	for _, c := range []struct{ a, b int }{{4, 1}, {6, 3}} {
		playertest.Series{Table: playertest.Table{Spec: "dotsandboxes:size=5"}, Board: board, Games: 10, A: level(c.a), B: level(c.b)}.AtLeast(t, 8)
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "dotsandboxes:size=5",
		Position:      board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 1000, Depth: 2},
	}.Run(t)
}
