package games_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/games/surakarta"
	"kibitz/rules"
)

// What a board shows beside pieces: points that are barred, what decided the game, and
// the way of a capture.
func TestShown(t *testing.T) {
	for _, tt := range []struct{ name, spec, position, moves, barred, won, path string }{
		{"five", "gomoku", "", "h8 a1 i8 b1 j8 c1 k8 d1 l8", "", "h8 i8 j8 k8 l8", ""},
		{"two fives by one stone", "gomoku", "h8a1i8b1j8d1k8e1l9g1l10h1l11j1l12k1", "l8", "", "h8 i8 j8 k8 l8 l9 l10 l11 l12", ""},
		{"six in standard is none", "gomoku:rule=standard", "f8a1g8c1h8e1j8g1k8i1", "i8", "", "", ""},
		{"points of renju", "gomoku:rule=renju", "h7a1h9c1g8e1i8g1", "", "h8", "", ""},
		{"no points for white", "gomoku:rule=renju", "h7a1h9c1g8e1i8", "", "", "", ""},
		{"a foul of threes is its stone", "gomoku:rule=renju", "h7a1h9c1g8e1i8g1", "h8", "", "h8", ""},
		{"an overline is all its stones", "gomoku:rule=renju", "f8a1g8c1h8e1j8g1k8i1", "i8", "", "f8 g8 h8 i8 j8 k8", ""},
		{"a full board is nobody's", "gomoku:size=5,drawempty=24", "", "a1", "", "", ""},
		{"six, the longest line", "connect6", "", "a1 a9 b9 b1 c1 c9 d9 d1 e1 e9 f9", "", "a9 b9 c9 d9 e9 f9", ""},
		{"nobody may capture", "nogo:size=4", "b.../..../..../..w. w", "", "", "", ""},
		{"a captured stone", "nogo:size=4", "b.../w.../..../.... w", "b4", "", "a4", ""},
		{"points that capture, and an eye", "nogo:size=4", "b.b./wb../..../...w w", "", "b4", "", ""},
		{"a quiet move has no way", "surakarta", "", "c5-c4", "", "", ""},
		{"over one arc", "surakarta", "6/6/6/w5/6/2b3 b 0", "c1-a3", "", "", "c1 a3"},
		{"along a line and over the arc at its end", "surakarta", "6/6/w5/6/6/2b3 b 0", "c1-a4", "", "", "c1 c2 c3 c4 c5 c6 a4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := games.Open(tt.spec)
			if err != nil {
				t.Fatal(err)
			}
			st := r.New()
			if tt.position != "" {
				if st, err = r.Position(tt.position); err != nil {
					t.Fatal(err)
				}
			}
			for text := range strings.FieldsSeq(tt.moves) {
				m, err := r.ParseMove(text)
				if err == nil {
					_, err = st.Apply(m, nil)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			v := st.View(game.Public)
			for what, x := range map[string]struct {
				have []game.Point
				want string
			}{"barred": {v.Barred, tt.barred}, "won": {v.Won, tt.won}, "path": {v.Path, tt.path}} {
				if have := named(&v, x.have, what != "path"); have != x.want {
					t.Errorf("%s: %q, want %q", what, have, x.want)
				}
			}
		})
	}
}

// named are the names of points by the labels of a board, in their order or by columns.
func named(v *game.View, list []game.Point, sorted bool) string {
	var out []string
	list = slices.Clone(list)
	if sorted {
		slices.SortFunc(list, func(a, b game.Point) int { return (int(a.X)-int(b.X))*200 + int(a.Y) - int(b.Y) })
	}
	for _, p := range list {
		out = append(out, v.Columns[p.X]+v.Rows[p.Y])
	}
	return strings.Join(out, " ")
}

// The way of each capture of random games leads over empty points from end to end, along
// lines and over at least one arc; a quiet move has none.
func TestSurakartaWays(t *testing.T) {
	r, err := games.Open("surakarta:nocapture=0")
	if err != nil {
		t.Fatal(err)
	}
	rng, captures := rand.New(rand.NewPCG(1, 2)), 0
	for range 200 {
		st := r.New()
		for range 80 {
			legal := st.Legal(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			before := st.View(game.Public)
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
			captures += checkWay(t, st, &before, m)
		}
	}
	if captures < 500 {
		t.Errorf("only %d captures", captures)
	}
}

func checkWay(t *testing.T, st rules.State, before *game.View, m game.Move) int {
	t.Helper()
	v := st.View(game.Public)
	if before.At(m.To).Piece == 0 {
		if len(v.Path) > 0 {
			t.Fatalf("a quiet move has the way %v", v.Path)
		}
		return 0
	}
	if len(v.Path) < 2 || v.Path[0] != m.From || v.Path[len(v.Path)-1] != m.To {
		t.Fatalf("the capture %v has the way %v", m, v.Path)
	}
	arcs := 0
	for i, p := range v.Path[1:] {
		q := v.Path[i]
		dx, dy := abs(p.X-q.X), abs(p.Y-q.Y)
		switch {
		case dx+dy == 1:
		case dx == dy && dx <= 2 && edge(p) && edge(q):
			arcs++
		default:
			t.Fatalf("the way %v jumps from %v to %v", v.Path, q, p)
		}
		if p != m.To && p != m.From && before.At(p).Piece != 0 {
			t.Fatalf("the way %v leads over the piece on %v", v.Path, p)
		}
	}
	if arcs == 0 {
		t.Fatalf("the way %v has no arc", v.Path)
	}
	return 1
}

func edge(p game.Point) bool {
	return p.X == 0 || p.Y == 0 || p.X == surakarta.Size-1 || p.Y == surakarta.Size-1
}

func abs(x int8) int {
	return max(int(x), -int(x))
}
