// Package grid holds what several games share: the names of points and the keys of
// hashes. It knows no rules of any game.
package grid

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
)

// Names says how the points of a board are written: a column letter and a row
// number, for example "c7". Columns past the 26th repeat letters: "aa", "ab".
type Names struct {
	Width, Height int
	// FromTop counts rows from the top, else from the bottom.
	FromTop bool
	// NoI leaves the letter i out, as Go boards do.
	NoI bool
}

const (
	allLetters = "abcdefghijklmnopqrstuvwxyz"
	goLetters  = "abcdefghjklmnopqrstuvwxyz"
)

func (n Names) letters() string {
	if n.NoI {
		return goLetters
	}
	return allLetters
}

// Column returns the name of column x, counted from 0.
func (n Names) Column(x int) string {
	l := n.letters()
	if x < len(l) {
		return l[x : x+1]
	}
	return l[x/len(l)-1:][:1] + l[x%len(l):][:1]
}

// Row returns the name of row y, counted from 0 at the top.
func (n Names) Row(y int) string {
	if n.FromTop {
		return strconv.Itoa(y + 1)
	}
	return strconv.Itoa(n.Height - y)
}

// Columns returns the names of all columns from the left.
func (n Names) Columns() []string {
	list := make([]string, n.Width)
	for x := range list {
		list[x] = n.Column(x)
	}
	return list
}

// Rows returns the names of all rows from the top.
func (n Names) Rows() []string {
	list := make([]string, n.Height)
	for y := range list {
		list[y] = n.Row(y)
	}
	return list
}

// Format writes a point of the board.
func (n Names) Format(p game.Point) string {
	if !p.On(n.Width, n.Height) {
		return fmt.Sprintf("?%d,%d", p.X, p.Y)
	}
	return n.Column(int(p.X)) + n.Row(int(p.Y))
}

// Parse reads a point as Format writes it, in either case, with blanks around it.
// Points off the board are an error.
func (n Names) Parse(text string) (game.Point, error) {
	s := strings.ToLower(strings.TrimSpace(text))
	i, l := 0, n.letters()
	x := -1
	for i < len(s) && i < 2 {
		k := strings.IndexByte(l, s[i])
		if k < 0 {
			break
		}
		x = (x+1)*len(l) + k
		i++
	}
	digits := s[i:]
	row, err := strconv.Atoi(digits)
	if x < 0 || err != nil || digits[0] < '1' || digits[0] > '9' {
		if x < 0 && s != "" && s[0] == 'i' && n.NoI {
			return game.NoPoint, fmt.Errorf("%q: there is no column i: the columns are %s to %s without i", text, n.Column(0), n.Column(n.Width-1))
		}
		return game.NoPoint, fmt.Errorf("%q is not a point: write a column and a row, for example %s", text,
			n.Format(game.Pt(n.Width/2, n.Height/2)))
	}
	y := row - 1
	if !n.FromTop {
		y = n.Height - row
	}
	switch {
	case x >= n.Width:
		return game.NoPoint, fmt.Errorf("%q: there is no column %s on the %dx%d board: columns %s to %s, rows 1 to %d", text, s[:i], n.Width,
			n.Height, n.Column(0), n.Column(n.Width-1), n.Height)
	case y < 0 || y >= n.Height:
		return game.NoPoint, fmt.Errorf("%q: there is no row %d on the %dx%d board: columns %s to %s, rows 1 to %d", text, row, n.Width,
			n.Height, n.Column(0), n.Column(n.Width-1), n.Height)
	}
	return game.Pt(x, y), nil
}
