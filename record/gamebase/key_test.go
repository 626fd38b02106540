package gamebase_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record/gamebase"
	"kibitz/rules"
)

// keyer returns the keyer of a game's rules.
func keyer(r rules.Rules) *gamebase.Keyer {
	var list []func(game.Point) game.Point
	if s, ok := r.(rules.Symmetric); ok {
		list = s.Symmetries()
	}
	return gamebase.NewKeyer(r.Spec(), r.Doc().Width, r.Doc().Height, list)
}

func place(k *gamebase.Keyer, s rules.State) gamebase.Place {
	v := s.View(game.Arbiter)
	return k.Find(&v, s.Legal(nil))
}

// draw decides for whoever is on turn, chance included.
func draw(rng *rand.Rand, s rules.State) (game.Move, bool) {
	var list []game.Move
	if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
		for _, o := range c.Outcomes(nil) {
			list = append(list, o.Move)
		}
	} else {
		list = s.Legal(nil)
	}
	if len(list) == 0 {
		return game.Move{}, false
	}
	return list[rng.IntN(len(list))], true
}

// image moves the points of a decision through a symmetry, written apart from the
// package: a line of dots is what joins the images of its ends.
func image(m game.Move, t func(game.Point) game.Point) game.Move {
	switch m.Op {
	case game.Edge:
		b := game.Point{X: m.To.X + int8(1-m.Arg), Y: m.To.Y + int8(m.Arg)}
		ends := []game.Point{t(m.To), t(b)}
		if ends[1].X < ends[0].X || ends[1].Y < ends[0].Y {
			slices.Reverse(ends)
		}
		return game.EdgeAt(ends[0], ends[1].Y > ends[0].Y)
	case game.Shift:
		return game.ShiftTo(t(m.From), t(m.To))
	case game.Pass, game.Choose:
		return m
	}
	m.To = t(m.To)
	return m
}

// TestSymmetry plays random games and their images side by side: the keys agree
// after every decision, different positions have different keys, and a move that is
// kept and taken out again is the move or one of its images.
func TestSymmetry(t *testing.T) {
	for _, spec := range []string{
		"othello", "gomoku:size=9", "gomoku:size=9,opening=swap2", "gomoku:width=11,height=7", "amazons", "connect6", "nogo:size=7",
		"dotsandboxes:size=4", "phantomgo:size=5", "surakarta", "darkchess",
	} {
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		k := keyer(r)
		for i, f := range r.(rules.Symmetric).Symmetries() { //nolint:forcetypeassert // all of these are
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			s, other := r.New(), r.New()
			if !keeps(s, f) {
				continue
			}
			seen := map[int64]string{}
			for n := range 150 {
				p, q := place(k, s), place(k, other)
				if p.Key != q.Key {
					t.Fatalf("%s, symmetry %d, decision %d: the image has another key:\n%s\n%s", spec, i, n, s.Text(), other.Text())
				}
				m, ok := draw(rng, s)
				if !ok {
					break
				}
				if kept := p.Canon(m); s.Turn().Seat != game.Dealer {
					checkMove(t, s, k, p, m, kept)
					if q.Canon(image(m, f)) != kept {
						t.Fatalf("%s, symmetry %d: %s and its image are kept apart at %s", spec, i, r.FormatMove(m), s.Text())
					}
				}
				board := boardOf(s)
				if old, twice := seen[p.Key]; twice && old != board {
					t.Fatalf("%s: one key for\n%s\n%s", spec, old, board)
				}
				seen[p.Key] = board
				if _, err := s.Apply(m, nil); err != nil {
					t.Fatal(err)
				}
				if _, err := other.Apply(image(m, f), nil); err != nil {
					t.Fatalf("%s, symmetry %d: %v", spec, i, err)
				}
			}
		}
	}
}

// keeps reports whether a symmetry leaves the initial position as it is.
func keeps(s rules.State, f func(game.Point) game.Point) bool {
	v := s.View(game.Arbiter)
	for i, c := range v.Cells {
		if p := game.Pt(i%v.Width, i/v.Width); v.Shape != game.Dots && v.At(f(p)) != c {
			return false
		}
	}
	return true
}

// boardOf is what a key stands for, for games of one line of play: what is seen,
// without the order of moves.
func boardOf(s rules.State) string {
	v := s.View(game.Arbiter)
	b := []byte(v.Turn.Phase)
	for _, c := range v.Cells {
		b = append(b, c.Piece+1)
	}
	for _, l := range v.Lines {
		b = append(b, byte(l.At.X), byte(l.At.Y), byte(len(b)))
	}
	return string(b)
}

// checkMove takes a kept move out again: one of what comes out is the move, and all
// lead to positions of one key.
func checkMove(t *testing.T, s rules.State, k *gamebase.Keyer, p gamebase.Place, m game.Move, kept int64) {
	t.Helper()
	list := p.Moves(kept)
	if !slices.Contains(list, m) {
		t.Fatalf("%v is kept and comes out as %v", m, list)
	}
	keys := map[int64]bool{}
	for _, x := range list {
		next := s.Clone()
		if _, err := next.Apply(x, nil); err != nil {
			t.Fatalf("%v is said to be the same as %v: %v", x, m, err)
		}
		if next.Turn().Seat != game.Dealer && !hidden(next) {
			keys[place(k, next).Key] = true
		}
	}
	if len(keys) > 1 {
		t.Fatalf("%v lead to %d different positions", list, len(keys))
	}
}

func hidden(s rules.State) bool { _, is := s.(rules.Permitter); return is }

// TestTransposition: the order of moves does not matter, whose turn it is does.
func TestTransposition(t *testing.T) {
	r, err := games.Open("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	k := keyer(r)
	key := func(words ...string) int64 {
		s := r.New()
		for _, w := range words {
			m, err := r.ParseMove(w)
			if err == nil {
				_, err = s.Apply(m, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		p := place(k, s)
		return p.Key
	}
	if key("h8", "i9", "g7") != key("g7", "i9", "h8") {
		t.Error("the order of two stones gives another position")
	}
	if key("h8", "i9", "g7") != key("h8", "g7", "i9") {
		t.Error("the half turn about h8 gives another position")
	}
	if key("h8", "i9") == key("i9", "h8") {
		t.Error("the colours of the stones do not matter")
	}
	other, err := games.Open("gomoku:rule=renju")
	if err != nil {
		t.Fatal(err)
	}
	if p, q := place(k, r.New()), place(keyer(other), other.New()); p.Key == q.Key {
		t.Error("positions of other rules are the same")
	}
}
