package phantomgo

import (
	"errors"
	"fmt"
	"strconv"
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
// the side to move, b or w; then what is not as usual: ko=POINT, passes=N,
// plies=N, taken=BLACK,WHITE (stones that each has captured) and tried=POINTS
// (refused in this turn, separated by commas).
func (s *State) Text() string {
	var t strings.Builder
	t.WriteString(s.r.names.FormatRows(func(x, y int) byte { return ".bw"[s.board.cell[At(x, y)]] }))
	t.WriteByte(' ')
	t.WriteByte("bw"[s.side])
	if s.board.ko != NoKo {
		x, y := XY(int(s.board.ko))
		t.WriteString(" ko=" + s.r.names.Format(game.Pt(x, y)))
	}
	if s.passes > 0 {
		fmt.Fprintf(&t, " passes=%d", s.passes)
	}
	if s.plies > 0 {
		fmt.Fprintf(&t, " plies=%d", s.plies)
	}
	if s.board.taken != [3]int16{} {
		fmt.Fprintf(&t, " taken=%d,%d", s.board.taken[Black], s.board.taken[White])
	}
	sep := " tried="
	for y, row := range s.tried[:s.r.size] {
		for x := range s.r.size {
			if row>>x&1 != 0 {
				t.WriteString(sep + s.r.names.Format(game.Pt(x, y)))
				sep = ","
			}
		}
	}
	return t.String()
}

// Position reads what Text writes. Stones without liberties cannot stand on the
// board. Under superko only repetitions of this position and later ones count.
func (r *ruleSet) Position(text string) (rules.State, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return nil, fmt.Errorf("position %q: write %d rows of b, w and dots separated by slashes, and the side b or w", text, r.size)
	}
	s := r.empty()
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
	for _, f := range fields[2:] {
		key, value, _ := strings.Cut(f, "=")
		if err := s.readField(key, value); err != nil {
			return nil, fmt.Errorf("%q of the position: %w", f, err)
		}
	}
	s.begin()
	return s, nil
}

func (s *State) readRows(text string) error {
	err := s.r.names.ParseRows(text, ".bw", func(x, y, c int) { s.board.set(At(x, y), uint8(c)) })
	if err != nil {
		return err
	}
	for y := range s.r.size {
		for x := range s.r.size {
			if p := At(x, y); s.board.cell[p] != Empty && s.board.chain[s.board.head[p]].N == 0 {
				return fmt.Errorf("the stone on %s has no liberty", s.r.names.Format(game.Pt(x, y)))
			}
		}
	}
	return nil
}

func (s *State) readField(key, value string) error {
	switch key {
	case "ko":
		if s.r.sau {
			return errors.New("under rulings=sau no point is forbidden by a ko: leave it out")
		}
		p, err := s.point(value)
		if err != nil {
			return err
		}
		s.board.ko = int16(At(int(p.X), int(p.Y)))
	case "passes":
		n, err := number(value, 2)
		s.passes = uint8(n)
		return err
	case "plies":
		n, err := number(value, s.r.maxPlies)
		s.plies = int16(n)
		return err
	case "taken":
		b, w, _ := strings.Cut(value, ",")
		black, err := number(b, 1<<14)
		if err != nil {
			return err
		}
		white, err := number(w, 1<<14)
		if err != nil {
			return err
		}
		s.board.taken = [3]int16{Black: int16(black), White: int16(white)}
	case "tried":
		for text := range strings.SplitSeq(value, ",") {
			p, err := s.r.names.Parse(text)
			if err != nil {
				return err
			}
			s.tried[p.Y] |= 1 << p.X
		}
	default:
		return fmt.Errorf("unknown: known are ko passes plies taken tried")
	}
	return nil
}

// point reads an empty point.
func (s *State) point(text string) (game.Point, error) {
	p, err := s.r.names.Parse(text)
	if err == nil && s.board.cell[At(int(p.X), int(p.Y))] != Empty {
		err = fmt.Errorf("there is a stone on %s", text)
	}
	return p, err
}

func number(text string, limit int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > limit {
		return 0, fmt.Errorf("%q is not a number from 0 to %d", text, limit)
	}
	return n, nil
}

// Compose implements rules.Composer.
func (r *ruleSet) Compose(v *game.View) (string, rules.Doubt) {
	return grid.RowsOf(v, "bw", "bw.") + " " + "bw"[v.Turn.Seat&1:][:1], rules.Doubt{}
}
