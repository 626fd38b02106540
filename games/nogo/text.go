package nogo

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParseMove reads a point, "e5", or "pass".
func (r *ruleSet) ParseMove(text string) (game.Move, error) { return r.names.ParseStone(text) }

// FormatMove writes what ParseMove reads.
func (r *ruleSet) FormatMove(m game.Move) string { return r.names.FormatStone(m) }

// Text writes the rows from the top with b, w and dots, separated by slashes, and
// the side to move, b or w; after a pass, which ends the game, the word passed.
// Any other end is seen on the board.
func (s *State) Text() string {
	var t strings.Builder
	t.WriteString(s.r.names.FormatRows(func(x, y int) byte { return ".bw"[s.board.cell[s.board.At(x, y)]] }))
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
	err := r.names.ParseRows(fields[0], ".bw", func(x, y, c int) { s.board.Place(s.board.At(x, y), uint8(c)) })
	if err != nil {
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

// Arrange implements rules.Arranger.
func (r *ruleSet) Arrange(owner func(game.Point) game.Seat, toMove game.Seat) (string, bool) {
	rows := r.names.FormatRows(func(x, y int) byte {
		switch owner(game.Pt(x, y)) {
		case game.First:
			return 'b'
		case game.Second:
			return 'w'
		default:
			return '.'
		}
	})
	return rows + " " + string("bw"[toMove&1]), true
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	stones := [2]int{grid.CountOf(v, 'b'), grid.CountOf(v, 'w')}
	return grid.RowsOf(v, "bw", "bw.") + " " + "bw"[v.Turn.Seat&1:][:1], rules.DoubtTurns(stones, v.Turn.Seat)
}
