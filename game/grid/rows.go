package grid

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
)

// FormatRows writes a board in rows from the top, separated by slashes: for each point
// the letter that at returns.
func (n Names) FormatRows(at func(x, y int) byte) string {
	var t strings.Builder
	t.Grow((n.Width + 1) * n.Height)
	for y := range n.Height {
		if y > 0 {
			t.WriteByte('/')
		}
		for x := range n.Width {
			t.WriteByte(at(x, y))
		}
	}
	return t.String()
}

// RowsOf writes the pieces of a view in rows as FormatRows does: each letter of from as the one of
// to in its place, an empty point as the letter of to behind them, what is unknown as itself.
func RowsOf(v *game.View, from, to string) string {
	return Names{Width: v.Width, Height: v.Height}.FormatRows(func(x, y int) byte {
		c := v.Cells[y*v.Width+x].Piece
		if c == 0 {
			return to[len(from)]
		}
		if i := strings.IndexByte(from, c); i >= 0 {
			return to[i]
		}
		return c
	})
}

// CountOf counts the pieces of a letter in a view.
func CountOf(v *game.View, piece byte) (n int) {
	for _, c := range v.Cells {
		if c.Piece == piece {
			n++
		}
	}
	return n
}

// ParseRows reads what FormatRows writes with small letters, of which the first stands
// for an empty point; capitals are the same. It calls put for each other point with the
// number of its letter. The error names the row.
func (n Names) ParseRows(text, letters string, put func(x, y, letter int)) error {
	rows, err := n.SplitRows(strings.ToLower(text))
	if err != nil {
		return err
	}
	for y, row := range rows {
		if len(row) != n.Width {
			return fmt.Errorf("row %s %q has %d points instead of %d", n.Row(y), row, len(row), n.Width)
		}
		for x := range len(row) {
			switch c := strings.IndexByte(letters, row[x]); {
			case c < 0:
				known := letters[1:] + letters[:1]
				return fmt.Errorf("%q is not one of %s in row %s %q", row[x], strings.Join(strings.Split(known, ""), " "), n.Row(y), row)
			case c > 0:
				put(x, y, c)
			}
		}
	}
	return nil
}

// ParseRuns is ParseRows for boards of at most nine columns on which a number stands for a run of empty
// points, called what in errors: no letter need stand for one, so put is called for all letters, which are
// counted from 0. Capitals are letters of their own.
func (n Names) ParseRuns(text, letters, what string, put func(x, y, letter int)) error {
	rows, err := n.SplitRows(text)
	if err != nil {
		return err
	}
	for y, row := range rows {
		if err := n.parseRuns(row, letters, what, func(x, letter int) { put(x, y, letter) }); err != nil {
			return fmt.Errorf("row %s %q: %w", n.Row(y), row, err)
		}
	}
	return nil
}

func (n Names) parseRuns(row, letters, what string, put func(x, letter int)) error {
	x := 0
	for _, c := range []byte(row) {
		if c >= '1' && c <= '0'+byte(n.Width) {
			x += int(c - '0')
			continue
		}
		letter := strings.IndexByte(letters, c)
		if letter < 0 {
			return fmt.Errorf("%q is not one of %s or a number from 1 to %d", c, strings.Join(strings.Split(letters, ""), " "), n.Width)
		}
		if x >= n.Width {
			return fmt.Errorf("it has more than %d %s", n.Width, what)
		}
		put(x, letter)
		x++
	}
	if x != n.Width {
		return fmt.Errorf("it has %d %s instead of %d", x, what, n.Width)
	}
	return nil
}

// SplitRows returns the rows of a position from the top, which slashes separate; there must
// be one for each row of the board.
func (n Names) SplitRows(text string) ([]string, error) {
	rows := strings.Split(text, "/")
	if len(rows) != n.Height {
		return nil, fmt.Errorf("position has %d rows instead of %d: %q", len(rows), n.Height, text)
	}
	return rows, nil
}

// View returns the view of an empty board, on which nothing belongs to anybody.
func (n Names) View(a game.Audience, shape game.Shape, turn game.Turn, colours [2]game.Colour) game.View {
	v := n.Labels(a)
	n.Outline(&v, shape, turn, colours)
	return v
}

// Labels returns a view that has no more than the names of columns and rows.
func (n Names) Labels(a game.Audience) game.View {
	return game.View{For: a, Columns: n.Columns(), Rows: n.Rows()}
}

// Outline is View for rules.Outliner: of v it sets what is no label.
func (n Names) Outline(v *game.View, shape game.Shape, turn game.Turn, colours [2]game.Colour) {
	Outline(v, shape, n.Width, n.Height, turn, colours)
}

// Outline makes of v, for rules.Outliner, an empty board, and uses the room of its cells again.
func Outline(v *game.View, shape game.Shape, width, height int, turn game.Turn, colours [2]game.Colour) {
	v.Shape, v.Width, v.Height, v.Turn, v.Colours = shape, width, height, turn, colours
	v.Lines, v.Trays = nil, nil
	v.Cells = slices.Grow(v.Cells[:0], width*height)[:width*height]
	for i := range v.Cells {
		v.Cells[i] = game.Cell{Owner: game.Nobody}
	}
}

// ParseShift reads the two ends of a move from one point to another; text is all of it,
// for the error.
func (n Names) ParseShift(text, from, to string) (game.Move, error) {
	a, err := n.Parse(from)
	if err != nil {
		return game.Move{}, fmt.Errorf("move %q: %w", text, err)
	}
	b, err := n.Parse(to)
	if err != nil {
		return game.Move{}, fmt.Errorf("move %q: %w", text, err)
	}
	return game.ShiftTo(a, b), nil
}

// ParseStone reads a decision of games of stones: a point, "e5", or "pass".
func (n Names) ParseStone(text string) (game.Move, error) {
	if strings.EqualFold(strings.TrimSpace(text), "pass") {
		return game.PassMove(), nil
	}
	p, err := n.Parse(text)
	if err != nil {
		return game.Move{}, fmt.Errorf("neither a point nor a pass: %w", err)
	}
	return game.PlaceAt(p), nil
}

// FormatStone writes what ParseStone reads, other decisions as they show themselves.
func (n Names) FormatStone(m game.Move) string {
	switch {
	case m.Op == game.Pass:
		return "pass"
	case m == game.PlaceAt(m.To) && m.To.On(n.Width, n.Height):
		return n.Format(m.To)
	}
	return m.String()
}
