package connect6_test

import (
	"testing"

	engine "kibitz/bot/connect6"
	"kibitz/game"
	rule "kibitz/games/connect6"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"connect6:size=19", "connect6:size=19,rulings=sau", "connect6:size=9", "connect6:size=26"} {
		games := 20
		if testing.Short() {
			games = 4
		}
		playertest.Series{Table: playertest.Table{Spec: spec}, Board: board, Games: games, A: level(2), B: playertest.Chance}.AtLeast(t, float64(games))
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	for _, c := range [][2]int{{4, 1}, {5, 2}} {
		playertest.Series{Table: playertest.Table{Spec: "connect6:size=19"}, Board: board, Games: 8, A: level(c[0]), B: level(c[1])}.AtLeast(t, 7)
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "connect6:size=19",
		Position:      board,
		Deterministic: true, Limits: player.Limits{Nodes: 1000, Depth: 2},
	}.Run(t)
}

func TestThreads(t *testing.T) { playertest.Threads(t, "connect6:size=19", board, level) }
