package grid

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// The texts of dark chess that its protocols and records share: squares a1 to d8
// with row 1 at the bottom, pieces by the letters of game.DarkChessPieces.

// DarkWidth and DarkHeight are the size of the board of dark chess.
const (
	DarkWidth  = 4
	DarkHeight = 8
)

// AppendDarkSquare appends the name of a square. The point must be on the board.
func AppendDarkSquare(dst []byte, p game.Point) []byte {
	return append(dst, 'a'+byte(p.X), '8'-byte(p.Y))
}

// ReadDarkSquare reads a letter and a digit in either case and returns what
// follows. The point may lie off the board: a0 is how programs resign.
func ReadDarkSquare(b []byte) (p game.Point, rest []byte, ok bool) {
	if len(b) < 2 {
		return game.NoPoint, b, false
	}
	c, d := b[0]|0x20, b[1]
	if c < 'a' || c > 'z' || d < '0' || d > '9' {
		return game.NoPoint, b, false
	}
	return game.Pt(int(c-'a'), 8-int(d-'0')), b[2:], true
}

// DarkResign is the point that a0 stands for.
var DarkResign = game.Pt(0, 8)

// ReadColour reads how a position of dark chess names a colour: r, b or ?, or the whole
// word.
func ReadColour(text string) (game.Colour, error) {
	switch strings.ToLower(text) {
	case "r", "red":
		return game.Red, nil
	case "b", "black":
		return game.Black, nil
	case "?", "unknown":
		return game.NoColour, nil
	}
	return game.NoColour, fmt.Errorf("colour %q is not r, b or ?", text)
}

// DarkPiece returns the number of the piece that a letter stands for.
func DarkPiece(letter byte) (int, bool) {
	i := strings.IndexByte(game.DarkChessPieces, letter)
	return i, i >= 0
}

// AppendDarkPly appends the first ply of the steps, "b5-b6" or "b7(M)" for a flip
// with what was dealt, and returns how many steps it took; 0 if they are no ply.
func AppendDarkPly(dst []byte, steps []game.Move) ([]byte, int) {
	if len(steps) == 0 {
		return dst, 0
	}
	switch m := steps[0]; {
	case m.Op == game.Shift:
		return AppendDarkSquare(append(AppendDarkSquare(dst, m.From), '-'), m.To), 1
	case m.Op == game.Resign:
		return append(dst, "a0-a0"...), 1
	case m.Op == game.Flip && len(steps) > 1 && steps[1].Op == game.Deal && int(steps[1].Arg) < len(game.DarkChessPieces):
		return append(AppendDarkSquare(dst, m.To), '(', game.DarkChessPieces[steps[1].Arg], ')'), 2
	}
	return dst, 0
}

// ReadDarkPly reads the text of one ply: "b5-b6", "b7(M)", "b7-b7" for a flip whose
// outcome is not known, "a0-a0" for the resignation. Any character may stand where
// the hyphen and the brackets do, since some programs do not look.
func ReadDarkPly(text string) ([]game.Move, error) {
	from, rest, ok := ReadDarkSquare([]byte(text))
	if !ok || len(rest) < 2 {
		return nil, fmt.Errorf("%q is no ply: write b5-b6, or b7(M) for a flip", text)
	}
	if piece, is := DarkPiece(rest[1]); is && len(rest) == 3 && from.On(DarkWidth, DarkHeight) && (rest[2] < '0' || rest[2] > '9') {
		return []game.Move{game.FlipAt(from), game.DealAt(from, piece)}, nil
	}
	to, rest, ok := ReadDarkSquare(rest[1:])
	switch {
	case !ok || len(rest) > 0:
		return nil, fmt.Errorf("%q is no ply: write b5-b6, or b7(M) for a flip", text)
	case from == DarkResign && to == DarkResign:
		return []game.Move{game.ResignMove()}, nil
	case !from.On(DarkWidth, DarkHeight) || !to.On(DarkWidth, DarkHeight):
		return nil, fmt.Errorf("%q names a square beyond a to d and 1 to 8", text)
	case from == to:
		return []game.Move{game.FlipAt(from)}, nil
	}
	return []game.Move{game.ShiftTo(from, to)}, nil
}
