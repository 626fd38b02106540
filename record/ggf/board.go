package ggf

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// Board sizes that the format knows: even numbers, 10 also as the frame of the
// octagonal board.
const (
	MinSize = 4
	MaxSize = 14
)

// Board is the value of the BO tag: a position to start from.
type Board struct {
	Size int
	// Cells are Size*Size letters row by row from a1: 'X' black, 'O' white, '-'
	// empty, '?' no square.
	Cells string
	// ToMove is First for Black, Second for White.
	ToMove game.Seat
}

// StandardBoard returns the usual start position of a size.
func StandardBoard(size int) Board {
	cells := []byte(strings.Repeat("-", size*size))
	h := size / 2
	cells[(h-1)*size+h-1], cells[h*size+h] = 'O', 'O'
	cells[(h-1)*size+h], cells[h*size+h-1] = 'X', 'X'
	return Board{Size: size, Cells: string(cells), ToMove: game.First}
}

// Standard reports whether the board is the usual start position of its size.
func (b Board) Standard() bool { return b == StandardBoard(b.Size) }

// Squares returns how many squares the board has, void ones left out.
func (b Board) Squares() int { return len(b.Cells) - strings.Count(b.Cells, "?") }

// Discs returns how many squares are occupied.
func (b Board) Discs() int { return strings.Count(b.Cells, "X") + strings.Count(b.Cells, "O") }

// Text returns the board in the text form of positions: cells, a blank, and the
// side to move as X or O.
func (b Board) Text() string {
	if b.ToMove == game.Second {
		return b.Cells + " O"
	}
	return b.Cells + " X"
}

// ParseText reads the text form of a position of the size.
func ParseText(text string, size int) (Board, error) {
	cells := make([]byte, 0, size*size+1)
	for i := range len(text) {
		var c byte
		switch text[i] {
		case '*', 'X', 'x', 'B', 'b':
			c = 'X'
		case 'O', 'o', '0', 'W', 'w':
			c = 'O'
		case '-', '.', '_':
			c = '-'
		case '?':
			c = '?'
		case ' ', '\t', '\r', '\n':
			continue
		default:
			return Board{}, fmt.Errorf("board: %q is no cell; write * O - and the side to move", text[i])
		}
		if len(cells) > size*size {
			return Board{}, fmt.Errorf("board: more than %d cells and a side to move", size*size)
		}
		cells = append(cells, c)
	}
	if len(cells) != size*size+1 {
		return Board{}, fmt.Errorf("board: %d cells and sides, a board of size %d has %d cells and one side", len(cells), size, size*size)
	}
	b := Board{Size: size, Cells: string(cells[:size*size]), ToMove: game.First}
	switch cells[size*size] {
	case 'X':
	case 'O':
		b.ToMove = game.Second
	default:
		return Board{}, fmt.Errorf("board: the side to move is %q, must be * or O", cells[size*size])
	}
	return b, nil
}

// ParseBoard reads the value of a BO tag: size, cells with blanks anywhere, side.
func ParseBoard(value string) (Board, error) {
	value = strings.TrimSpace(value)
	n := 0
	i := 0
	for ; i < len(value) && value[i] >= '0' && value[i] <= '9'; i++ {
		n = 10*n + int(value[i]-'0')
		if n > 99 {
			break
		}
	}
	if n < MinSize || n > MaxSize || n%2 != 0 {
		return Board{}, fmt.Errorf("board %q: the size must be an even number from %d to %d", game.Shown(value, 40), MinSize, MaxSize)
	}
	return ParseText(value[i:], n)
}

// appendBoard appends the value of a BO tag without blanks between the cells.
func appendBoard(dst []byte, b Board) []byte {
	dst = fmt.Appendf(dst, "%d ", b.Size)
	for i := range len(b.Cells) {
		c := b.Cells[i]
		if c == 'X' {
			c = '*'
		}
		dst = append(dst, c)
	}
	if b.ToMove == game.Second {
		return append(dst, " O"...)
	}
	return append(dst, " *"...)
}
