package opening

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

// Turner turns and mirrors openings of one game by the symmetries that its rules
// name. It is immutable and safe for concurrent use.
type Turner struct {
	rules         rules.Rules
	width, height int
	shape         game.Shape
	list          []func(game.Point) game.Point
	// initial are the numbers of the symmetries that leave the initial position as
	// it is: those alone are good for decisions from there.
	initial []int
	start   rules.State
	// columns and rows are the labels of the board, in lower case.
	columns, rows []string
}

// NewTurner finds out which symmetries a game has. Number 0 is the identity.
func NewTurner(r rules.Rules) *Turner {
	t := &Turner{rules: r, start: r.New(), list: []func(game.Point) game.Point{func(p game.Point) game.Point { return p }}}
	v := t.start.View(game.Arbiter)
	t.width, t.height, t.shape = v.Width, v.Height, v.Shape
	for _, s := range v.Columns {
		t.columns = append(t.columns, strings.ToLower(s))
	}
	for _, s := range v.Rows {
		t.rows = append(t.rows, strings.ToLower(s))
	}
	if sym, ok := r.(rules.Symmetric); ok {
		t.list = sym.Symmetries()
	}
	for n := range t.list {
		if im, err := t.state(t.start, n); err == nil && im.Text() == t.start.Text() {
			t.initial = append(t.initial, n)
		}
	}
	return t
}

// Of returns the numbers of the symmetries that can be used for openings from a
// position, the identity first: for the initial position (an empty text) those that
// leave it as it is, for any other all that the rules name.
func (t *Turner) Of(start string) []int {
	if start == "" {
		return t.initial
	}
	all := make([]int, len(t.list))
	for i := range all {
		all[i] = i
	}
	return all
}

// Move returns a decision as it looks through symmetry n.
func (t *Turner) Move(m game.Move, n int) game.Move { return m.Through(t.list[n]) }

// Turn returns an opening as it looks through symmetry n, checked by the rules.
func (t *Turner) Turn(o Opening, n int) (Opening, error) {
	if n == 0 {
		return o, nil
	}
	s, err := t.from(o.Start, n)
	if err != nil {
		return o, err
	}
	out := Opening{Name: o.Name, Steps: make([]game.Move, len(o.Steps))}
	if o.Start != "" {
		out.Start = s.Text()
	}
	for i, m := range o.Steps {
		out.Steps[i] = t.Move(m, n)
		if _, err := s.Apply(out.Steps[i], nil); err != nil {
			return o, fmt.Errorf("opening %s turned, move %d, %s: %w", o.Name, i+1, t.rules.FormatMove(out.Steps[i]), err)
		}
	}
	return out, nil
}

// from returns a copy of the start position through symmetry n.
func (t *Turner) from(start string, n int) (rules.State, error) {
	if start == "" {
		return t.start.Clone(), nil
	}
	s, err := t.rules.Position(start)
	if err != nil {
		return nil, err
	}
	return t.state(s, n)
}

// Key returns a number that is equal for openings which lead to the same position
// but for a symmetry, however they come there.
func (t *Turner) Key(o *Opening) (uint64, error) {
	var least uint64
	for i, n := range t.Of(o.Start) {
		s, err := t.from(o.Start, n)
		if err != nil {
			return 0, err
		}
		for _, m := range o.Steps {
			if n > 0 {
				m = t.Move(m, n)
			}
			if _, err := s.Apply(m, nil); err != nil {
				return 0, err
			}
		}
		if h := s.Hash(); i == 0 || h < least {
			least = h
		}
	}
	return least, nil
}

// errText is the error of a position whose text cannot be turned.
var errText = errors.New("this position cannot be turned or mirrored")

// state returns a position through symmetry n. It is made from the text, and
// compared with the original by what stands on the board and what is legal.
func (t *Turner) state(s rules.State, n int) (rules.State, error) {
	if n == 0 {
		return s.Clone(), nil
	}
	im, err := t.rules.Position(t.text(s.Text(), n))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errText, err)
	}
	if im.Turn() != s.Turn() || !t.sameBoard(s.View(game.Arbiter), im.View(game.Arbiter), n) || !t.sameLegal(s, im, n) {
		return nil, errText
	}
	return im, nil
}

// sameBoard reports whether what stands on a point of the first board stands on its
// image on the second. On a board of dots those are the lines.
func (t *Turner) sameBoard(a, b game.View, n int) bool {
	if t.shape == game.Dots {
		if len(a.Lines) != len(b.Lines) {
			return false
		}
		for _, l := range a.Lines {
			m := game.EdgeAt(l.At, l.Vertical)
			m = t.Move(m, n)
			l.At, l.Vertical = m.To, m.Arg == 1
			if !slices.ContainsFunc(b.Lines, func(x game.Line) bool { return x.At == l.At && x.Vertical == l.Vertical }) {
				return false
			}
		}
		return a.Score == b.Score
	}
	for y := range a.Height {
		for x := range a.Width {
			if p := game.Pt(x, y); a.At(p) != b.At(t.list[n](p)) {
				return false
			}
		}
	}
	return true
}

// sameLegal reports whether the legal decisions of the second position are the
// images of those of the first.
func (t *Turner) sameLegal(a, b rules.State, n int) bool {
	want, have := a.Legal(nil), b.Legal(nil)
	if len(want) != len(have) {
		return false
	}
	seen := make(map[game.Move]bool, len(have))
	for _, m := range have {
		seen[m] = true
	}
	return !slices.ContainsFunc(want, func(m game.Move) bool { return !seen[t.Move(m, n)] })
}
