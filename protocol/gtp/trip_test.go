package gtp_test

import (
	"strings"
	"testing"
	"time"

	"kibitz/bot"
	botamazons "kibitz/bot/amazons"
	botconnect6 "kibitz/bot/connect6"
	botnogo "kibitz/bot/nogo"
	botphantomgo "kibitz/bot/phantomgo"
	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

func board() player.Position { return rules.NewBoard(games.OpenSpec) }

// expected are remarks that two sides of the same house make on each other: what
// GTP cannot say.
func expected(text string) bool { return strings.Contains(text, "does not name the rul") }

func TestRoundTrip(t *testing.T) {
	for _, spec := range []game.Spec{
		"othello", "gomoku:rule=freestyle,size=15", "gomoku:rule=renju,size=9", "gomoku:rule=standard,size=25",
		"nogo", "nogo:size=5,rulings=sau", "connect6", "connect6:size=7", "connect6:size=19,rulings=sau",
		"amazons", "amazons:rulings=sau", "phantomgo", "phantomgo:size=5,komi=2,maxplies=120", "phantomgo:size=19",
	} {
		t.Run(string(spec), func(t *testing.T) {
			for name, bot := range map[string]func() player.Player{
				"first legal draw": func() player.Player { return playertest.NewRandom(42) },
				"random":           func() player.Player { return playertest.Nameless{Player: random.New(random.Options{Seed: 3})} },
			} {
				t.Run(name, func(t *testing.T) {
					playertest.Trip{Protocol: forms.Protocol(), Spec: canonical(t, spec), Board: board, Games: 3, Bot: bot, Expected: expected}.Run(t)
				})
			}
		})
	}
}

// TestBotsRoundTrip plays games of the built-in engines through both ends, with the
// mistakes of a low level: they are the games that the engines play without it.
func TestBotsRoundTrip(t *testing.T) {
	for spec, build := range map[game.Spec]func(bot.Options) player.Player{
		"amazons": botamazons.New, "connect6": botconnect6.New, "nogo": botnogo.New, "phantomgo": botphantomgo.New,
	} {
		for _, turn := range []string{"whole", "points"} {
			if turn == "points" && (spec == "nogo" || spec == "phantomgo") {
				continue
			}
			t.Run(string(spec)+" "+turn, func(t *testing.T) {
				nodes := int64(60)
				if testing.Short() {
					nodes = 10
				}
				d := map[string]string{"turn": turn}
				playertest.Trip{
					Protocol: forms.Protocol(), Spec: canonical(t, spec), Board: board, Limits: player.Limits{Nodes: nodes, Depth: 2},
					Bot: func() player.Player {
						return playertest.Nameless{Player: build(bot.Options{Level: 2, Seed: 4, Now: time.Now})}
					},
					Dialect: d, ServeDialect: d,
				}.Run(t)
			})
		}
	}
}

var canonical = playertest.Canonical(board)

// TestRoundTripDialects sends the same games with every switch moved; Served are the
// switches of the engine side where they are others.
func TestRoundTripDialects(t *testing.T) {
	for _, tt := range []struct {
		spec       game.Spec
		host, side map[string]string
	}{
		{"othello", map[string]string{"letters": "all", "rows": "bottom", "ids": "on"}, nil},
		{"othello", map[string]string{"letters": "no-i", "rows": "top", "colour": "long", "time": "always"}, nil},
		{"othello", map[string]string{"set_game": "off", "time": "off"}, nil},
		{"othello", map[string]string{"turn": "points", "first": "white"}, nil},
		{"connect6", map[string]string{"turn": "points"}, nil},
		{"connect6", map[string]string{"turn": "alternate", "ids": "on"}, nil},
		{"connect6", map[string]string{"turn": "points", "letters": "all", "rows": "top"}, map[string]string{"letters": "all", "rows": "top"}},
		{"connect6", map[string]string{"join": "hyphen"}, map[string]string{"turn": "points"}}, // found out
		{"connect6:size=8,rulings=sau", map[string]string{"turn": "points"}, nil},
		{"amazons", map[string]string{"turn": "points", "first": "white"}, nil},
		{"amazons", map[string]string{"turn": "alternate", "letters": "no-i"}, nil},
		{"amazons", map[string]string{"turn": "whole", "join": "blank", "colour": "long"}, map[string]string{"turn": "auto", "join": "none"}},
		{"amazons", map[string]string{"join": "none", "first": "white", "rows": "top"}, nil},
		{"nogo", map[string]string{"letters": "all", "turn": "points"}, nil},
		{"phantomgo", map[string]string{"letters": "all", "rows": "top", "ids": "on", "colour": "long", "turn": "points", "first": "white", "time": "always"}, nil},
	} {
		serve := map[string]string{}
		for _, from := range []map[string]string{tt.host, tt.side} {
			for _, k := range []string{"letters", "rows", "turn", "join", "first"} {
				if v, ok := from[k]; ok {
					serve[k] = v
				}
			}
		}
		playertest.Trip{
			Protocol: forms.Protocol(), Spec: canonical(t, tt.spec), Board: board, Dialect: tt.host, ServeDialect: serve,
			Bot: func() player.Player { return playertest.NewRandom(3) }, Games: 2,
			Expected: func(text string) bool {
				return expected(text) || tt.side != nil && strings.Contains(text, "dialect.turn=points")
			},
		}.Run(t)
	}
}

// TestHostIsAPlayer holds the host to the contract of players, with a served bot
// behind it.
func TestHostIsAPlayer(t *testing.T) {
	for _, spec := range []game.Spec{
		"othello", "gomoku:rule=freestyle,size=9", "nogo", "connect6", "connect6 points", "amazons", "amazons points", "amazons alternate", "phantomgo:size=5",
	} {
		t.Run(string(spec), func(t *testing.T) {
			id, turn, _ := strings.Cut(string(spec), " ")
			spec, dialect := game.Spec(id), map[string]string{}
			if turn != "" {
				dialect["turn"] = turn
			}
			playertest.Suite{
				Spec: canonical(t, spec), Position: board, Deterministic: true, OneSeat: spec.ID() == "phantomgo",
				New: func() player.Player {
					return playertest.Behind(t, forms.Protocol(), protocol.Config{Name: "X", Now: time.Now, Dialect: dialect}, func() protocol.Server {
						return protocol.Server{Player: playertest.NewRandom(9), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec, Dialect: dialect}
					})
				},
			}.Run(t)
		})
	}
}
