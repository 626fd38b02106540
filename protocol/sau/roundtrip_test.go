package sau_test

import (
	"testing"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

func board() player.Position { return rules.NewBoard(games.OpenSpec) }

// known reports whether the game of a specification is in the list of games.
func known(spec string) bool {
	_, err := games.Open(game.Spec(spec).ID() + ":")
	return err == nil
}

func canonical(t testing.TB, text string) game.Spec {
	t.Helper()
	r, err := games.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	return r.Spec()
}

// TestRoundTrip plays whole games through both ends of the protocol: they are the
// games that the players play without it.
func TestRoundTrip(t *testing.T) {
	transposed := map[string]string{"transpose": "true", "x": "a", "y": "0", "e": "M"}
	for _, tt := range []struct {
		name, spec   string
		host, engine map[string]string
		games        int
	}{
		{"amazons", "amazons:", nil, nil, 3},
		{"amazons sau", "amazons:rulings=sau", nil, nil, 2},
		{"phantomgo", "phantomgo:", nil, nil, 4},
		{"phantomgo 5", "phantomgo:size=5,maxplies=120", map[string]string{"end": "winner"}, nil, 6},
		{"phantomgo 19", "phantomgo:size=19", nil, nil, 2},
		{"connect6", "connect6:", nil, nil, 3},
		{"connect6 sau", "connect6:rulings=sau", nil, nil, 3},
		{"nogo", "nogo:", nil, nil, 3},
		{"dots", "dotsandboxes:", nil, nil, 4},
		{"surakarta", "surakarta:", nil, nil, 3},
		{"amazons transposed", "amazons:", transposed, transposed, 2},
		{"phantomgo transposed", "phantomgo:", transposed, transposed, 2},
		{"dots transposed", "dotsandboxes:", transposed, transposed, 2},
		{"connect6 transposed", "connect6:", transposed, transposed, 2},
		{"dialects", "amazons:", map[string]string{"scan": "any", "barrier": "false", "end": "winner"}, nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !known(tt.spec) {
				t.Skipf("no game %s", tt.spec)
			}
			for name, bot := range map[string]func() player.Player{
				"first legal draw": func() player.Player { return playertest.NewRandom(5) },
				"random":           func() player.Player { return playertest.Nameless{Player: random.New(random.Options{Seed: 3})} },
			} {
				t.Run(name, func(t *testing.T) {
					playertest.Trip{
						Protocol: forms.Protocol(), Bot: bot, Spec: canonical(t, tt.spec), Board: board, Dialect: tt.host, ServeDialect: tt.engine, Games: tt.games,
					}.Run(t)
				})
			}
		})
	}
}

func TestHostConforms(t *testing.T) {
	for _, text := range []string{"amazons:", "phantomgo:size=5", "connect6:", "nogo:", "dotsandboxes:", "surakarta:"} {
		t.Run(text, func(t *testing.T) {
			if !known(text) {
				t.Skipf("no game %s", text)
			}
			spec := canonical(t, text)
			playertest.Suite{
				New: func() player.Player {
					return playertest.Behind(t, forms.Protocol(), protocol.Config{Name: "bot", Now: time.Now}, func() protocol.Server {
						return protocol.Server{Player: playertest.NewRandom(3), Position: board(), Now: time.Now, Name: "bot", Game: spec}
					})
				},
				Spec: spec, Position: board, OneSeat: true,
			}.Run(t)
		})
	}
}

func serveRandom() player.Player { return playertest.NewRandom(9) }
