package dctp_test

import (
	"testing"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/games/darkchess"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

var board = playertest.Board(darkchess.Game())

var canonical = playertest.Canonical(board)

func TestRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		name    string
		bot     func() player.Player
		dialect map[string]string
	}{
		{"random", func() player.Player { return playertest.NewRandom(42) }, nil},
		{"built in", func() player.Player {
			return playertest.Nameless{Player: botdarkchess.New(bot.Options{Level: 1, Now: time.Now, Seed: 3})}
		}, nil},
		{"settings", func() player.Player { return playertest.NewRandom(7) }, map[string]string{"settings": "on", "hello": "off", "time": "off", "game_over": "off"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			playertest.Trip{
				Protocol: dctp.Protocol(), Spec: canonical(t, "darkchess:noeat=40"), Board: board, Games: 2,
				Bot: tt.bot, Dialect: tt.dialect,
			}.Run(t)
		})
	}
}

// TestHostIsAPlayer holds the host to the contract of players, with a served bot
// behind it.
func TestHostIsAPlayer(t *testing.T) {
	spec := canonical(t, "darkchess")
	playertest.Suite{
		Spec: spec, Position: board, Deterministic: true,
		New: func() player.Player {
			return playertest.Behind(t, dctp.Protocol(), protocol.Config{Name: "X", Now: time.Now}, func() protocol.Server {
				return protocol.Server{Player: playertest.NewRandom(9), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec}
			})
		},
	}.Run(t)
}
