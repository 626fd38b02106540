package nboard_test

import (
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/othello"
	"kibitz/games"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol/nboard"
	"kibitz/rules"
)

func newBoard() player.Position { return rules.NewBoard(games.OpenSpec) }

func TestRoundTrip(t *testing.T) {
	for name, dialect := range map[string]map[string]string{
		"version 2": nil,
		"version 1": {"version": "1"},
		"stateless": {"stateless": "true"},
		"movenow":   {"timemode": "movenow"},
	} {
		t.Run(name, func(t *testing.T) {
			playertest.Trip{
				Protocol: nboard.Protocol(),
				Bot:      func() player.Player { return playertest.NewRandom(5) },
				Spec:     nboard.GameID,
				Board:    newBoard,
				Dialect:  dialect,
				Games:    4,
			}.Run(t)
		})
	}
}

// TestRoundTripBot makes the trip with the built-in engine at a fixed depth.
func TestRoundTripBot(t *testing.T) {
	playertest.Trip{
		Protocol: nboard.Protocol(),
		Bot: func() player.Player {
			return playertest.Nameless{Player: othello.New(bot.Options{Seed: 1, Now: time.Now, Memory: 1 << 20})}
		},
		Spec: nboard.GameID, Board: newBoard,
		Limits: player.Limits{Depth: 2},
	}.Run(t)
}
