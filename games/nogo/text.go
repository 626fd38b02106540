package nogo

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

// ParseMove reads a point, "e5", or "pass".
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	if strings.EqualFold(strings.TrimSpace(text), "pass") {
		return game.PassMove(), nil
	}
	p, err := r.names.Parse(text)
	if err != nil {
		return game.Move{}, fmt.Errorf("neither a point nor a pass: %w", err)
	}
	return game.PlaceAt(p), nil
}

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string {
	switch {
	case m.Op == game.Pass:
		return "pass"
	case m == game.PlaceAt(m.To) && m.To.On(r.size, r.size):
		return r.names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows from the top with b, w and dots, separated by slashes, and
// the side to move, b or w; after a pass, which ends the game, the word passed.
// Any other end is seen on the board.
func (s *State) Text() string {
	var t strings.Builder
	for y := range s.r.size {
		if y > 0 {
			t.WriteByte('/')
		}
		for x := range s.r.size {
			t.WriteByte(".bw"[s.board.cell[s.board.At(x, y)]])
		}
	}
	t.WriteByte(' ')
	t.WriteByte("bw"[s.side])
	if s.end == passed {
		t.WriteString(" passed")
	}
	return t.String()
}

// Position reads what Text writes. A board on which a chain has no liberty is the
// end of a game that the side not to move has lost.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 3 {
		return nil, fmt.Errorf("position %q: write %d rows of b, w and dots separated by slashes, and the side b or w", text, r.size)
	}
	s := &State{r: r, board: NewBoard(r.size)}
	if err := s.readRows(fields[0]); err != nil {
		return nil, err
	}
	switch strings.ToLower(fields[1]) {
	case "b":
	case "w":
		s.side = 1
	default:
		return nil, fmt.Errorf("side %q is neither b nor w", fields[1])
	}
	if len(fields) == 3 {
		if !r.passes || !strings.EqualFold(fields[2], "passed") {
			return nil, fmt.Errorf("%q after the side: only the word passed can be there, after a pass that lost the game", fields[2])
		}
		s.end = passed
	}
	s.look()
	return s, nil
}

func (s *State) readRows(text string) error {
	rows := strings.Split(strings.ToLower(text), "/")
	if len(rows) != s.r.size {
		return fmt.Errorf("position has %d rows instead of %d: %q", len(rows), s.r.size, text)
	}
	for y, row := range rows {
		if len(row) != s.r.size {
			return fmt.Errorf("row %s %q has %d points instead of %d", s.r.names.Row(y), row, len(row), s.r.size)
		}
		for x := range len(row) {
			switch c := strings.IndexByte(".bw", row[x]); {
			case c < 0:
				return fmt.Errorf("%q is not one of b w . in row %s %q", row[x], s.r.names.Row(y), row)
			case c > 0:
				s.board.Place(s.board.At(x, y), uint8(c))
			}
		}
	}
	return nil
}
