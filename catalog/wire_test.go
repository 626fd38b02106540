package catalog_test

import (
	"reflect"
	"testing"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/rules"
)

// A board that went to a page can be drawn again, whoever it was made for, and each move has a
// name of its own on it.
func TestWireIsWhole(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			r, err := games.Open(g.ID)
			if err != nil {
				t.Fatal(err)
			}
			s := r.New()
			for n := range 80 {
				for _, a := range []game.Audience{game.ToFirst, game.ToSecond, game.Public} {
					view := s.View(a)
					want := wire.Of(&view)
					if got := wire.Of(want.Board()); !reflect.DeepEqual(got, want) {
						t.Fatalf("after %d decisions, for %s:\n%+v\n%+v", n, a, got, want)
					}
				}
				legal := s.Legal(nil)
				public := s.View(game.Public)
				v, names := wire.Of(&public), map[string]game.Move{}
				for _, m := range legal {
					name := wire.Typed(v.MoveName(m))
					if same, twice := names[name]; twice || name == "" {
						t.Fatalf("%s and %s are both %q", journal.FormatMove(same), journal.FormatMove(m), name)
					}
					names[name] = m
				}
				if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
					for _, o := range c.Outcomes(nil) {
						legal = append(legal, o.Move)
					}
				}
				if len(legal) == 0 {
					break
				}
				if _, err := s.Apply(legal[(n*n*37+n*11)%len(legal)], nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Moves are called as the script of boards calls them.
func TestMoveNames(t *testing.T) {
	v := &wire.View{Columns: []string{"a", "b", "c"}, Rows: []string{"3", "2", "1"}}
	for want, m := range map[string]game.Move{
		"b2": game.PlaceAt(game.Pt(1, 1)), "a1-c3": game.ShiftTo(game.Pt(0, 2), game.Pt(2, 0)), "/c2": game.ShootAt(game.Pt(2, 1)),
		"b3-b3": game.FlipAt(game.Pt(1, 0)), "a2h": game.EdgeAt(game.Pt(0, 1), false), "a1v": game.EdgeAt(game.Pt(0, 1), true),
		"pass": game.PassMove(), "stay": game.ChooseArg(0), "two": game.ChooseArg(2), "7": game.ChooseArg(7), "resign": game.ResignMove(),
	} {
		if got := v.MoveName(m); got != want {
			t.Errorf("%+v is called %q, not %q", m, got, want)
		}
	}
	if got := (&wire.View{}).MoveName(game.PlaceAt(game.Pt(4, 8))); got != "59" {
		t.Errorf("a board without labels counts: %q", got)
	}
	for typed, want := range map[string]string{"A1 - C3": "a1c3", " /c2": "c2", "a1h": "a1h", "": ""} {
		if got := wire.Typed(typed); got != want {
			t.Errorf("%q is read as %q", typed, got)
		}
	}
}
