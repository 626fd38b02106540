// Package index turns games into entries of a game base: by the rules it finds the
// positions of a game, and the place of each among its images.
package index

import (
	"kibitz/game"
	"kibitz/record"
	"kibitz/record/gamebase"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Keyer returns the keyer of a game's positions.
func Keyer(r rules.Rules) *gamebase.Keyer {
	var list []func(game.Point) game.Point
	if s, ok := r.(rules.Symmetric); ok {
		list = s.Symmetries()
	}
	d := r.Doc()
	return gamebase.NewKeyer(r.Spec(), d.Width, d.Height, list)
}

// Place finds the place of a position.
func Place(k *gamebase.Keyer, s rules.State) gamebase.Place {
	v := s.View(game.Arbiter)
	var legal []game.Move
	if v.Turn.Step > 0 {
		legal = s.Legal(nil)
	}
	return k.Find(&v, legal)
}

// Indexer makes entries of games. It is used by one goroutine.
type Indexer struct {
	keyers map[game.Spec]*gamebase.Keyer
	plies  int
}

// New returns an indexer of the first plies of each game, of all for 0.
func New(plies int) *Indexer { return &Indexer{keyers: map[game.Spec]*gamebase.Keyer{}, plies: plies} }

// Entry makes an entry of a record that was replayed and is legal. Source is the name of
// the file that it is from.
func (x *Indexer) Entry(l *replay.Line, g *record.Game, source string) (gamebase.Entry, error) {
	k := x.keyers[l.Rules.Spec()]
	if k == nil {
		k = Keyer(l.Rules)
		x.keyers[l.Rules.Spec()] = k
	}
	e := gamebase.Entry{Game: gameOf(l, g, source)}
	s, err := l.State(0)
	if err != nil {
		return e, err
	}
	for i := 0; ; i++ {
		seat := s.Turn().Seat
		over := i == l.Len()
		if seat != game.Dealer && (over || !l.Steps[i].Refused) {
			p := Place(k, s)
			v := gamebase.Visit{Key: p.Key, Seat: seat}
			if !over {
				v.Move = p.Canon(l.Steps[i].Move)
			}
			e.Visits = append(e.Visits, v)
		}
		if over || x.plies > 0 && len(e.Visits) >= x.plies {
			return e, nil
		}
		if _, err := s.Apply(l.Steps[i].Move, nil); err != nil {
			return e, err
		}
	}
}
