package gomoku

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
)

// diagram sets up the rows of a diagram with the words that belong to it and
// returns the words after it. Play starts from there without an opening, the
// first seat with black.
func (s *State) diagram(words []string) ([]string, error) {
	need := s.rules.width * s.rules.height
	k := 0
	for len(words) > 0 && k < need {
		for row := range strings.SplitSeq(words[0], "/") {
			if len(row) > 1 && len(row) != s.rules.width {
				return nil, fmt.Errorf("row %q of the diagram has %d points, the board has %d columns", shorten(row), len(row), s.rules.width)
			}
			for i := range len(row) {
				if k == need {
					return nil, fmt.Errorf("the diagram has more than %d points", need)
				}
				if err := s.set(k, row[i]); err != nil {
					return nil, err
				}
				k++
			}
		}
		words = words[1:]
	}
	if k != need {
		return nil, fmt.Errorf("the diagram has %d points, a board of %dx%d has %d", k, s.rules.width, s.rules.height, need)
	}
	words, err := s.toMove(words)
	if err != nil {
		return nil, err
	}
	s.stage = stagePlay
	s.turn = s.SeatOf(s.colour)
	if words, err = s.score(words); err != nil {
		return nil, err
	}
	s.over = s.empty <= s.fullAt
	s.base = s.draw()
	return words, s.checkLines()
}

// set puts what a letter of the diagram says on the point with the row-major
// number k.
func (s *State) set(k int, c byte) error {
	i := s.board.Index(game.Pt(k%s.rules.width, k/s.rules.width))
	var stone Stone
	switch c {
	case 'X', 'B', '#':
		stone = Black
	case 'O', 'W':
		stone = White
	case 'x', 'b':
		stone = DeadBlack
	case 'o', 'w':
		stone = DeadWhite
	case '.', '-', '_', '+', '*':
		return nil
	default:
		return fmt.Errorf("%q in the diagram is neither X, O nor an empty point (.)", c)
	}
	if !stone.Live() && !s.rules.continuous {
		stone -= DeadBlack - Black // there are no dead stones: a lower-case letter
	}
	s.board.Put(i, stone)
	s.hash ^= key(i, stone)
	s.empty--
	return nil
}

// toMove reads the colour to move, or finds it from the numbers of stones.
func (s *State) toMove(words []string) ([]string, error) {
	if len(words) > 0 {
		switch strings.ToLower(words[0]) {
		case "black", "b":
			s.colour = Black
			return words[1:], nil
		case "white", "w":
			s.colour = White
			return words[1:], nil
		}
	}
	black, white := 0, 0
	for _, c := range s.board.cells {
		switch c {
		case Black, DeadBlack:
			black++
		case White, DeadWhite:
			white++
		}
	}
	switch black - white {
	case 0:
		s.colour = Black
	case 1:
		s.colour = White
	default:
		return nil, fmt.Errorf("%d black and %d white stones do not tell who is to move: write black or white after the diagram", black, white)
	}
	return words, nil
}

// score reads the lines scored so far, "2:1", in a continuous game.
func (s *State) score(words []string) ([]string, error) {
	if !s.rules.continuous || len(words) == 0 || !strings.Contains(words[0], ":") {
		return words, nil
	}
	a, b, _ := strings.Cut(words[0], ":")
	for i, t := range []string{a, b} {
		n, err := strconv.ParseUint(t, 10, 15)
		if err != nil {
			return nil, fmt.Errorf("%q is not a score: write the lines of both seats, for example 2:1", shorten(words[0]))
		}
		s.lines[i] = int32(n)
	}
	return words[1:], nil
}

// checkLines refuses a diagram in which somebody has already won.
func (s *State) checkLines() error {
	for i, c := range s.board.cells {
		if !c.Live() {
			continue
		}
		for _, d := range s.board.dirs {
			if s.board.wins(i, d, c) {
				return fmt.Errorf("%s has already a line through %s", colourOf(c), PointText(s.board.Point(i)))
			}
		}
	}
	return nil
}

// draw writes the board as a canonical diagram.
func (s *State) draw() string {
	letters := [...]byte{Empty: '.', Black: 'X', White: 'O', DeadBlack: 'x', DeadWhite: 'o'}
	b := make([]byte, 0, (s.rules.width+1)*s.rules.height+12)
	for y := range s.rules.height {
		if y > 0 {
			b = append(b, '/')
		}
		row := s.board.Index(game.Pt(0, y))
		for _, c := range s.board.cells[row : row+s.rules.width] {
			b = append(b, letters[c])
		}
	}
	b = append(b, ' ')
	b = append(b, colourOf(s.colour).String()...)
	if s.rules.continuous {
		b = fmt.Appendf(b, " %d:%d", s.lines[0], s.lines[1])
	}
	return string(b)
}
