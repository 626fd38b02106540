package boardtxt

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// Kinds is the number of kinds of pieces, red and black.
const Kinds = 14

// FullSet is how many of each piece there are, in the order of their letters.
var FullSet = [Kinds]int{1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5}

// What stands on a square beside the letters of the pieces.
const (
	Hidden = 'X'
	Empty  = '-'
)

const squares = grid.DarkWidth * grid.DarkHeight

// Board is a position as the texts tell it: the squares, row 8 first, and how many
// of each piece are alive, those face down included.
type Board struct {
	Cell  [squares]byte
	Alive [Kinds]int
}

// StartBoard returns the board on which everything lies face down.
func StartBoard() Board {
	b := Board{Alive: FullSet}
	for i := range b.Cell {
		b.Cell[i] = Hidden
	}
	return b
}

// up returns how many of each piece lie face up, and how many squares are face
// down.
func (b *Board) up() (n [Kinds]int, hidden int) {
	for _, c := range b.Cell {
		if p, is := grid.DarkPiece(c); is {
			n[p]++
		} else if c == Hidden {
			hidden++
		}
	}
	return n, hidden
}

// settle holds the counts against the squares. Where nothing is face down the
// squares say all.
func (b *Board) settle() error {
	up, hidden := b.up()
	down := 0
	for p, n := range up {
		if n > FullSet[p] {
			return fmt.Errorf("%d pieces %c are on the board: there are %d", n, game.DarkChessPieces[p], FullSet[p])
		}
		if hidden == 0 {
			b.Alive[p] = n
		}
		if b.Alive[p] < n {
			return fmt.Errorf("%d pieces %c are on the board, but %d are said to be alive", n, game.DarkChessPieces[p], b.Alive[p])
		}
		down += b.Alive[p] - n
	}
	if down != hidden {
		return fmt.Errorf("%d squares are face down, but %d pieces are said to lie there", hidden, down)
	}
	return nil
}

// play makes a ply that need not be legal and tells whether it was quiet: neither
// a flip nor a capture.
func (b *Board) play(ply []game.Move) (quiet bool) {
	switch m := ply[0]; m.Op {
	case game.Shift:
		from, to := m.From.Index(grid.DarkWidth), m.To.Index(grid.DarkWidth)
		p, took := grid.DarkPiece(b.Cell[to])
		if took {
			b.Alive[p]--
		}
		b.Cell[to], b.Cell[from] = b.Cell[from], Empty
		return !took
	case game.Flip:
		b.Cell[m.To.Index(grid.DarkWidth)] = game.DarkChessPieces[ply[1].Arg]
	}
	return false
}

// left returns how many pieces of a colour are alive.
func (b *Board) left(c game.Colour) int {
	n := 0
	for p, k := range b.Alive {
		if colourOf(p) == c {
			n += k
		}
	}
	return n
}

func colourOf(piece int) game.Colour {
	if piece < Kinds/2 {
		return game.Red
	}
	return game.Black
}

// text writes the board as a position of the game. next is the colour on turn,
// NoColour while nobody has one. The initial position has the empty text.
func (b *Board) text(next game.Colour) string {
	if *b == StartBoard() && next == game.NoColour {
		return ""
	}
	var t strings.Builder
	for i, c := range b.Cell {
		if i > 0 && i%grid.DarkWidth == 0 {
			t.WriteByte('/')
		}
		t.WriteByte(c)
	}
	t.WriteString(" " + map[game.Colour]string{game.Red: "r", game.Black: "b", game.NoColour: "?"}[next])
	if up, hidden := b.up(); hidden > 0 && b.Alive != FullSet {
		t.WriteString(" hidden=")
		for p, n := range up {
			t.WriteString(strings.Repeat(game.DarkChessPieces[p:p+1], b.Alive[p]-n))
		}
	}
	return t.String()
}

// ReadPosition reads a position of the game, empty for the initial one. next is the
// colour on turn, NoColour while nobody has one; seat is the seat on turn. How many
// quiet plies have passed is not kept.
func ReadPosition(text string) (b Board, next game.Colour, seat game.Seat, err error) {
	b = StartBoard()
	if text == "" {
		return b, game.NoColour, game.First, nil
	}
	fields := strings.Fields(text)
	rows := strings.ReplaceAll(fields[0], "/", "")
	if len(fields) < 2 || len(rows) != squares {
		return b, next, seat, fmt.Errorf("position %q has no eight rows of four squares and a colour", game.Shown(text, 40))
	}
	copy(b.Cell[:], rows)
	if next, err = grid.ReadColour(fields[1]); err != nil {
		return b, next, seat, fmt.Errorf("position: %w", err)
	}
	up, _ := b.up()
	for _, field := range fields[2:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "first":
			c, err := grid.ReadColour(value)
			if err != nil {
				return b, next, seat, fmt.Errorf("position: %w", err)
			}
			if c != next {
				seat = game.Second
			}
		case "hidden":
			b.Alive = up
			for i := range len(value) {
				if p, is := grid.DarkPiece(value[i]); is {
					b.Alive[p]++
				}
			}
		case "alive":
			for i, text := range strings.SplitN(value, ",", Kinds) {
				if b.Alive[i], err = strconv.Atoi(text); err != nil {
					return b, next, seat, fmt.Errorf("position: %q is no number of pieces", text)
				}
			}
		case "flip":
			return b, next, seat, fmt.Errorf("a position in the middle of a flip cannot be written")
		}
	}
	if err := b.settle(); err != nil {
		return b, next, seat, fmt.Errorf("position: %w", err)
	}
	return b, next, seat, nil
}
