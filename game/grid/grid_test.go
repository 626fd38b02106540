package grid_test

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/game/grid"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		names grid.Names
		p     game.Point
		want  string
	}{
		{grid.Names{Width: 10, Height: 10}, game.Pt(3, 9), "d1"},
		{grid.Names{Width: 10, Height: 10}, game.Pt(0, 0), "a10"},
		{grid.Names{Width: 8, Height: 8, FromTop: true}, game.Pt(7, 0), "h1"},
		{grid.Names{Width: 19, Height: 19, NoI: true}, game.Pt(8, 18), "j1"},
		{grid.Names{Width: 19, Height: 19, NoI: true}, game.Pt(18, 0), "t19"},
		{grid.Names{Width: 127, Height: 127}, game.Pt(26, 126), "aa1"},
		{grid.Names{Width: 127, Height: 127}, game.Pt(126, 0), "dw127"},
	} {
		if got := c.names.Format(c.p); got != c.want {
			t.Errorf("%v is written %q, want %q", c.p, got, c.want)
		}
	}
}

func TestNamesReadBack(t *testing.T) {
	for _, n := range []grid.Names{
		{Width: 127, Height: 127},
		{Width: 127, Height: 3, FromTop: true, NoI: true},
		{Width: 4, Height: 8},
	} {
		seen := map[string]bool{}
		for y := range n.Height {
			for x := range n.Width {
				p := game.Pt(x, y)
				text := n.Format(p)
				if seen[text] {
					t.Errorf("%q names two points", text)
				}
				seen[text] = true
				if got, err := n.Parse(" " + strings.ToUpper(text)); err != nil || got != p {
					t.Fatalf("%q is read as %v, %v; want %v", text, got, err, p)
				}
			}
		}
		if len(n.Columns()) != n.Width || len(n.Rows()) != n.Height {
			t.Errorf("%d columns, %d rows", len(n.Columns()), len(n.Rows()))
		}
	}
}

func TestNamesRefuse(t *testing.T) {
	n := grid.Names{Width: 8, Height: 8}
	for _, text := range []string{"", "a", "1", "a0", "a9", "i1", "a01", "a-1", "a+1", "aa1", "a1x", "ä1", "a1 1"} {
		if p, err := n.Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, p)
		} else if !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("error %q does not quote %q", err, text)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"a1", "h8", "AA3", "zz99", ""} {
		f.Add(s)
	}
	n := grid.Names{Width: 30, Height: 19}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := n.Parse(text)
		if err != nil {
			return
		}
		if back, err := n.Parse(n.Format(p)); err != nil || back != p {
			t.Errorf("%q is %v, written %q, read as %v, %v", text, p, n.Format(p), back, err)
		}
	})
}

func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for n := range uint64(100_000) {
		seen[grid.Key(n)] = true
	}
	if len(seen) != 100_000 || seen[0] {
		t.Errorf("%d different keys", len(seen))
	}
	// First numbers of the published generator from seed 0.
	if grid.Key(0) != 0xe220a8397b1dcdaf || grid.Key(1) != 0x6e789e6aa1b965f4 {
		t.Errorf("keys %x, %x", grid.Key(0), grid.Key(1))
	}
	for n, key := range grid.Keys(3) {
		if key != grid.Key(uint64(n)) {
			t.Errorf("key %d of a list is %x", n, key)
		}
	}
}
