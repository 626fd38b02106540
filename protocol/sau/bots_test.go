package sau_test

import (
	"testing"
	"time"

	"kibitz/bot"
	botamazons "kibitz/bot/amazons"
	botconnect6 "kibitz/bot/connect6"
	botdotsandboxes "kibitz/bot/dotsandboxes"
	botnogo "kibitz/bot/nogo"
	botphantomgo "kibitz/bot/phantomgo"
	botsurakarta "kibitz/bot/surakarta"
	"kibitz/player"
	"kibitz/player/playertest"
)

// TestBotsRoundTrip plays games of the built-in engines through both ends of the
// protocol, with the mistakes of a low level: they are the games that the engines
// play without it.
func TestBotsRoundTrip(t *testing.T) {
	for id, build := range map[string]func(bot.Options) player.Player{
		"amazons":      botamazons.New,
		"connect6":     botconnect6.New,
		"dotsandboxes": botdotsandboxes.New,
		"nogo":         botnogo.New,
		"phantomgo":    botphantomgo.New,
		"surakarta":    botsurakarta.New,
	} {
		t.Run(id, func(t *testing.T) {
			nodes := int64(30)
			if testing.Short() {
				nodes = 10
			}
			playertest.Trip{
				Protocol: forms.Protocol(), Spec: canonical(t, id), Board: board, Limits: player.Limits{Nodes: nodes, Depth: 2},
				Bot: func() player.Player {
					return playertest.Nameless{Player: build(bot.Options{Level: 2, Seed: 4, Now: time.Now})}
				},
			}.Run(t)
		})
	}
}
