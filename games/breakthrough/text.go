package breakthrough

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParseMove reads the end squares of a move, "a2b3". A dash or an x may stand between
// them, and a star for a capture behind them, as other programs write.
func (r *ruleSet) ParseMove(text string) (game.Move, error) {
	s := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "*")
	if len(s) == 5 && (s[2] == '-' || s[2] == 'x') {
		s = s[:2] + s[3:]
	}
	if len(s) != 4 {
		return game.Move{}, fmt.Errorf("%q is not a move: write from and to, for example a2b3", text)
	}
	return names.ParseShift(text, s[:2], s[2:])
}

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string { return formatMove(m) }

func formatMove(m game.Move) string {
	if _, ok := StepOf(m); ok {
		return names.Format(m.From) + names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows from the top with P for White, p for Black and numbers for runs
// of empty squares, and the side to move, w or b: the first two fields of a FEN.
func (s *State) Text() string {
	var t strings.Builder
	empty := byte('0')
	flush := func() {
		if empty > '0' {
			t.WriteByte(empty)
			empty = '0'
		}
	}
	for sq := range Points {
		if sq > 0 && sq%Size == 0 {
			flush()
			t.WriteByte('/')
		}
		switch {
		case s.board.men[0]>>sq&1 != 0:
			flush()
			t.WriteByte('P')
		case s.board.men[1]>>sq&1 != 0:
			flush()
			t.WriteByte('p')
		default:
			empty++
		}
	}
	flush()
	return t.String() + " " + "wb"[s.board.side:][:1]
}

// Position reads what Text writes, and the counters of a FEN behind it, which say
// nothing here.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 6 {
		return nil, fmt.Errorf("position %q: write eight rows separated by slashes and the side, w or b", text)
	}
	var b Board
	if err := names.ParseRuns(fields[0], "Pp", "squares", func(x, y, c int) { b.Add(y*Size+x, game.Seat(c)) }); err != nil {
		return nil, err
	}
	for seat, who := range [2]string{"white", "black"} {
		if n := b.Count(game.Seat(seat)); n > Men {
			return nil, fmt.Errorf("position has %d %s men, more than %d: %q", n, who, Men, fields[0])
		}
	}
	switch {
	case b.men == [2]uint64{}:
		return nil, fmt.Errorf("position %q has no men: one side may have none, not both", fields[0])
	case b.men[0]&top != 0 && b.men[1]&bottom != 0:
		return nil, fmt.Errorf("position %q has men of both sides on their last rows", fields[0])
	}
	switch fields[1] {
	case "w":
	case "b":
		b.Turn()
	default:
		return nil, fmt.Errorf("side %q is neither w nor b", fields[1])
	}
	return newState(b), nil
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	return grid.RowsOf(v, "wb", "Pp1") + " " + "wb"[v.Turn.Seat&1:][:1], rules.Doubt{}
}
