package surakarta

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParseMove reads the end points of a move, "c5-d4"; an x may stand for the dash.
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	from, to, ok := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "-")
	if !ok {
		from, to, ok = strings.Cut(from, "x")
	}
	if !ok {
		return game.Move{}, fmt.Errorf("%q is not a move: write from and to, for example c5-d4", text)
	}
	return names.ParseShift(text, from, to)
}

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string { return formatMove(m) }

func formatMove(m game.Move) string {
	if m.Op == game.Shift && m.From.On(Size, Size) && m.To.On(Size, Size) {
		return names.Format(m.From) + "-" + names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows from the top with b, w and dots, separated by slashes; the
// side to move, b or w; and, where plies without capture are limited, their number.
func (s *State) Text() string {
	var t strings.Builder
	t.Grow(Points + Size + 8)
	for sq := range Points {
		if sq > 0 && sq%Size == 0 {
			t.WriteByte('/')
		}
		switch {
		case s.board.pieces[0]>>sq&1 != 0:
			t.WriteByte('b')
		case s.board.pieces[1]>>sq&1 != 0:
			t.WriteByte('w')
		default:
			t.WriteByte('.')
		}
	}
	t.WriteByte(' ')
	t.WriteByte("bw"[s.board.side])
	if s.rules.noCapture > 0 {
		t.WriteString(" " + strconv.Itoa(s.quiet))
	}
	return t.String()
}

// Position reads what Text writes. Numbers may stand for runs of empty points, and
// the plies without capture may be left out: then there are none, and without a
// limit they say nothing.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 3 {
		return nil, fmt.Errorf("position %q: write six rows separated by slashes, the side b or w, and the plies since the last capture, if any",
			text)
	}
	b := EmptyBoard(r.sau)
	err := names.ParseRuns(strings.ToLower(fields[0]), "bw.", "points", func(x, y, c int) {
		if c < 2 {
			b.Add(y*Size+x, game.Seat(c))
		}
	})
	if err != nil {
		return nil, err
	}
	for seat, letter := range "bw" {
		if n := b.Count(game.Seat(seat)); n > Pieces {
			return nil, fmt.Errorf("position has %d pieces %c, more than %d: %q", n, letter, Pieces, fields[0])
		}
	}
	if b.pieces == [2]uint64{} {
		return nil, fmt.Errorf("position %q has no pieces: one side may have none, not both", fields[0])
	}
	switch fields[1] {
	case "b", "B":
	case "w", "W":
		b.SetSide(game.Second)
	default:
		return nil, fmt.Errorf("side %q is neither b nor w", fields[1])
	}
	quiet := 0
	if len(fields) == 3 {
		most := maxNoCapture
		if r.noCapture > 0 {
			most = r.noCapture
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil || n < 0 || n > most {
			return nil, fmt.Errorf("plies since the last capture %q: write a number from 0 to %d", fields[2], most)
		}
		quiet = n
	}
	return newState(r, b, quiet), nil
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	return grid.RowsOf(v, "bw", "bw.") + " " + "bw"[v.Turn.Seat&1:][:1], rules.Doubt{}
}
