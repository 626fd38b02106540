package dctp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

var board = playertest.Board(darkchess.Game())

func canonical(t *testing.T, spec game.Spec) game.Spec {
	t.Helper()
	b := board()
	if err := b.Reset(spec, ""); err != nil {
		t.Fatal(err)
	}
	return b.Spec()
}

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
	var engines sync.WaitGroup
	defer engines.Wait()
	spec := canonical(t, "darkchess")
	playertest.Suite{
		Spec: spec, Position: board, Deterministic: true,
		New: func() player.Player {
			h, err := dctp.NewHost(protocol.Config{
				Name: "X", Game: spec, Now: time.Now,
				Dial: func(context.Context) (link.Conn, error) {
					ours, theirs := link.Pipe()
					engines.Go(func() {
						_ = dctp.Serve(context.Background(), theirs, protocol.Server{
							Player: playertest.NewRandom(9), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec,
						})
						_ = theirs.Close()
					})
					return ours, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			return h
		},
	}.Run(t)
}
