package gtp

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/grid"
)

// MaxSize is the largest board that the protocol's letters can name.
const MaxSize = 25

// form is how one game is written over GTP. Adding a game is adding a row to
// forms.
type form struct {
	// id is the game's identifier.
	id string
	// names are what engines may call the game in set_game and list_games, the
	// first is what the engine side answers.
	names []string
	// allLetters and fromTop say how points are lettered.
	allLetters, fromTop bool
	// moves writes and reads one turn.
	moves moveForm
	// komi tells that the game's specification has a komi.
	komi bool
	// passes tells that a turn may be a pass.
	passes bool
}

// moveForm is how a turn is written.
type moveForm struct {
	// write appends the argument of play for the steps of a turn; ok is false for
	// steps that the protocol cannot say.
	write func(dst []byte, n grid.Names, steps []game.Move) (text []byte, ok bool)
	// read appends the steps that the text stands for.
	read func(dst []game.Move, n grid.Names, text []byte) ([]game.Move, error)
	// steps is how many steps one written turn has at most.
	steps int
}

// onePoint is the form of games in which a turn is one stone or a pass.
var onePoint = moveForm{write: writePoint, read: readPoint, steps: 1}

// forms is the table of games.
var forms = [...]form{
	{id: "othello", names: []string{"Othello", "Reversi"}, allLetters: true, fromTop: true, moves: onePoint, passes: true},
	{id: "gomoku", names: []string{"Gomoku", "Five in a row", "Renju"}, moves: onePoint},
}

func formOf(id string) (form, error) {
	for _, f := range forms {
		if f.id == id {
			return f, nil
		}
	}
	return form{}, fmt.Errorf("the protocol gtp is not known to carry %q: it carries %v", id, gameIDs())
}

func gameIDs() []string {
	ids := make([]string, len(forms))
	for i := range forms {
		ids[i] = forms[i].id
	}
	return ids
}

// lettering returns the names of the points of a board, with the switches applied.
func (f *form) lettering(width, height int, letters, rows string) (grid.Names, error) {
	n := grid.Names{Width: width, Height: height, FromTop: f.fromTop, NoI: !f.allLetters}
	if letters != "auto" && letters != "" {
		n.NoI = letters == "no-i"
	}
	if rows != "auto" && rows != "" {
		n.FromTop = rows == "top"
	}
	if width > MaxSize || height > MaxSize {
		return n, fmt.Errorf("a %dx%d board has no letters in GTP: at most %d columns and rows", width, height, MaxSize)
	}
	return n, nil
}

func writePoint(dst []byte, n grid.Names, steps []game.Move) ([]byte, bool) {
	if len(steps) != 1 {
		return dst, false
	}
	switch m := steps[0]; m.Op {
	case game.Pass:
		return append(dst, "pass"...), true
	case game.Place:
		return appendVertex(dst, n, m.To)
	}
	return dst, false
}

// appendVertex writes a point without allocating.
func appendVertex(dst []byte, n grid.Names, p game.Point) ([]byte, bool) {
	if !p.On(n.Width, n.Height) {
		return dst, false
	}
	dst = append(dst, n.Column(int(p.X))...)
	y := int(p.Y) + 1
	if !n.FromTop {
		y = n.Height - int(p.Y)
	}
	return strconv.AppendInt(dst, int64(y), 10), true
}

func readPoint(dst []game.Move, n grid.Names, text []byte) ([]game.Move, error) {
	if isWord(text, "pass") || isWord(text, "pa") {
		return append(dst, game.PassMove()), nil
	}
	p, err := readVertex(n, text)
	if err != nil {
		return dst, err
	}
	return append(dst, game.PlaceAt(p)), nil
}

// readVertex reads a letter and a number in either case.
func readVertex(n grid.Names, text []byte) (game.Point, error) {
	if len(text) >= 2 && len(text) <= 3 {
		c := text[0] | 0x20
		x := int(c - 'a')
		if n.NoI && c > 'i' {
			x--
		}
		row := 0
		for _, d := range text[1:] {
			if d < '0' || d > '9' {
				row = -1
				break
			}
			row = row*10 + int(d-'0')
		}
		y := row - 1
		if !n.FromTop {
			y = n.Height - row
		}
		if c >= 'a' && c <= 'z' && (c != 'i' || !n.NoI) && row > 0 && x < n.Width && y >= 0 && y < n.Height {
			return game.Pt(x, y), nil
		}
	}
	// The general reader says what is wrong.
	p, err := n.Parse(string(text))
	if err != nil {
		return game.NoPoint, err
	}
	return p, nil
}

// isWord compares without regard to case; word is in lower case.
func isWord(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// colourOf reads a colour argument.
func colourOf(text string) (game.Colour, error) {
	b := []byte(text)
	switch {
	case isWord(b, "b") || isWord(b, "black"):
		return game.Black, nil
	case isWord(b, "w") || isWord(b, "white"):
		return game.White, nil
	}
	return game.NoColour, fmt.Errorf("%q is no colour: b, black, w or white", text)
}

// seatOf returns the seat that plays a colour, Nobody if none does.
func seatOf(colours [2]game.Colour, c game.Colour) game.Seat {
	for s, have := range colours {
		if have == c {
			return game.Seat(s)
		}
	}
	return game.Nobody
}
