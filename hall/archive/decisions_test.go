package archive

import (
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/games"
	"kibitz/hall/records"
	"kibitz/journal"
	"kibitz/record/formats"
)

// A decision is called by one name in lists and on boards.
func TestOneName(t *testing.T) {
	h := Archive{Open: games.Open, Set: formats.New(games.OpenSpec)}
	for spec, move := range map[game.Spec]string{
		"amazons": "s3,9>3,4", "breakthrough": "s1,6>1,5", "connect6": "p9,9", "darkchess": "f0,0", "dotsandboxes": "e0,0:1", "gomoku": "p7,7",
		"nogo": "p4,4", "othello": "p5,4", "phantomgo": "p4,4", "surakarta": "s2,1>2,2",
	} {
		l, err := h.Line(t.Context(), spec, "", []string{move}, 0)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		m, err := journal.ParseMove(move)
		if want := wire.Of(l.Views[0]).MoveName(m); err != nil || l.Steps[0].Name != want {
			t.Errorf("%s: %s is called %q, on boards %q (%v)", spec, move, l.Steps[0].Name, want, err)
		}
	}
}

// A choice of swap2 is written as a point may be called: the position tells what is meant.
func TestChoices(t *testing.T) {
	const spec = "gomoku:rule=renju,size=9,opening=swap2"
	h := Archive{Open: games.Open, Set: formats.New(games.OpenSpec)}
	for _, c := range []struct{ moves, names []string }{
		{[]string{"p5,0", "p2,1", "p5,6", "c0", "c1"}, []string{"f1", "c2", "f7", "stay", "c1"}},
		{[]string{"p5,0", "p2,1", "p5,6", "c1", "c1"}, []string{"f1", "c2", "f7", "swap", "c1"}},
		{[]string{"c1", "c2", "c3", "c2", "d1", "d2", "c1", "c4"}, []string{"c1", "c2", "c3", "two", "d1", "d2", "swap", "c4"}},
	} {
		l, err := h.Line(t.Context(), spec, "", c.moves, 0)
		if err != nil {
			t.Errorf("%v: %v", c.moves, err)
			continue
		}
		var names []string
		for _, s := range l.Steps {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("%v: %v, want %v", c.moves, names, c.names)
		}
		if v, _, err := h.Position(t.Context(), spec, "", c.moves); err != nil || v.Turn.Seat == game.Nobody {
			t.Errorf("the position after %v: %v", c.moves, err)
		}
		tree := &records.TreeWish{Spec: spec}
		for _, m := range c.moves {
			tree.Steps = append(tree.Steps, records.TreeStepWish{Move: m})
		}
		tree.Steps[3].Variations = [][]records.TreeStepWish{{{Move: "c1"}, {Move: "c1"}}}
		if _, err := h.WriteTree(t.Context(), tree, nil, ""); err != nil {
			t.Errorf("a file of %v: %v", c.moves, err)
		}
	}
}
