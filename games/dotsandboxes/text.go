package dotsandboxes

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

// FormatMove writes the left dot of a horizontal line and h, the lower dot of a
// vertical line and v: "a6h" is the line from the top left dot to the right on
// the board of 6x6 dots, "a5v" the one from the same dot downwards.
func (r *ruleSet) FormatMove(m game.Move) string {
	down := m.Arg == 1
	to := end(m.To, down)
	if m != game.EdgeAt(m.To, down) || !m.To.On(r.size+1, r.size+1) || !to.On(r.size+1, r.size+1) {
		return m.String()
	}
	if down {
		return r.names.Format(to) + "v"
	}
	return r.names.Format(m.To) + "h"
}

// ParseMove reads what FormatMove writes, also as "(a6,h)" and "a6-h", and the two
// ends of a line, "a6-b6" or "b6a6".
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	if in, ok := strings.CutPrefix(t, "("); ok {
		if in, ok = strings.CutSuffix(in, ")"); ok {
			t = in
		}
	}
	first, last := t, ""
	if i := strings.IndexAny(t, "0123456789"); i >= 0 {
		for i < len(t) && t[i] >= '0' && t[i] <= '9' {
			i++
		}
		first, last = t[:i], strings.TrimLeft(t[i:], " -,")
	}
	p, err := r.names.Parse(first)
	if err != nil {
		return game.Move{}, fmt.Errorf("line %q: %w", text, err)
	}
	switch last {
	case "h":
		if int(p.X) == r.size {
			return game.Move{}, fmt.Errorf("line %q: no line runs to the right from a dot of the last column; h goes with the left dot of a line",
				text)
		}
		return game.EdgeAt(p, false), nil
	case "v":
		if p.Y == 0 {
			return game.Move{}, fmt.Errorf("line %q: no line runs upwards from a dot of the top row; v goes with the lower dot of a line", text)
		}
		return game.EdgeAt(game.Point{X: p.X, Y: p.Y - 1}, true), nil
	}
	return r.between(text, p, last)
}

// between reads the second dot of a line.
func (r *ruleSet) between(text string, p game.Point, last string) (game.Move, error) {
	q, err := r.names.Parse(last)
	if err != nil {
		return game.Move{}, fmt.Errorf("line %q: write its left or lower dot and h or v, for example %s, or both its dots, for example %s-%s",
			text, r.FormatMove(game.EdgeAt(game.Pt(0, 0), false)), r.names.Format(game.Pt(0, 0)), r.names.Format(game.Pt(1, 0)))
	}
	a := game.Point{X: min(p.X, q.X), Y: min(p.Y, q.Y)}
	b := game.Point{X: max(p.X, q.X), Y: max(p.Y, q.Y)}
	if int(b.X-a.X)+int(b.Y-a.Y) != 1 {
		return game.Move{}, fmt.Errorf("line %q: dots %s and %s are not neighbours", text, r.names.Format(p), r.names.Format(q))
	}
	return game.EdgeAt(a, a.X == b.X), nil
}

// Text draws the board from the top, rows separated by slashes: rows of dots with
// their horizontal lines, "+-+.+", and between them rows of vertical lines and
// boxes, "IbI..", with b or w in a box and dots for what is open; then the side to
// move, b or w; then, in the middle of a turn, the number of its lines so far.
func (s *State) Text() string {
	b, n := &s.board, s.rules.size
	var t strings.Builder
	for y := range n + 1 {
		if y > 0 {
			t.WriteByte('/')
		}
		t.WriteByte('+')
		for x := range n {
			t.WriteByte(mark(b.drawn.Has(LineAt(x, y, false)), '-'))
			t.WriteByte('+')
		}
		if y == n {
			break
		}
		t.WriteByte('/')
		for x := range n {
			t.WriteByte(mark(b.drawn.Has(LineAt(x, y, true)), 'I'))
			t.WriteByte(b.owner(y*stride + x))
		}
		t.WriteByte(mark(b.drawn.Has(LineAt(n, y, true)), 'I'))
	}
	t.WriteByte(' ')
	t.WriteByte(letters[b.side])
	if b.step > 0 {
		t.WriteString(" " + strconv.Itoa(int(b.step)))
	}
	return t.String()
}

func mark(drawn bool, c byte) byte {
	if drawn {
		return c
	}
	return '.'
}

func (b *Board) owner(box int) byte {
	for seat, owned := range b.owned {
		if owned>>box&1 != 0 {
			return letters[seat]
		}
	}
	return '.'
}

// Position reads what Text writes; a vertical line may also be "|".
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 3 {
		return nil, fmt.Errorf("position %q: write %d rows separated by slashes, the side b or w, and the number of lines drawn in a turn "+
			"under way, if any", text, 2*r.size+1)
	}
	b := NewBoard(r.size)
	rows := strings.Split(fields[0], "/")
	if len(rows) != 2*r.size+1 {
		return nil, fmt.Errorf("position has %d rows instead of %d: %q", len(rows), 2*r.size+1, fields[0])
	}
	for i, row := range rows {
		if err := b.readRow(i, strings.ToLower(strings.ReplaceAll(row, "|", "I"))); err != nil {
			return nil, fmt.Errorf("row %d from the top %q: %w", i+1, row, err)
		}
	}
	b.open = b.open.Without(b.drawn)
	if wrong := b.drawn.Closed() ^ (b.owned[0] | b.owned[1]); wrong != 0 {
		return nil, boxFault(&b, wrong, r)
	}
	switch fields[1] {
	case "b", "B":
	case "w", "W":
		b.side = 1
	default:
		return nil, fmt.Errorf("side %q is neither b nor w", fields[1])
	}
	if len(fields) == 3 {
		if err := b.setStep(fields[2]); err != nil {
			return nil, err
		}
	}
	return &State{rules: r, board: b}, nil
}

// readRow reads row i of 2*size+1: rows of dots are even, rows of boxes odd.
func (b *Board) readRow(i int, row string) error {
	if want := 2*int(b.size) + 1; len(row) != want {
		return fmt.Errorf("it has %d characters instead of %d", len(row), want)
	}
	for j := range len(row) {
		c := row[j]
		x, y := j/2, i/2
		allowed := ".-" // a horizontal line
		switch {
		case i%2 == 0 && j%2 == 0:
			allowed = "+"
		case i%2 == 1 && j%2 == 0:
			allowed = ".i"
		case i%2 == 1:
			allowed = ".bw"
		}
		k := strings.IndexByte(allowed, c)
		switch {
		case k < 0:
			return fmt.Errorf("character %d is %q instead of %s", j+1, c, strings.Join(strings.Split(allowed, ""), " or "))
		case k == 0:
		case i%2 == 1 && j%2 == 1:
			b.owned[k-1] |= 1 << (y*stride + x)
		default:
			b.drawn = b.drawn.With(LineAt(x, y, i%2 == 1))
		}
	}
	return nil
}

// boxFault says what is wrong with the first of boxes that are closed without an
// owner or owned without being closed.
func boxFault(b *Board, wrong uint64, r *ruleSet) error {
	p := Lines{H: wrong}.First().Dot()
	at := r.names.Format(game.Point{X: p.X, Y: p.Y + 1})
	if b.drawn.Closed()&wrong&-wrong != 0 {
		return fmt.Errorf("the box above dot %s and to its right is closed: write b or w into it", at)
	}
	return fmt.Errorf("the box above dot %s and to its right belongs to somebody, but is not closed", at)
}

// setStep sets the number of lines of the turn under way, each of which has closed
// a box for the side to move.
func (b *Board) setStep(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("%q is not a number of lines drawn in this turn", text)
	case n > 0 && b.Over():
		return fmt.Errorf("no turn of %d lines can go on: all lines are drawn", n)
	case n > bits.OnesCount64(b.owned[b.side]):
		return fmt.Errorf("%d lines were drawn in this turn, but %c has only %d boxes: each line of a turn that goes on closes one or two", n,
			letters[b.side], bits.OnesCount64(b.owned[b.side]))
	}
	b.step = uint8(n)
	return nil
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	s := State{rules: r, board: NewBoard(r.size)}
	for _, l := range v.Lines {
		if to := end(l.At, l.Vertical); l.At.On(r.size+1, r.size+1) && to.On(r.size+1, r.size+1) {
			s.board.drawn = s.board.drawn.With(LineAt(int(l.At.X), int(l.At.Y), l.Vertical))
		}
	}
	for i, c := range v.Cells {
		x, y := i%v.Width, i/v.Width
		if k := strings.IndexByte(letters, c.Piece); k >= 0 && x < r.size && y < r.size {
			s.board.owned[k] |= 1 << (y*stride + x)
		}
	}
	s.board.side = uint8(v.Turn.Seat & 1)
	return s.Text(), rules.Doubt{}
}
