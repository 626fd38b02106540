package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"kibitz/protocol"
	"kibitz/protocol/dctp"
	"kibitz/protocol/gtp"
	"kibitz/protocol/nboard"
	"kibitz/protocol/piskvork"
	"kibitz/protocol/ponder"
	"kibitz/protocol/readfile"
	"kibitz/protocol/sau"
	"kibitz/record"
)

// Protocols is the list of protocols: adding one is a folder under protocol and a word
// here.
func Protocols() []protocol.Protocol { return slices.Clone(protocols()) }

// protocols are made once: the forms of GTP and SAU are gathered from all games.
var protocols = sync.OnceValue(func() []protocol.Protocol {
	return []protocol.Protocol{
		nboard.Protocol(), piskvork.Protocol(), dctp.Protocol(), ponder.Protocol(), ponder.Old(), readfile.Protocol(),
		GTP(), SAU(),
	}
})

// GTP returns the Go Text Protocol for the games that have a form in it.
func GTP() protocol.Protocol { return FormsGTP().Protocol() }

// FormsGTP are the forms of all games that have one.
func FormsGTP() (forms gtp.Forms) {
	for _, g := range rows() {
		if f, ok := g.GTP.Get(); ok {
			f.Game = g.Rules.ID
			forms = append(forms, f)
		}
	}
	return forms
}

// SAU returns the protocol of the SAU platform for the games that have a form in it.
func SAU() protocol.Protocol { return FormsSAU().Protocol() }

// FormsSAU are the forms of all games that have one.
func FormsSAU() (forms sau.Forms) {
	for _, g := range rows() {
		if f, ok := g.SAU.Get(); ok {
			f.Game = g.Rules.ID
			forms = append(forms, f)
		}
	}
	return forms
}

// Consoles understand conversations with engines, for texts that people paste.
func Consoles() []record.Console {
	return []record.Console{
		nboard.Console(), piskvork.Console(), FormsSAU().Console(), FormsGTP().Console(), dctp.Console(), ponder.Console(),
	}
}

// ProtocolsOf returns the protocols that play a game, its default first.
func ProtocolsOf(id string) []protocol.Protocol {
	var out []protocol.Protocol
	for _, p := range Protocols() {
		switch {
		case slices.Contains(p.Default, id):
			out = slices.Insert(out, 0, p)
		case slices.Contains(p.Games, id):
			out = append(out, p)
		}
	}
	return out
}

// ProtocolFor returns the named protocol for a game, or the game's default one.
func ProtocolFor(id, name string) (protocol.Protocol, error) {
	for _, p := range protocols() {
		usual := slices.Contains(p.Default, id)
		if usual && name == "" || p.ID == name && (usual || slices.Contains(p.Games, id)) {
			return p, nil
		}
	}
	var known []string
	for _, p := range ProtocolsOf(id) {
		known = append(known, p.ID)
	}
	if len(known) == 0 {
		return protocol.Protocol{}, fmt.Errorf("no protocol for %s yet", id)
	}
	return protocol.Protocol{}, fmt.Errorf("proto=%s does not play %s: known are %s", name, id, strings.Join(known, " "))
}
