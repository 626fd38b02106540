package game

import "fmt"

// Shape says how a board is drawn.
type Shape uint8

// The shapes: pieces stand in cells, on crossings of lines, or lines are drawn
// between dots.
const (
	Cells Shape = iota
	Crossings
	Dots
)

// String is the shape's name.
func (s Shape) String() string {
	switch s {
	case Crossings:
		return "crossings"
	case Dots:
		return "dots"
	}
	return "cells"
}

// Ground is what a board is made of.
type Ground uint8

// The grounds. UsualGround is that of the shape: Chequer for cells, Wood for crossings,
// Paper for dots.
const (
	UsualGround Ground = iota
	Chequer            // light and dark cells
	Wood
	Paper
	Felt  // green cloth, cells of one colour
	Table // cells of one colour, plain
)

// String is the ground's name.
func (g Ground) String() string {
	names := [...]string{"usual", "chequer", "wood", "paper", "felt", "table"}
	if int(g) < len(names) {
		return names[g]
	}
	return names[UsualGround]
}

// Cell is what an audience may know to stand on one point.
type Cell struct {
	// Piece is the letter of the piece, 0 for an empty point. The game's docs
	// page lists its letters; 'X' is a face-down piece, '#' a burnt square.
	Piece byte
	// Owner is the seat that owns the piece, Nobody for neutral or unknown ones.
	Owner Seat
}

// Line is a drawn line of a Dots board.
type Line struct {
	At       Point
	Vertical bool
	By       Seat
}

// Tray is a heap of pieces beside the board.
type Tray struct {
	Name  string // "taken", "alive", "hidden"
	Owner Seat   // Nobody if it belongs to both
	Items []TrayItem
}

// TrayItem counts equal pieces of a tray.
type TrayItem struct {
	Piece byte
	Count int
}

// NoteCode names the kind of a note in one word, the same in all games. Readers have words for
// each.
type NoteCode string

// The codes, with their arguments.
const (
	NoteMove      NoteCode = "move"      // number, the highest one
	NoteKo        NoteCode = "ko"        // point
	NoteNoCapture NoteCode = "nocapture" // plies without a capture, the most
	NoteNoEat     NoteCode = "noeat"     // plies without a capture or a flip, the most
	NoteTurning   NoteCode = "turning"   // point
	NoteSwap2     NoteCode = "swap2"     // in the opening, which the phase of the turn tells too
	NoteSecond    NoteCode = "second"    // stone of a turn, which the step of the turn tells too
	NoteForbidden NoteCode = "forbidden" // overline, 44 or 33; points where a stone of black would be one
)

// Note is a short fact beside a board, such as "ko at C3". A reader that has words of its
// own for the code says them with the arguments; any other shows the text.
type Note struct {
	Code NoteCode `json:"code"`
	// Args are what the words are about: points and numbers as the game writes them.
	Args []string `json:"args,omitempty"`
	// Text says it in English, arguments included.
	Text string `json:"text"`
}

// Notef returns a note with its text and arguments, which stand in the text as fmt writes
// them.
func Notef(code NoteCode, format string, args ...any) Note {
	n := Note{Code: code, Text: fmt.Sprintf(format, args...)}
	for _, a := range args {
		n.Args = append(n.Args, fmt.Sprint(a))
	}
	return n
}

// View is everything that one audience may know about a position, enough to draw
// it. States construct views from what the audience knows; no code removes
// secrets from a fuller one.
type View struct {
	For           Audience
	Shape         Shape
	Width, Height int
	// Ground is what the board is made of, Surface tells it.
	Ground Ground
	// Loops is how many lines of crossings run on around the corners of the board, from
	// each edge, beginning with the second line: each is joined with the line that is as
	// far from the other edge of the corner.
	Loops int
	// Columns and Rows are the labels along the edges as the game writes its
	// points, Rows from top to bottom.
	Columns, Rows []string
	// Cells are Width*Height, row-major from the top left. On a board of dots Width
	// and Height count dots, and a cell is the box to the right of its dot and below
	// it: those of the last column and row are empty.
	Cells    []Cell
	Lines    []Line
	Turn     Turn
	Colours  [2]Colour
	Score    [2]float64 // discs, boxes, lines: where the game shows one
	HasScore bool
	Trays    []Tray
	Marks    []Point // points of the last move that this audience saw
	// Attempts are points that the audience learned to be forbidden this turn.
	Attempts []Point
	// Barred are empty points on which the seat on turn would lose at once by playing
	// there: fouls of renju, captures of NoGo. They are for everybody to see.
	Barred []Point
	// Won are the points that decided a game which is over: the winning row, the chains
	// without liberty.
	Won []Point
	// Path are the points along which the piece of the last move went, both ends
	// included, where that is not the straight way.
	Path   []Point
	Notes  []Note
	Result *Result
}

// Surface is what the board is made of, never UsualGround.
func (v *View) Surface() Ground {
	switch {
	case v.Ground > UsualGround && v.Ground <= Table:
		return v.Ground
	case v.Shape == Crossings:
		return Wood
	case v.Shape == Dots:
		return Paper
	}
	return Chequer
}

// At returns the cell on p. It panics if p is not on the board.
func (v *View) At(p Point) Cell { return v.Cells[p.Index(v.Width)] }
