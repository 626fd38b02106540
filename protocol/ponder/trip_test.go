package ponder_test

import (
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/games/darkchess"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/ponder"
)

var board = playertest.Board(darkchess.Game())

var canonical = playertest.Canonical(board)

func TestRoundTrip(t *testing.T) {
	for _, p := range []protocol.Protocol{ponder.Protocol(), ponder.Old()} {
		for name, bot := range map[string]func() player.Player{
			"random": func() player.Player { return playertest.NewRandom(42) },
			"built in": func() player.Player {
				return playertest.Nameless{Player: botdarkchess.New(bot.Options{Level: 1, Now: time.Now, Seed: 3})}
			},
		} {
			t.Run(p.ID+"/"+name, func(t *testing.T) {
				playertest.Trip{Protocol: p, Spec: canonical(t, "darkchess:noeat=40"), Board: board, Games: 2, Bot: bot}.Run(t)
			})
		}
	}
}

// TestHostIsAPlayer holds the host to the contract of players, with a served bot
// behind it.
func TestHostIsAPlayer(t *testing.T) {
	for _, p := range []protocol.Protocol{ponder.Protocol(), ponder.Old()} {
		t.Run(p.ID, func(t *testing.T) {
			spec := canonical(t, "darkchess")
			playertest.Suite{
				Spec: spec, Position: board, Deterministic: true, OneSeat: true,
				New: func() player.Player {
					return playertest.Behind(t, p, protocol.Config{Name: "X", Now: time.Now}, func() protocol.Server {
						return protocol.Server{Player: playertest.NewRandom(9), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec}
					})
				},
			}.Run(t)
		})
	}
}

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	for _, p := range []protocol.Protocol{ponder.Protocol(), ponder.Old()} {
		dial := playertest.Served(p.Serve, func() protocol.Server {
			return protocol.Server{
				Player: botdarkchess.New(bot.Options{Level: 2, Now: time.Now}), Position: board(), Now: time.Now,
				Name: "Own", Version: "1", Game: "darkchess:noeat=180,repetition=3",
			}
		})
		list := p.Checks(playertest.BoardOf(t, "darkchess"))
		synctest.Test(t, func(t *testing.T) { // thinking takes no time by this clock, on a busy machine either
			if n := playertest.CheckAll(t, protocol.Config{Dial: dial, Now: time.Now}, time.Second, list); n != len(list) || n < 5 {
				t.Errorf("%s: %d of %d requirements were held", p.ID, n, len(list))
			}
		})
	}
}
