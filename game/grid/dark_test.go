package grid_test

import (
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/game/grid"
)

func TestDarkPlies(t *testing.T) {
	at := game.Pt
	for _, c := range []struct {
		text, again string
		want        []game.Move
	}{
		{"b5-b6", "b5-b6", []game.Move{game.ShiftTo(at(1, 3), at(1, 2))}},
		{"B5.b6", "b5-b6", []game.Move{game.ShiftTo(at(1, 3), at(1, 2))}},
		{"b7(M)", "b7(M)", []game.Move{game.FlipAt(at(1, 1)), game.DealAt(at(1, 1), 2)}},
		{"d1(p)", "d1(p)", []game.Move{game.FlipAt(at(3, 7)), game.DealAt(at(3, 7), 13)}},
		{"a8[k]", "a8(k)", []game.Move{game.FlipAt(at(0, 0)), game.DealAt(at(0, 0), 7)}},
		{"b7-b7", "", []game.Move{game.FlipAt(at(1, 1))}},
		{"a0-a0", "a0-a0", []game.Move{game.ResignMove()}},
		{"c5-c6", "c5-c6", []game.Move{game.ShiftTo(at(2, 3), at(2, 2))}}, // c is a piece, too
	} {
		got, err := grid.ReadDarkPly(c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v %v", c.text, got, err)
			continue
		}
		again, n := grid.AppendDarkPly(nil, got)
		if string(again) != c.again || n != len(got) && c.again != "" {
			t.Errorf("%q is written %q (%d steps)", c.text, again, n)
		}
	}
	for _, bad := range []string{"", "b5", "b5-", "b5-b9", "e1-e2", "b5-b66", "x7(M)", "a0-a1", "a0(K)", "b7(Z)", "b7(M))"} {
		if got, err := grid.ReadDarkPly(bad); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func FuzzReadDarkPly(f *testing.F) {
	f.Add("b5-b6")
	f.Add("b7(M)")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := grid.ReadDarkPly(text)
		if err != nil {
			return
		}
		again, n := grid.AppendDarkPly(nil, steps)
		if n == 0 {
			return // a flip without its outcome
		}
		if got, err := grid.ReadDarkPly(string(again)); err != nil || !slices.Equal(got, steps) {
			t.Fatalf("%q: %v, %q: %v %v", text, steps, again, got, err)
		}
	})
}
