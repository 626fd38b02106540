package engines

import (
	"context"
	"strings"
	"time"
	"unicode"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

const (
	// ownNameLimit is how long an engine is waited for that is asked for its name: whoever
	// takes longer to become ready keeps the name of its file.
	ownNameLimit = 10 * time.Second
	mostOwnAbout = 300
)

// Askable reports whether the engine can be asked what it is: it is a command. What has to be
// unpacked, or needs a Windows, is not asked.
func (e *Spec) Askable() bool { return len(e.Cmd) > 0 && !e.Program.needy() }

// AsksName reports whether the engine's own name is wanted: it was given none.
func (e *Spec) AsksName() bool { return e.Askable() && !e.Named }

// OwnName starts an engine as for a game and returns the name that it gives itself,
// empty if it gives none or does not become ready.
func (l *Launcher) OwnName(ctx context.Context, e *Spec, r rules.Rules) string {
	name, _ := l.Introduced(ctx, e, r)
	return name
}

// Introduced is OwnName, and what the engine says of itself in one line, empty if nothing.
func (l *Launcher) Introduced(ctx context.Context, e *Spec, r rules.Rules) (name, about string) {
	proto, err := catalog.ProtocolFor(r.Spec().ID(), e.Proto)
	if err != nil || proto.LaunchOf(e.Dialect).Folder { // they are asked nothing but moves
		return "", ""
	}
	p, err := l.Player(e, r, 1, &Traffic{}) // what is odd is told by the first game
	if err != nil {
		return "", ""
	}
	defer func() { _ = p.Close() }() // it is of no use any more
	n, ok := p.(player.Namer)
	if !ok {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, ownNameLimit)
	defer cancel()
	doc := r.Doc()
	s := &player.Setup{
		ID: "name", Spec: r.Spec(), Width: doc.Width, Height: doc.Height, Seat: game.First, Names: [2]string{e.Name, "other"},
		ToMove: r.New().Turn().Seat, Colours: doc.Colours, Limits: e.Limits(),
	}
	if err := p.NewGame(ctx, s); err != nil {
		return "", ""
	}
	defer p.Over(game.Result{Reason: game.ByAbort})
	if d, ok := p.(player.Describer); ok {
		about = game.Shown(d.EngineAbout(), mostOwnAbout)
	}
	return cleanName(n.EngineName()), about
}

// cleanName is an engine's own name as a run can have it: in one line, without what
// nobody can see.
func cleanName(name string) string {
	name = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, game.Shown(name, player.MostOwnName))
	return strings.Join(strings.Fields(name), " ")
}
