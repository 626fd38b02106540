package gomoku

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
)

// diagram is a position without a history: what stands on the board, the colour to move,
// and in a continuous game the lines that the seats have scored.
type diagram struct {
	board      *Board // empty until it is read
	continuous bool
	colour     Stone
	lines      [2]int32
}

// read fills the diagram in from its rows and the words that belong to it, and returns
// the words after it.
func (d *diagram) read(words []string) ([]string, error) {
	width, height := d.board.Size()
	need := width * height
	k := 0
	for len(words) > 0 && k < need {
		for row := range strings.SplitSeq(words[0], "/") {
			if len(row) > 1 && len(row) != width {
				return nil, fmt.Errorf("row %q of the diagram has %d points, the board has %d columns", game.Shown(row, 20), len(row), width)
			}
			for i := range len(row) {
				if k == need {
					return nil, fmt.Errorf("the diagram has more than %d points", need)
				}
				if err := d.set(game.Pt(k%width, k/width), row[i]); err != nil {
					return nil, err
				}
				k++
			}
		}
		words = words[1:]
	}
	if k != need {
		return nil, fmt.Errorf("the diagram has %d points, a board of %dx%d has %d", k, width, height, need)
	}
	words, err := d.toMove(words)
	if err != nil {
		return nil, err
	}
	if words, err = d.score(words); err != nil {
		return nil, err
	}
	return words, d.checkLines()
}

// set puts what a letter of the diagram says on a point.
func (d *diagram) set(p game.Point, c byte) error {
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
	if !stone.Live() && !d.continuous {
		stone -= DeadBlack - Black // there are no dead stones: a lower-case letter
	}
	d.board.Put(d.board.Index(p), stone)
	return nil
}

// toMove reads the colour to move, or finds it from the numbers of stones.
func (d *diagram) toMove(words []string) ([]string, error) {
	if len(words) > 0 {
		switch strings.ToLower(words[0]) {
		case "black", "b":
			d.colour = Black
			return words[1:], nil
		case "white", "w":
			d.colour = White
			return words[1:], nil
		}
	}
	black, white := 0, 0
	for _, c := range d.board.cells {
		switch c {
		case Black, DeadBlack:
			black++
		case White, DeadWhite:
			white++
		}
	}
	switch black - white {
	case 0:
		d.colour = Black
	case 1:
		d.colour = White
	default:
		return nil, fmt.Errorf("%d black and %d white stones do not tell who is to move: write black or white after the diagram", black, white)
	}
	return words, nil
}

// score reads the lines scored so far, "2:1", in a continuous game.
func (d *diagram) score(words []string) ([]string, error) {
	if !d.continuous || len(words) == 0 || !strings.Contains(words[0], ":") {
		return words, nil
	}
	a, b, _ := strings.Cut(words[0], ":")
	for i, t := range []string{a, b} {
		n, err := strconv.ParseUint(t, 10, 15)
		if err != nil {
			return nil, fmt.Errorf("%q is not a score: write the lines of both seats, for example 2:1", game.Shown(words[0], 20))
		}
		d.lines[i] = int32(n)
	}
	return words[1:], nil
}

// checkLines refuses a diagram in which somebody has already won.
func (d *diagram) checkLines() error {
	for i, c := range d.board.cells {
		if !c.Live() {
			continue
		}
		for _, dir := range d.board.dirs {
			if d.board.wins(i, dir, c) {
				return fmt.Errorf("%s has already a line through %s", colourOf(c), PointText(d.board.Point(i)))
			}
		}
	}
	return nil
}

// text writes the diagram in its canonical form.
func (d *diagram) text() string {
	letters := [...]byte{Empty: '.', Black: 'X', White: 'O', DeadBlack: 'x', DeadWhite: 'o'}
	width, height := d.board.Size()
	b := make([]byte, 0, (width+1)*height+12)
	for y := range height {
		if y > 0 {
			b = append(b, '/')
		}
		row := d.board.Index(game.Pt(0, y))
		for _, c := range d.board.cells[row : row+width] {
			b = append(b, letters[c])
		}
	}
	b = append(b, ' ')
	b = append(b, colourOf(d.colour).String()...)
	if d.continuous {
		b = fmt.Appendf(b, " %d:%d", d.lines[0], d.lines[1])
	}
	return string(b)
}
