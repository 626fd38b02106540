package grid_test

import (
	"cmp"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/game/grid"
)

func TestRows(t *testing.T) {
	n := grid.Names{Width: 3, Height: 2}
	for _, tt := range []struct{ text, want, err string }{
		{".bw/w..", "", ""},
		{"..B/W.w", "..b/w.w", ""},
		{"...", "", `position has 1 rows instead of 2: "..."`},
		{".../...b", "", `row 1 "...b" has 4 points instead of 3`},
		{"...//", "", "position has 3 rows instead of 2"},
		{".x./...", "", `'x' is not one of b w . in row 2 ".x."`},
		{"\u00e4./...", "", `is not one of b w . in row 2`},
	} {
		var board [2][3]int
		err := n.ParseRows(tt.text, ".bw", func(x, y, what int) { board[y][x] = what })
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: %v, want %s", tt.text, err, tt.err)
			}
			continue
		}
		tt.want = cmp.Or(tt.want, tt.text)
		if got := n.FormatRows(func(x, y int) byte { return ".bw"[board[y][x]] }); err != nil || got != tt.want {
			t.Errorf("%q: %q, %v", tt.text, got, err)
		}
	}
}

func TestStone(t *testing.T) {
	n := grid.Names{Width: 9, Height: 9}
	for _, tt := range []struct {
		text string
		want game.Move
	}{{"e5", game.PlaceAt(game.Pt(4, 4))}, {" A9 ", game.PlaceAt(game.Pt(0, 0))}, {"PASS", game.PassMove()}} {
		m, err := n.ParseStone(tt.text)
		if err != nil || m != tt.want || n.FormatStone(m) != strings.ToLower(strings.TrimSpace(tt.text)) {
			t.Errorf("%q: %v, %v, written %q", tt.text, m, err, n.FormatStone(m))
		}
	}
	if _, err := n.ParseStone("k5"); err == nil || !strings.Contains(err.Error(), "neither a point nor a pass") {
		t.Error(err)
	}
	for _, m := range []game.Move{game.PlaceAt(game.Pt(9, 0)), game.ShootAt(game.Pt(0, 0)), {}} {
		if got := n.FormatStone(m); got != m.String() {
			t.Errorf("%v is written %q", m, got)
		}
	}
}
