package rulestest

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/rules"
)

// checkSymmetry: a game played through a symmetry of the board has the mirrored
// legal moves and the same result. Symmetries that the initial position does not
// share cannot be compared this way; they are only checked to be permutations.
func checkSymmetry(s *subject) error {
	sym, ok := s.rules.(rules.Symmetric)
	if !ok {
		return nil
	}
	var f faults
	d := s.rules.Doc()
	list := sym.Symmetries()
	played := 0
	for i, t := range list {
		if err := permutation(t, d); err != nil {
			f.add("symmetry %d: %w", i, err)
			continue
		}
		if i == 0 && !identity(t, d) {
			f.add("the first symmetry is not the identity")
		}
		if !keeps(s.rules.New(), t) {
			continue
		}
		played++
		decisions := 0
		for j, p := range s.games {
			if decisions += len(p.moves); j > 0 && decisions > 1200 {
				break
			}
			if err := mirrored(s, p, t); err != nil {
				f.add("symmetry %d: %w", i, err)
			}
		}
	}
	s.logf("%d symmetries, %d of them played", len(list), played)
	if played < 2 && len(list) > 1 {
		f.add("none of the %d symmetries keeps the initial position", len(list))
	}
	return f.err()
}

func permutation(t func(game.Point) game.Point, d *rules.Doc) error {
	seen := map[game.Point]bool{}
	for y := range d.Height {
		for x := range d.Width {
			q := t(game.Pt(x, y))
			if !q.On(d.Width, d.Height) || seen[q] {
				return fmt.Errorf("%v goes to %v, off the board or taken", game.Pt(x, y), q)
			}
			seen[q] = true
		}
	}
	return nil
}

func identity(t func(game.Point) game.Point, d *rules.Doc) bool {
	for y := range d.Height {
		for x := range d.Width {
			if t(game.Pt(x, y)) != game.Pt(x, y) {
				return false
			}
		}
	}
	return true
}

// keeps reports whether the initial position looks the same through t.
func keeps(st rules.State, t func(game.Point) game.Point) bool {
	v := st.View(game.Arbiter)
	for y := range v.Height {
		for x := range v.Width {
			p := game.Pt(x, y)
			if len(v.Cells) > 0 && v.At(p) != v.At(t(p)) {
				return false
			}
		}
	}
	legal, through := st.Legal(nil), st.Legal(nil)
	for i := range through {
		through[i] = through[i].Through(t)
	}
	return sameMoves(legal, through)
}

func sameMoves(a, b []game.Move) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, compareMoves)
	slices.SortFunc(b, compareMoves)
	return slices.Equal(a, b)
}

func mirrored(s *subject, p playout, t func(game.Point) game.Point) error {
	st, im := s.rules.New(), s.rules.New()
	for i, m := range p.moves {
		legal := st.Legal(nil)
		for j := range legal {
			legal[j] = legal[j].Through(t)
		}
		if !sameMoves(legal, im.Legal(nil)) {
			return fmt.Errorf("after %s the mirrored legal moves are %v instead of %v", s.moveList(p.moves[:i]), im.Legal(nil), legal)
		}
		if _, err := st.Apply(m, nil); err != nil {
			return err
		}
		if _, err := im.Apply(m.Through(t), nil); err != nil {
			return fmt.Errorf("mirrored %s: %w", s.moveList(p.moves[:i+1]), err)
		}
		if st.Turn() != im.Turn() {
			return fmt.Errorf("after %s the turn is %+v, mirrored %+v", s.moveList(p.moves[:i+1]), st.Turn(), im.Turn())
		}
	}
	a, _ := st.Result()
	b, _ := im.Result()
	if a.Points != b.Points || a.Board != b.Board || a.Reason != b.Reason {
		return fmt.Errorf("result %+v, mirrored %+v", a, b)
	}
	return nil
}
