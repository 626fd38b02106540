package main

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/bot"
	botamazons "kibitz/bot/amazons"
	botconnect6 "kibitz/bot/connect6"
	botdarkchess "kibitz/bot/darkchess"
	botdotsandboxes "kibitz/bot/dotsandboxes"
	botgomoku "kibitz/bot/gomoku"
	botnogo "kibitz/bot/nogo"
	botothello "kibitz/bot/othello"
	botphantomgo "kibitz/bot/phantomgo"
	botsurakarta "kibitz/bot/surakarta"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
	"kibitz/protocol/gtp"
	"kibitz/protocol/nboard"
	"kibitz/protocol/piskvork"
	"kibitz/protocol/ponder"
	"kibitz/protocol/readfile"
	"kibitz/protocol/sau"
)

// protocols is the explicit list of protocols: adding one is a folder under
// protocol and a line here.
func protocols() []protocol.Protocol {
	return []protocol.Protocol{nboard.Protocol(), piskvork.Protocol(), dctp.Protocol(), ponder.Protocol(), ponder.Old(), readfile.Protocol(), gtp.Protocol(), sau.Protocol()}
}

// bots are the built-in engines by game.
func bots() map[string]func(bot.Options) player.Player {
	return map[string]func(bot.Options) player.Player{
		"amazons":      botamazons.New,
		"connect6":     botconnect6.New,
		"darkchess":    botdarkchess.New,
		"dotsandboxes": botdotsandboxes.New,
		"gomoku":       botgomoku.New,
		"nogo":         botnogo.New,
		"othello":      botothello.New,
		"phantomgo":    botphantomgo.New,
		"surakarta":    botsurakarta.New,
	}
}

// protocolsOf returns the protocols that play a game, its default first.
func protocolsOf(id string) []protocol.Protocol {
	var out []protocol.Protocol
	for _, p := range protocols() {
		switch {
		case slices.Contains(p.Default, id):
			out = slices.Insert(out, 0, p)
		case slices.Contains(p.Games, id):
			out = append(out, p)
		}
	}
	return out
}

// protocolFor returns the named protocol for a game, or the game's default one.
func protocolFor(id, name string) (protocol.Protocol, error) {
	list := protocolsOf(id)
	var known []string
	for _, p := range list {
		if p.ID == name || name == "" {
			return p, nil
		}
		known = append(known, p.ID)
	}
	if len(known) == 0 {
		return protocol.Protocol{}, fmt.Errorf("no protocol for %s yet", id)
	}
	return protocol.Protocol{}, fmt.Errorf("proto=%s does not play %s: known are %s", name, id, strings.Join(known, " "))
}
