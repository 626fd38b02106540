package gtp_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/games/othello"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
	"kibitz/rules"
)

func board() player.Position {
	return rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{othello.Game(), gomoku.Game()}, string(s))
	})
}

func TestRoundTrip(t *testing.T) {
	for _, spec := range []game.Spec{"othello", "gomoku:rule=freestyle,size=15", "gomoku:rule=renju,size=9", "gomoku:rule=standard,size=25"} {
		t.Run(string(spec), func(t *testing.T) {
			playertest.Trip{
				Protocol: gtp.Protocol(), Spec: canonical(t, spec), Board: board, Games: 3,
				Bot:      func() player.Player { return playertest.NewRandom(42) },
				Expected: func(text string) bool { return strings.Contains(text, "does not name the rule") },
			}.Run(t)
		})
	}
}

func canonical(t *testing.T, spec game.Spec) game.Spec {
	t.Helper()
	b := board()
	if err := b.Reset(spec, ""); err != nil {
		t.Fatal(err)
	}
	return b.Spec()
}

// TestRoundTripDialects sends the same games with every switch moved.
func TestRoundTripDialects(t *testing.T) {
	for _, d := range []map[string]string{
		{"letters": "all", "rows": "bottom", "ids": "on"},
		{"letters": "no-i", "rows": "top", "colour": "long", "time": "always"},
		{"set_game": "off", "time": "off"},
	} {
		serve := map[string]string{"letters": d["letters"], "rows": d["rows"]}
		playertest.Trip{
			Protocol: gtp.Protocol(), Spec: canonical(t, "othello"), Board: board, Dialect: d, ServeDialect: serve,
			Bot: func() player.Player { return playertest.NewRandom(3) }, Games: 2,
		}.Run(t)
	}
}

// TestHostIsAPlayer holds the host to the contract of players, with a served bot
// behind it.
func TestHostIsAPlayer(t *testing.T) {
	for _, spec := range []game.Spec{"othello", "gomoku:rule=freestyle,size=9"} {
		t.Run(string(spec), func(t *testing.T) {
			var engines sync.WaitGroup
			defer engines.Wait()
			playertest.Suite{
				Spec: canonical(t, spec), Position: board, Deterministic: true,
				New: func() player.Player {
					h, err := gtp.NewHost(protocol.Config{
						Name: "X", Game: spec, Now: time.Now,
						Dial: func(context.Context) (link.Conn, error) {
							ours, theirs := link.Pipe()
							engines.Go(func() {
								_ = gtp.Serve(context.Background(), theirs, protocol.Server{
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
		})
	}
}
