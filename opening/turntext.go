package opening

import (
	"strings"

	"kibitz/game"
)

// text returns the canonical text of a position as it looks through symmetry n:
// the word that draws the board is drawn anew, and points that are named elsewhere
// (a ko, an amazon that must shoot, a list of stones) get their new names.
func (t *Turner) text(text string, n int) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if i == 0 {
			if drawn, ok := t.board(w, n); ok {
				words[i] = drawn
				continue
			}
		}
		words[i] = t.names(w, n)
	}
	return strings.Join(words, " ")
}

// board draws a board anew. ok is false if the word is no drawing of the board:
// rows of one letter to a point, with slashes between them or without; on a board
// of dots also a letter for each line and box between them.
func (t *Turner) board(word string, n int) (drawn string, ok bool) {
	w, h := t.width, t.height
	if t.shape == game.Dots {
		w, h = 2*w-1, 2*h-1
	}
	cells := strings.ReplaceAll(word, "/", "")
	slashes := len(word) - len(cells)
	if len(cells) != w*h || slashes != 0 && slashes != h-1 {
		return word, false
	}
	out := make([]byte, w*h)
	for y := range h {
		for x := range w {
			c := cells[y*w+x]
			to := t.fine(x, y, n)
			if t.shape == game.Dots {
				c = line(c, to)
			}
			out[int(to.Y)*w+int(to.X)] = c
		}
	}
	if slashes == 0 {
		return string(out), true
	}
	rows := make([]string, h)
	for y := range rows {
		rows[y] = string(out[y*w : (y+1)*w])
	}
	return strings.Join(rows, "/"), true
}

// fine returns where a letter of the drawing goes. Between dots it stands half-way
// between the dots that it lies between, and so does its image.
func (t *Turner) fine(x, y, n int) game.Point {
	f := t.list[n]
	if t.shape != game.Dots {
		return f(game.Pt(x, y))
	}
	a, b := f(game.Pt(x/2, y/2)), f(game.Pt((x+1)/2, (y+1)/2))
	return game.Point{X: a.X + b.X, Y: a.Y + b.Y}
}

// line returns the letter of a drawn line where it has come to stand.
func line(c byte, at game.Point) byte {
	switch {
	case c != '-' && c != 'I':
		return c
	case at.Y%2 == 0:
		return '-'
	}
	return 'I'
}

// names gives the points that a word names their new names.
func (t *Turner) names(word string, n int) string {
	var b strings.Builder
	for i := 0; i < len(word); {
		j := i
		for j < len(word) && letter(word[j]) {
			j++
		}
		k := j
		for k < len(word) && digit(word[k]) {
			k++
		}
		switch p, ok := t.point(word[i:j], word[j:k]); {
		case ok:
			p = t.list[n](p)
			b.WriteString(t.columns[p.X] + t.rows[p.Y])
		case k == i:
			k++
			fallthrough
		default:
			b.WriteString(word[i:k])
		}
		i = k
	}
	return b.String()
}

// point returns the point with these labels.
func (t *Turner) point(column, row string) (game.Point, bool) {
	if column == "" || row == "" {
		return game.NoPoint, false
	}
	for x, c := range t.columns {
		if !strings.EqualFold(c, column) {
			continue
		}
		for y, r := range t.rows {
			if r == row {
				return game.Pt(x, y), true
			}
		}
	}
	return game.NoPoint, false
}

func letter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
