package amazons

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParseMove reads a move, "d1-d7", or a shot, "/g7".
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	t := strings.TrimSpace(text)
	if at, ok := strings.CutPrefix(t, "/"); ok {
		p, err := names.Parse(at)
		if err != nil {
			return game.Move{}, fmt.Errorf("shot %q: %w", text, err)
		}
		return game.ShootAt(p), nil
	}
	from, to, ok := strings.Cut(t, "-")
	if !ok {
		return game.Move{}, fmt.Errorf("%q is neither a move, for example d1-d7, nor a shot, for example /g7", text)
	}
	return names.ParseShift(text, from, to)
}

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string { return formatMove(m) }

func formatMove(m game.Move) string {
	switch {
	case m.Op == game.Shift && m.From.On(Size, Size) && m.To.On(Size, Size):
		return names.Format(m.From) + "-" + names.Format(m.To)
	case m.Op == game.Shoot && m.To.On(Size, Size):
		return "/" + names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows from the top with b, w, # and dots, separated by slashes;
// the side to move, b or w; and the square of the amazon that must shoot, if any.
func (s *State) Text() string {
	var t strings.Builder
	t.Grow(Squares + Size + 6)
	for sq, what := range s.board.cell {
		if sq > 0 && sq%Size == 0 {
			t.WriteByte('/')
		}
		if what == Empty {
			t.WriteByte('.')
		} else {
			t.WriteByte(letters[what])
		}
	}
	t.WriteByte(' ')
	t.WriteByte("bw"[s.board.side])
	if sq, ok := s.board.Shooter(); ok {
		t.WriteString(" " + names.Format(point(sq)))
	}
	return t.String()
}

// Position reads what Text writes. Numbers may stand for runs of empty squares,
// and x for a burnt square.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 3 {
		return nil, fmt.Errorf("position %q: write ten rows separated by slashes, the side b or w, and the square of an amazon that must "+
			"shoot, if any", text)
	}
	b := EmptyBoard()
	rows, err := names.SplitRows(fields[0])
	if err != nil {
		return nil, err
	}
	for y, row := range rows {
		if err := readRow(&b, y, strings.ToLower(row)); err != nil {
			return nil, fmt.Errorf("row %s %q: %w", names.Row(y), row, err)
		}
	}
	switch fields[1] {
	case "b", "B":
	case "w", "W":
		b.SetSide(game.Second)
	default:
		return nil, fmt.Errorf("side %q is neither b nor w", fields[1])
	}
	if len(fields) == 3 {
		if err := setShooter(&b, fields[2]); err != nil {
			return nil, err
		}
	}
	return newState(b, r.rulings), nil
}

func readRow(b *Board, y int, row string) error {
	x := 0
	for i := 0; i < len(row); i++ {
		c := row[i]
		if c >= '1' && c <= '9' {
			n := int(c - '0')
			if n == 1 && strings.HasPrefix(row[i:], "10") {
				n = Size
				i++
			}
			x += n
			continue
		}
		what := strings.IndexByte(".bw#x", c)
		if what < 0 {
			return fmt.Errorf("%q is not one of b w # . or a number", c)
		}
		if x >= Size {
			return fmt.Errorf("it has more than %d squares", Size)
		}
		what = min(what, int(Burnt))
		if w := uint8(what); w == Black || w == White {
			if b.count[w-Black] == Queens {
				return fmt.Errorf("more than %d amazons %q", Queens, c)
			}
		}
		if what != int(Empty) {
			b.Add(y*Size+x, uint8(what))
		}
		x++
	}
	if x != Size {
		return fmt.Errorf("it has %d squares instead of %d", x, Size)
	}
	return nil
}

func setShooter(b *Board, text string) error {
	p, err := names.Parse(text)
	if err != nil {
		return fmt.Errorf("amazon that must shoot: %w", err)
	}
	sq := p.Index(Size)
	if b.cell[sq] != Black+b.side {
		return fmt.Errorf("there is no amazon of the side to move on %s that could shoot", names.Format(p))
	}
	if b.Mobility(sq) == 0 {
		return fmt.Errorf("the amazon on %s cannot have moved: it has nothing to shoot at", names.Format(p))
	}
	b.from = int8(sq)
	b.hash ^= keys[shootKey+sq]
	return nil
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	doubt := rules.DoubtTurns([2]int{grid.CountOf(v, '#') & 1}, v.Turn.Seat)
	if grid.CountOf(v, 'b') < Queens || grid.CountOf(v, 'w') < Queens {
		doubt = rules.Doubt{Code: rules.DoubtMissing}
	}
	return grid.RowsOf(v, "bw#", "bw#.") + " " + "bw"[v.Turn.Seat&1:][:1], doubt
}
