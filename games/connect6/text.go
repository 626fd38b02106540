package connect6

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParseMove reads a point, "j10", or "pass".
func (r *Rules) ParseMove(text string) (game.Move, error) {
	if strings.EqualFold(strings.TrimSpace(text), "pass") {
		return game.PassMove(), nil
	}
	p, err := r.names.Parse(text)
	if err != nil {
		return game.Move{}, err
	}
	return game.PlaceAt(p), nil
}

// FormatMove writes what ParseMove reads.
func (r *Rules) FormatMove(m game.Move) string {
	switch {
	case m == game.PassMove():
		return "pass"
	case m.Op == game.Place && m.To.On(r.size, r.size):
		return r.names.Format(m.To)
	}
	return m.String()
}

// Text writes the rows from the top with b, w and dots, separated by slashes;
// then the side to place, b or w, or - after the end; then 1 if one stone of its
// turn lies already and one is left.
func (s *State) Text() string {
	t := make([]byte, 0, s.rules.size*(s.rules.size+1)+4)
	for y := range s.rules.size {
		if y > 0 {
			t = append(t, '/')
		}
		black, white := s.board.lines[0][right][y], s.board.lines[1][right][y]
		for x := range s.rules.size {
			t = append(t, ".bw"[black>>x&1|white>>x&1<<1])
		}
	}
	switch {
	case s.end != open6:
		t = append(t, " -"...)
	case s.second:
		t = append(t, ' ', "bw"[s.seat], ' ', '1')
	default:
		t = append(t, ' ', "bw"[s.seat])
	}
	return string(t)
}

// Position reads what Text writes. Numbers may stand for runs of empty points,
// and x and o for black and white. The number of stones that are left in the turn
// may be given as 2 as well. Without a side the numbers of stones must tell it.
func (r *Rules) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 1 || len(fields) > 3 {
		return nil, fmt.Errorf("position %q: write %d rows separated by slashes, the side b or w, and 1 if only its second stone is due",
			game.Shown(text, 40), r.size)
	}
	s := r.start()
	count, err := s.readRows(fields[0])
	if err != nil {
		return nil, err
	}
	if s.board.has(game.First) && s.board.has(game.Second) {
		return nil, fmt.Errorf("both sides have six in a line: the game ended before")
	}
	if err := s.readTurn(fields[1:], count); err != nil {
		return nil, err
	}
	return s, nil
}

// readRows places the stones of a diagram and counts them.
func (s *State) readRows(text string) (count [2]int, err error) {
	size := s.rules.size
	rows := strings.Split(text, "/")
	if len(rows) != size {
		return count, fmt.Errorf("position has %d rows instead of %d: %q", len(rows), size, game.Shown(text, 40))
	}
	for y, row := range rows {
		x, run := 0, 0
		for i := range len(row) {
			c := row[i]
			if c >= '0' && c <= '9' {
				run = min(run*10+int(c-'0'), size+1)
				continue
			}
			x, run = x+run, 0
			what := strings.IndexByte(".bwxoBWXO", c)
			if what < 0 {
				return count, fmt.Errorf("row %d %q: %q is not one of b w . or a number", y+1, game.Shown(row, 40), c)
			}
			if x < size && what > 0 {
				seat := game.Seat((what - 1) % 2)
				s.board.Put(x, y, seat)
				count[seat]++
			}
			x++
		}
		if x += run; x != size {
			return count, fmt.Errorf("row %d %q has %d points instead of %d", y+1, game.Shown(row, 40), x, size)
		}
	}
	return count, nil
}

// readTurn reads what follows the diagram: whose turn it is, and its stones left.
func (s *State) readTurn(words []string, count [2]int) error {
	over := s.ended()
	side := ""
	if len(words) > 0 {
		side = words[0]
	}
	switch {
	case side == "b" || side == "B" || side == "w" || side == "W":
		if over {
			break // said of a finished game, it says nothing
		}
		s.seat = game.Seat(strings.Index("bw", strings.ToLower(side)))
	case side == "-" && !over:
		return fmt.Errorf("side - says that the game is over, but there is no six and the board is not full")
	case side == "" && !over:
		if err := s.guessTurn(count); err != nil {
			return err
		}
	case side != "" && side != "-":
		return fmt.Errorf("side %q is neither b nor w", side)
	}
	if len(words) < 2 {
		return nil
	}
	return s.readLeft(words[1], count)
}

// readLeft reads how many stones are left in the turn.
func (s *State) readLeft(left string, count [2]int) error {
	switch stones := count[0] + count[1]; {
	case left != "1" && left != "2":
		return fmt.Errorf("%q stones left in the turn: write 1 or 2, or nothing for a new turn", left)
	case s.end != open6:
		return fmt.Errorf("%s stones are left in the turn, but the game is over", left)
	case left == "2" && stones == 0:
		return fmt.Errorf("the first turn of the game has one stone, not 2")
	case left == "1" && stones > 0 && count[s.seat] == 0:
		return fmt.Errorf("the first stone of the turn of %s is not on the board", colours[s.seat])
	case left == "1" && stones == 1:
		return fmt.Errorf("the first turn of the game has one stone: no other is left in it")
	case left == "1":
		s.second = stones > 0
	}
	return nil
}

// ended finds out whether the game is over by the stones alone.
func (s *State) ended() bool {
	for seat := game.First; seat <= game.Second; seat++ {
		if s.board.has(seat) {
			s.seat, s.end = seat, bySix
			return true
		}
	}
	if s.board.empty == 0 {
		s.end = byFull
	}
	return s.end != open6
}

// guessTurn tells the turn from the numbers of stones, of which black has one at
// first and both two more in each turn.
func (s *State) guessTurn(count [2]int) error {
	black, white := count[0], count[1]
	switch {
	case black == 0 && white == 0 || white == black+1 && black%2 == 1:
		s.seat = game.First
	case black == white+1 && white%2 == 0:
		s.seat = game.Second
	case black == white:
		s.second = true
		s.seat = game.Seat(black % 2)
	default:
		return fmt.Errorf("whose turn it is cannot be told from %d black and %d white stones: write b or w after the rows", black, white)
	}
	return nil
}

// Compose implements rules.Composer. Black has one stone of the first turn, then both two a turn.
func (r *Rules) Compose(v *game.View) (string, rules.Doubt) {
	black, white := grid.CountOf(v, 'b'), grid.CountOf(v, 'w')
	text := grid.RowsOf(v, "bw", "bw.") + " " + "bw"[v.Turn.Seat&1:][:1]
	more := black - white - 1 // white to move
	if v.Turn.Seat == game.First {
		more = black - max(0, white-1)
	}
	if more == 0 && (black == 0 || black&1 == 1) {
		return text, rules.Doubt{}
	}
	return text, rules.Doubt{Code: rules.DoubtCount, N: max(more, -more, 1)}
}
