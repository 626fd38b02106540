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
	var x Indexer
	return x.place(k, s)
}

// place finds the place of a position, with the room of the indexer.
func (x *Indexer) place(k *gamebase.Keyer, s rules.State) gamebase.Place {
	if o, ok := s.(rules.Outliner); ok {
		o.Outline(&x.view)
	} else {
		x.view = s.View(game.Arbiter)
	}
	if x.view.Turn.Step > 0 {
		x.legal = s.Legal(x.legal[:0])
	}
	return k.Find(&x.view, x.legal)
}

// Indexer makes entries of games. It is used by one goroutine.
type Indexer struct {
	keyers map[game.Spec]*gamebase.Keyer
	plies  int
	view   game.View // room for a position, its moves, and what a move tells
	legal  []game.Move
	told   []game.Notice
}

// New returns an indexer of the first plies of each game, of all for 0.
func New(plies int) *Indexer { return &Indexer{keyers: map[game.Spec]*gamebase.Keyer{}, plies: plies} }

// Entry makes an entry of a record that was replayed and is legal. Source is the name of
// the file that it is from.
func (x *Indexer) Entry(l *replay.Line, g *record.Game, source string) (gamebase.Entry, error) {
	e := gamebase.Entry{Game: gameOf(l, g, source), Visits: make([]gamebase.Visit, 0, x.most(l))}
	err := x.each(l, func(i int, p *gamebase.Place, seat game.Seat) {
		v := gamebase.Visit{Key: p.Key, Seat: seat}
		if i < l.Len() {
			v.Move = p.Canon(l.Steps[i].Move)
		}
		e.Visits = append(e.Visits, v)
	})
	return e, err
}

// Keys are the positions of the entry that Entry would make.
func (x *Indexer) Keys(l *replay.Line) ([]int64, error) {
	out := make([]int64, 0, x.most(l))
	err := x.each(l, func(_ int, p *gamebase.Place, _ game.Seat) { out = append(out, p.Key) })
	return out, err
}

// most is how many positions a game has at most.
func (x *Indexer) most(l *replay.Line) int {
	if n := l.Len() + 1; x.plies == 0 || x.plies > n {
		return n
	}
	return x.plies
}

// each visits the positions of a game: each is called with how many decisions were made, and with
// the seat that is on turn.
func (x *Indexer) each(l *replay.Line, each func(i int, p *gamebase.Place, seat game.Seat)) error {
	k := x.keyers[l.Rules.Spec()]
	if k == nil {
		k = Keyer(l.Rules)
		x.keyers[l.Rules.Spec()] = k
	}
	s, err := l.State(0)
	if err != nil {
		return err
	}
	for i, n := 0, 0; ; i++ {
		seat := s.Turn().Seat
		over := i == l.Len()
		if seat != game.Dealer && (over || !l.Steps[i].Refused) {
			p := x.place(k, s)
			each(i, &p, seat)
			n++
		}
		if over || x.plies > 0 && n >= x.plies {
			return nil
		}
		if x.told, err = s.Apply(l.Steps[i].Move, x.told[:0]); err != nil {
			return err
		}
	}
}
