package board

import (
	"bytes"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

// TestOrientation pins the drawings of a board upright, turned and lying. The marks
// stay with their squares, attempts keep their names.
func TestOrientation(t *testing.T) {
	for _, tt := range []struct{ spec, position, moves, how, want string }{
		{"darkchess", "C-k-/----/X---/----/P---/----/p--r/---K r hidden=p", "a4-b4", Upright, `
   a b c d
 8 C . k . 8
 7 . . . . 7
 6 X . . . 6
 5 . . . . 5
 4(.(P). . 4
 3 . . . . 3
 2 p . . r 2
 1 . . . K 1
   a b c d
  hidden: p`},
		{"darkchess", "C-k-/----/X---/----/P---/----/p--r/---K r hidden=p", "a4-b4", Turned, `
   d c b a
 1 K . . . 1
 2 r . . p 2
 3 . . . . 3
 4 . .(P(.)4
 5 . . . . 5
 6 . . . X 6
 7 . . . . 7
 8 . k . C 8
   d c b a
  hidden: p`},
		{"darkchess", "C-k-/----/X---/----/P---/----/p--r/---K r hidden=p", "a4-b4", Lying, `
   8 7 6 5 4 3 2 1
 a C . X .(.). p . a
 b . . . .(P). . . b
 c k . . . . . . . c
 d . . . . . . r K d
   8 7 6 5 4 3 2 1
  hidden: p`},
		{"phantomgo:size=5", "", "c3 d4 e4 c3 d4", Lying, `
   5 4 3 2 1
 a . . . . . a
 b . . . . . b
 c . .?b . . c
 d .(w). . . d
 e .(b). . . e
   5 4 3 2 1
  refused in this turn: d4 c3`},
	} {
		r, err := games.Open(tt.spec)
		if err != nil {
			t.Fatal(err)
		}
		b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r, nil })
		if err := b.Reset(r.Spec(), tt.position); err != nil {
			t.Fatal(err)
		}
		for text := range strings.FieldsSeq(tt.moves) {
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Apply(m); err != nil {
				t.Fatal(err)
			}
		}
		v := b.View(game.Arbiter)
		if err := Orient(&v, tt.how); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		Painter{W: &out, Lying: tt.how == Lying}.Draw(&v)
		if got := "\n" + out.String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s: got%s", tt.spec, tt.how, got)
		}
	}
	v := game.View{Shape: game.Dots}
	if Orient(&v, Upright) != nil || Orient(&v, Lying) == nil {
		t.Error("a board of dots can be turned")
	}
}
