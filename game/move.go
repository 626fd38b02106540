package game

import "fmt"

// Point is a place on a board. X is the column counted from the left, Y the row
// counted from the top, both from 0. Boards have at most 127 columns and rows.
type Point struct{ X, Y int8 }

// NoPoint is the point of a move that needs none.
var NoPoint = Point{-1, -1}

// Pt is shorthand for Point{int8(x), int8(y)}.
func Pt(x, y int) Point { return Point{int8(x), int8(y)} }

// On reports whether p lies on a board of the given size.
func (p Point) On(width, height int) bool {
	return p.X >= 0 && p.Y >= 0 && int(p.X) < width && int(p.Y) < height
}

// Index returns the row-major number of p on a board of the given width.
func (p Point) Index(width int) int { return int(p.Y)*width + int(p.X) }

// Op is the kind of a decision.
type Op uint8

// The operations. Which of them a game knows, and which fields of Move they use:
//
//	Place   To            a stone or disc
//	Shift   From, To      a piece walks, jumps or captures
//	Shoot   To            an arrow
//	Flip    To            a face-down piece is turned over
//	Edge    To, Arg       a line: Arg 0 horizontal, 1 vertical, from dot To rightwards or downwards
//	Pass    -
//	Choose  Arg           an offered choice; the phase says which
//	Resign  -             legal for either participant at any time; the referee handles it
//	Deal    To, Arg       chance decides: Arg is the outcome's number in the game's own table
const (
	NoOp Op = iota
	Place
	Shift
	Shoot
	Flip
	Edge
	Pass
	Choose
	Resign
	Deal
)

var opNames = [...]string{"none", "place", "shift", "shoot", "flip", "edge", "pass", "choose", "resign", "deal"}

// String returns the lower-case name of the operation.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// Move is one decision. It is comparable, eight bytes long, and means the same
// without its position. Fields that an operation does not use are NoPoint and 0,
// so that equal decisions are equal values: build moves with the functions below.
type Move struct {
	Op   Op
	From Point
	To   Point
	Arg  int16
}

// PlaceAt returns the move that puts a stone on p.
func PlaceAt(p Point) Move { return Move{Op: Place, From: NoPoint, To: p} }

// ShiftTo returns the move of a piece between two points.
func ShiftTo(from, to Point) Move { return Move{Op: Shift, From: from, To: to} }

// ShootAt returns the move that shoots an arrow at p.
func ShootAt(p Point) Move { return Move{Op: Shoot, From: NoPoint, To: p} }

// FlipAt returns the move that turns over the piece on p.
func FlipAt(p Point) Move { return Move{Op: Flip, From: NoPoint, To: p} }

// EdgeAt returns the move that draws the line which starts at dot p and runs to
// the right, or downwards if vertical.
func EdgeAt(p Point, vertical bool) Move {
	m := Move{Op: Edge, From: NoPoint, To: p}
	if vertical {
		m.Arg = 1
	}
	return m
}

// Through returns the decision as it looks when f moves the points of the board, as a
// symmetry does. A line between dots is its two ends.
func (m Move) Through(f func(Point) Point) Move {
	if m.Op == Edge {
		to := m.To
		if m.Arg == 0 {
			to.X++
		} else {
			to.Y++
		}
		a, b := f(m.To), f(to)
		return EdgeAt(Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, a.X == b.X)
	}
	if m.From != NoPoint {
		m.From = f(m.From)
	}
	if m.To != NoPoint {
		m.To = f(m.To)
	}
	return m
}

// PassMove returns the pass.
func PassMove() Move { return Move{Op: Pass, From: NoPoint, To: NoPoint} }

// ChooseArg returns the choice number n of the current phase.
func ChooseArg(n int) Move { return Move{Op: Choose, From: NoPoint, To: NoPoint, Arg: int16(n)} }

// ResignMove returns the resignation.
func ResignMove() Move { return Move{Op: Resign, From: NoPoint, To: NoPoint} }

// DealAt returns the dealer's outcome n at point p.
func DealAt(p Point, n int) Move { return Move{Op: Deal, From: NoPoint, To: p, Arg: int16(n)} }

// String prints the move for logs and tests. Games have their own canonical text.
func (m Move) String() string {
	switch m.Op {
	case Pass, Resign, NoOp:
		return m.Op.String()
	case Choose:
		return fmt.Sprintf("choose %d", m.Arg)
	case Shift:
		return fmt.Sprintf("shift %d,%d-%d,%d", m.From.X, m.From.Y, m.To.X, m.To.Y)
	case Edge, Deal:
		return fmt.Sprintf("%s %d,%d:%d", m.Op, m.To.X, m.To.Y, m.Arg)
	default:
		return fmt.Sprintf("%s %d,%d", m.Op, m.To.X, m.To.Y)
	}
}
