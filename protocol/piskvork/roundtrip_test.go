package piskvork_test

import (
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
	"kibitz/rules"
)

func open(spec game.Spec) (rules.Rules, error) {
	return rules.Open([]rules.Game{gomoku.Game()}, string(spec))
}

func board() player.Position { return rules.NewBoard(open) }

func canonical(t testing.TB, text string) game.Spec {
	t.Helper()
	r, err := open(game.Spec(text))
	if err != nil {
		t.Fatal(err)
	}
	return r.Spec()
}

func TestRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		name, spec   string
		host, engine map[string]string
		games        int
	}{
		{"freestyle", "gomoku", nil, nil, 3},
		{"standard 20", "gomoku:rule=standard,size=20", nil, nil, 2},
		{"renju", "gomoku:rule=renju", nil, nil, 2},
		{"caro", "gomoku:rule=caro", nil, nil, 2},
		{"caro6", "gomoku:rule=caro6,size=9", nil, nil, 2},
		{"rectangle", "gomoku:width=9,height=13", nil, nil, 2},
		{"continuous", "gomoku:size=7,continuous=true", nil, nil, 2},
		{"continuous renju", "gomoku:rule=renju,size=9,continuous=true", nil, nil, 2},
		{"swap2", "gomoku:opening=swap2", nil, nil, 4},
		{"early draw", "gomoku:rule=renju,size=9,drawempty=25", nil, nil, 2},
		{"yixin", "gomoku:rule=renju", map[string]string{"yixin": "true", "rules": "yixin"}, map[string]string{"rules": "yixin"}, 2},
		{"restart", "gomoku", map[string]string{"newgame": "restart", "takeback": "board", "omitzero": "true", "early": "false", "about": "false", "timeleft": "always"}, nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := pv.Protocol()
			if tt.name == "swap2" {
				// BOARD tells stones but not who chose what, so after a given
				// opening the bot is asked in another seat.
				p.Start = player.FromNothing
			}
			playertest.Trip{
				Protocol: p, Bot: func() player.Player { return playertest.NewRandom(5) },
				Spec: canonical(t, tt.spec), Board: board, Dialect: tt.host, ServeDialect: tt.engine, Games: tt.games,
			}.Run(t)
		})
	}
}

func TestHostConforms(t *testing.T) {
	for _, text := range []string{"gomoku:size=9", "gomoku:size=9,opening=swap2"} {
		t.Run(text, func(t *testing.T) {
			spec := canonical(t, text)
			playertest.Suite{
				New: func() player.Player {
					return playertest.Behind(t, pv.Protocol(), protocol.Config{Name: "bot", Now: time.Now}, func() protocol.Server {
						return protocol.Server{Player: playertest.NewRandom(3), Position: board(), Now: time.Now, Name: "bot", Game: spec}
					})
				},
				Spec: spec, Position: board,
			}.Run(t)
		})
	}
}
