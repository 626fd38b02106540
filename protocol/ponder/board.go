package ponder

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

const squares = grid.DarkWidth * grid.DarkHeight

// What may stand on a square beside the letters of the pieces.
const (
	hidden = 'X'
	empty  = '-'
)

// fullSet is how many of each piece there are, in the order of their letters.
var fullSet = [14]int{1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5}

// board is what the message /start tells: the squares from a1 to the right and
// upwards, and how many of each piece are alive, those face down included.
type board struct {
	cell  [squares]byte
	alive [14]int
}

// initial returns the board on which everything lies face down.
func initial() board {
	b := board{alive: fullSet}
	for i := range b.cell {
		b.cell[i] = hidden
	}
	return b
}

func seen(v game.View) (board, error) {
	var b board
	if len(v.Cells) != squares {
		return b, fmt.Errorf("a board of %d squares is not dark chess", len(v.Cells))
	}
	for i := range b.cell {
		b.cell[i] = v.At(at(i)).Piece
		b.cell[i] = cmp.Or(b.cell[i], empty)
		if p, is := grid.DarkPiece(b.cell[i]); is {
			b.alive[p]++
		}
	}
	for _, t := range v.Trays {
		if t.Name != "hidden" {
			continue
		}
		for _, it := range t.Items {
			if p, is := grid.DarkPiece(it.Piece); is {
				b.alive[p] += it.Count
			}
		}
	}
	return b, nil
}

// at returns the point of a square by its number.
func at(i int) game.Point { return game.Pt(i%grid.DarkWidth, grid.DarkHeight-1-i/grid.DarkWidth) }

func number(p game.Point) int { return (grid.DarkHeight-1-int(p.Y))*grid.DarkWidth + int(p.X) }

// play makes the decisions of a ply.
func (b *board) play(steps []game.Move) {
	for _, m := range steps {
		switch m.Op {
		case game.Shift:
			from, to := number(m.From), number(m.To)
			if p, is := grid.DarkPiece(b.cell[to]); is {
				b.alive[p]--
			}
			b.cell[from], b.cell[to] = empty, b.cell[from]
		case game.Deal:
			b.cell[number(m.To)] = game.DarkChessPieces[m.Arg]
		}
	}
}

// text returns the position in the text form of the game, for the colour to move.
// Everything face down and nothing played is the initial position, which is empty.
func (b *board) text(toMove game.Colour) (string, error) {
	if *b == initial() {
		return "", nil
	}
	var t strings.Builder
	for y := range grid.DarkHeight {
		if y > 0 {
			t.WriteByte('/')
		}
		for x := range grid.DarkWidth {
			t.WriteByte(b.cell[number(game.Pt(x, y))])
		}
	}
	switch toMove {
	case game.Red:
		t.WriteString(" r")
	case game.Black:
		t.WriteString(" b")
	default:
		return "", errors.New("the colours of a position under way must be known")
	}
	t.WriteString(" alive=")
	for i, n := range b.alive {
		if i > 0 {
			t.WriteByte(',')
		}
		fmt.Fprint(&t, n)
	}
	return t.String(), nil
}
