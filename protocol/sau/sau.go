// Package sau speaks the protocol of the SAU game platform (Shenyang Aerospace
// University), with which engines play Amazons, Connect6, NoGo, Dots and Boxes,
// Phantom Go and Surakarta. It holds a codec, a host that drives such engines, and
// the engine side for built-in ones. docs/protocols/sau.md is the page for authors
// of engines.
//
// What differs between the games is their Form, which the catalog gives.
package sau

import (
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Protocol returns the entry for the list of protocols.
func (l Forms) Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       "sau",
		Games:    l.Games(),
		Default:  l.Games(),
		Dialects: dialects(),
		Host:     l.NewHost,
		Serve:    l.Serve,
		Retries:  10, // the platform says error and asks again, without end
		Hint:     hint,
		Scores:   game.NoUnit,
		Start:    player.FromNothing,
		Checks:   l.Checks,
	}
}
