package darkchess

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

const resignation = "a0-a0"

// ParseMove reads a move or capture "b5-b6", a flip "b7-b7", a flip's outcome
// "b7(M)", and the resignation "a0-a0". Pieces are told apart by case, squares
// are not.
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	t := strings.TrimSpace(text)
	if t == resignation {
		return game.ResignMove(), nil
	}
	if at, rest, ok := strings.Cut(t, "("); ok {
		p, err := names.Parse(at)
		if err != nil {
			return game.Move{}, fmt.Errorf("flip %q: %w", text, err)
		}
		piece := -1
		if len(rest) == 2 && rest[1] == ')' {
			piece = strings.IndexByte(Letters[:Pieces], rest[0])
		}
		if piece < 0 {
			return game.Move{}, fmt.Errorf("flip %q: %q is not a piece of %s in parentheses", text, "("+rest, Letters[:Pieces])
		}
		return game.DealAt(p, piece), nil
	}
	from, to, ok := strings.Cut(t, "-")
	if !ok {
		return game.Move{}, fmt.Errorf("%q is neither a move, for example b5-b6, nor a flip, b7-b7", text)
	}
	m, err := names.ParseShift(text, from, to)
	if err == nil && m.From == m.To {
		return game.FlipAt(m.To), nil
	}
	return m, err
}

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string { return formatMove(m) }

func formatMove(m game.Move) string {
	on := m.To.On(Width, Height)
	switch {
	case m.Op == game.Resign:
		return resignation
	case m.Op == game.Flip && on:
		return names.Format(m.To) + "-" + names.Format(m.To)
	case m.Op == game.Deal && on && m.Arg >= 0 && m.Arg < Pieces:
		return names.Format(m.To) + "(" + Letters[m.Arg:m.Arg+1] + ")"
	case m.Op == game.Shift && on && m.From.On(Width, Height):
		return names.Format(m.From) + "-" + names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows 8 to 1 with piece letters, X for face down and - for
// empty, separated by slashes; the colour to move, r, b or ? before the first
// flip; then what is not as usual: first=r or first=b if the other colour than
// the one to move belongs to the first seat, hidden=LETTERS of the pieces face
// down if some have left the board, quiet=N plies since the last flip or capture,
// and flip=SQUARE that is being turned over.
func (s *State) Text() string {
	var t strings.Builder
	for sq, what := range s.board.cell {
		if sq > 0 && sq%Width == 0 {
			t.WriteByte('/')
		}
		t.WriteByte(Letters[what])
	}
	switch colour, known := s.ToMove(); {
	case !known:
		t.WriteString(" ?")
	default:
		t.WriteByte(' ')
		t.WriteByte("rb"[colour])
		if s.seat == game.Second {
			t.WriteString(" first=" + "br"[colour:colour+1])
		}
	}
	if s.board.at[Hidden] != 0 && s.board.down != s.board.rest() {
		t.WriteString(" hidden=")
		for p, n := range s.board.down {
			for range n {
				t.WriteByte(Letters[p])
			}
		}
	}
	if s.quiet > 0 {
		t.WriteString(" quiet=" + strconv.Itoa(int(s.quiet)))
	}
	if s.pending != noSquare {
		t.WriteString(" flip=" + names.Format(point(int(s.pending))))
	}
	return t.String()
}

// rest returns the complete set without the pieces face up; numbers wrap if more
// are face up than the set has.
func (b *Board) rest() (count [Pieces]uint8) {
	for p, n := range FullSet {
		count[p] = n - uint8(bits.OnesCount32(b.at[p]))
	}
	return count
}

// Position reads what Text writes. Besides, alive=N,N,... gives the pieces left,
// those face down included, as fourteen numbers in the order of Letters; red and
// black may be written out. A position under way has no history: repetitions
// count from here.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return nil, fmt.Errorf("position %q: write eight rows of four separated by slashes, row 8 first, and the colour to move, r, b or ?", text)
	}
	s := newState(r, EmptyBoard())
	if err := readRows(&s.board, fields[0]); err != nil {
		return nil, err
	}
	colour, err := grid.ReadColour(fields[1])
	if err != nil {
		return nil, err
	}
	f := setup{first: colour, down: s.board.rest()}
	for _, field := range fields[2:] {
		key, value, _ := strings.Cut(field, "=")
		if err := f.read(&s.board, key, value); err != nil {
			return nil, fmt.Errorf("%q of the position: %w", field, err)
		}
	}
	if err := f.check(&s.board, colour); err != nil {
		return nil, err
	}
	s.board.SetDown(f.down)
	s.first = f.first
	if f.first != colour {
		s.seat = game.Second
	}
	s.forget()
	s.quiet = int32(f.quiet)
	s.judge()
	if s.end == "" {
		s.pending = f.flip()
	}
	return s, nil
}

func readRows(b *Board, text string) error {
	rows, err := names.SplitRows(text)
	if err != nil {
		return err
	}
	for y, row := range rows {
		if len(row) != Width {
			return fmt.Errorf("row %d %q has %d squares instead of %d", Height-y, row, len(row), Width)
		}
		for x := range Width {
			what := strings.IndexByte(Letters, row[x])
			if what < 0 {
				return fmt.Errorf("row %d %q: %q is not one of %s", Height-y, row, row[x], Letters)
			}
			b.Put(y*Width+x, uint8(what))
		}
	}
	for p, n := range FullSet {
		if have := bits.OnesCount32(b.at[p]); have > int(n) {
			return fmt.Errorf("%d pieces %c are face up, the set has %d", have, Letters[p], n)
		}
	}
	return nil
}

// setup is what a position says beside its rows.
type setup struct {
	first   game.Colour
	down    [Pieces]uint8
	given   bool // down was given, not completed
	quiet   int
	turning int // square being turned over, plus 1
}

func (f *setup) flip() int8 { return int8(f.turning - 1) }

func (f *setup) read(b *Board, key, value string) (err error) {
	switch key {
	case "first":
		f.first, err = grid.ReadColour(value)
		if err == nil && f.first == game.NoColour {
			err = fmt.Errorf("say r or b")
		}
	case "hidden":
		f.down, f.given = [Pieces]uint8{}, true
		for i := range len(value) {
			p := strings.IndexByte(Letters[:Pieces], value[i])
			if p < 0 {
				return fmt.Errorf("%q is not one of %s", value[i], Letters[:Pieces])
			}
			f.down[p]++
		}
	case "alive":
		return f.alive(b, value)
	case "quiet":
		f.quiet, err = strconv.Atoi(value)
		if err != nil || f.quiet < 0 || f.quiet > 1<<20 {
			return fmt.Errorf("%q is not a number of plies", value)
		}
	case "flip":
		p, err := names.Parse(value)
		if err != nil {
			return err
		}
		if b.cell[p.Index(Width)] != Hidden {
			return fmt.Errorf("nothing is face down on %s", value)
		}
		f.turning = p.Index(Width) + 1
	default:
		return fmt.Errorf("unknown: known are first hidden alive quiet flip")
	}
	return err
}

func (f *setup) alive(b *Board, value string) error {
	f.given = true
	numbers := strings.Split(value, ",")
	if len(numbers) != Pieces {
		return fmt.Errorf("%d numbers instead of %d", len(numbers), Pieces)
	}
	for p, text := range numbers {
		n, err := strconv.Atoi(text)
		if err != nil || n < bits.OnesCount32(b.at[p]) || n > int(FullSet[p]) {
			return fmt.Errorf("%q pieces %c: from %d, those face up, to %d can be left", text, Letters[p], bits.OnesCount32(b.at[p]), FullSet[p])
		}
		f.down[p] = uint8(n - bits.OnesCount32(b.at[p]))
	}
	return nil
}

// check holds the parts of a position against each other.
func (f *setup) check(b *Board, colour game.Colour) error {
	if colour == game.NoColour {
		if b.Own(Red)|b.Own(Black) != 0 {
			return fmt.Errorf("pieces are face up, so the colours are known: say r or b to move instead of ?")
		}
		if f.first != game.NoColour || b.at[Hidden] == 0 {
			return fmt.Errorf("before the first flip nobody has a colour, and pieces must be face down")
		}
	}
	total := 0
	for p, n := range f.down {
		total += int(n)
		if int(n)+bits.OnesCount32(b.at[p]) > int(FullSet[p]) {
			return fmt.Errorf("%d pieces %c are face up or down, the set has %d", int(n)+bits.OnesCount32(b.at[p]), Letters[p], FullSet[p])
		}
	}
	if hidden := bits.OnesCount32(b.at[Hidden]); total != hidden {
		if hidden == 0 && !f.given {
			f.down = [Pieces]uint8{}
			return nil
		}
		up := bits.OnesCount32(b.Own(Red) | b.Own(Black))
		return fmt.Errorf("%d squares are face down, but 32 pieces less %d face up and %d taken leave %d: say which with hidden=, "+
			"for example hidden=Kpp", hidden, up, 32-up-total, total)
	}
	return nil
}

// Compose implements rules.Composer. What lies in a tray "taken" has left the board; all others
// of the set that are not face up lie face down, or the position is refused.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	up, gone := 0, 0
	var left [Pieces]int
	for p, n := range FullSet {
		on := grid.CountOf(v, Letters[p])
		up, left[p] = up+on, int(n)-on
	}
	for _, t := range v.Trays {
		for _, i := range t.Items {
			if p := strings.IndexByte(Letters[:Pieces], i.Piece); p >= 0 && t.Name == "taken" {
				left[p] -= i.Count
				gone += i.Count
			}
		}
	}
	down := grid.CountOf(v, Letters[Hidden])
	text := grid.RowsOf(v, Letters[:Pieces]+"X", Letters)
	seat := v.Turn.Seat & 1
	switch colour := v.Colours[seat]; {
	case up+gone == 0 && down > 0:
		text += " ?"
	case seat == game.First && colour != game.Black:
		text += " r"
	case seat == game.First:
		text += " b"
	case colour == game.Red:
		text += " r first=b"
	default:
		text += " b first=r"
	}
	if down > 0 && gone > 0 {
		text += " hidden="
		for p, n := range left {
			text += strings.Repeat(Letters[p:p+1], max(0, n))
		}
	}
	return text, rules.Doubt{}
}
