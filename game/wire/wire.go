// Package wire is the one form in which a board goes to programs and pages as JSON. Scripts of
// pages read the same types in TypeScript, which internal/tstypes writes from these.
package wire

//go:generate go run kibitz/internal/tstypes ../..

import (
	"fmt"
	"slices"

	"kibitz/game"
)

// Seat is who decides: the name of a game.Seat.
type Seat string

// The seats.
const (
	First  Seat = "first"
	Second Seat = "second"
	Dealer Seat = "dealer"
	Nobody Seat = "nobody"
)

// Audience is whom something is made for: the name of a game.Audience.
type Audience string

// The audiences.
const (
	ToFirst  Audience = "first"
	ToSecond Audience = "second"
	Public   Audience = "public"
	Arbiter  Audience = "arbiter"
)

// Shape is the name of a game.Shape.
type Shape string

// The shapes.
const (
	Cells     Shape = "cells"
	Crossings Shape = "crossings"
	Dots      Shape = "dots"
)

// Ground is the name of a game.Ground; its colours are those of the class kb-is-NAME in
// board.css.
type Ground string

// The grounds.
const (
	Chequer Ground = "chequer"
	Wood    Ground = "wood"
	Paper   Ground = "paper"
	Felt    Ground = "felt"
	Table   Ground = "table"
)

// Colour is the name of a game.Colour.
type Colour string

// The colours.
const (
	Unknown Colour = "unknown"
	Black   Colour = "black"
	White   Colour = "white"
	Red     Colour = "red"
)

// Point is a place: column from the left, row from the top, both from 0.
type Point [2]int

// View is a board. Pieces and Owners have one letter for each cell, row by row from the
// top left: the piece ('.' for none) and its owner ('0', '1', '-').
type View struct {
	Shape Shape `json:"shape"`
	// Ground is what the board is made of; Loops is how many of its lines run on around
	// the corners.
	Ground  Ground   `json:"ground"`
	Loops   int      `json:"loops,omitempty"`
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Columns []string `json:"columns,omitempty"`
	Rows    []string `json:"rows,omitempty"`
	Pieces  string   `json:"pieces"`
	Owners  string   `json:"owners"`
	Lines   []Line   `json:"lines,omitempty"`
	Rest
}

// Line is a line of a board of dots: column, row, 1 if vertical, owner.
type Line [4]int

// Rest is what changes of a board beside cells and lines; it is told as a whole.
type Rest struct {
	Seat     Seat        `json:"seat"` // on turn
	Step     int         `json:"step,omitempty"`
	Phase    string      `json:"phase,omitempty"`
	Colours  [2]Colour   `json:"colours"`
	Score    *[2]float64 `json:"score,omitempty"`
	Trays    []Tray      `json:"trays,omitempty"`
	Marks    []Point     `json:"marks,omitempty"`
	Attempts []Point     `json:"attempts,omitempty"`
	Barred   []Point     `json:"barred,omitempty"`
	Won      []Point     `json:"won,omitempty"`
	Path     []Point     `json:"path,omitempty"`
	Notes    []game.Note `json:"notes,omitempty"`
}

// Tray is a heap of pieces beside the board: how many of each letter.
type Tray struct {
	Name   string `json:"name"`
	Owner  Seat   `json:"owner"`
	Pieces string `json:"pieces,omitempty"`
	Counts []int  `json:"counts,omitempty"`
}

// Change is a cell that has become another: its number, piece and owner.
type Change struct {
	I int    `json:"i"`
	C string `json:"c"`
}

// Changed is v with other cells, with further lines and, if rest is not nil, another rest; v stays
// as it is.
func (v *View) Changed(cells []Change, lines []Line, rest *Rest) (*View, error) {
	out := *v
	pieces, owners := []byte(v.Pieces), []byte(v.Owners)
	for _, c := range cells {
		if c.I < 0 || c.I >= len(pieces) || c.I >= len(owners) || len(c.C) != 2 {
			return nil, fmt.Errorf("cell %d becomes %q, and does not exist", c.I, c.C)
		}
		pieces[c.I], owners[c.I] = c.C[0], c.C[1]
	}
	out.Pieces, out.Owners = string(pieces), string(owners)
	out.Lines = append(slices.Clip(v.Lines), lines...)
	if rest != nil {
		out.Rest = *rest
	}
	return &out, nil
}

// SeatOf is the form of a seat.
func SeatOf(s game.Seat) Seat { return Seat(s.String()) }

// Of is the form of a view.
func Of(v *game.View) *View {
	out := &View{
		Shape: Shape(v.Shape.String()), Ground: Ground(v.Surface().String()), Loops: v.Loops,
		Width: v.Width, Height: v.Height, Columns: v.Columns, Rows: v.Rows,
		Rest: Rest{
			Seat: SeatOf(v.Turn.Seat), Step: v.Turn.Step, Phase: v.Turn.Phase,
			Colours: [2]Colour{Colour(v.Colours[0].String()), Colour(v.Colours[1].String())},
			Marks:   Points(v.Marks), Attempts: Points(v.Attempts), Notes: v.Notes,
			Barred: Points(v.Barred), Won: Points(v.Won), Path: Points(v.Path),
		},
	}
	pieces, owners := make([]byte, len(v.Cells)), make([]byte, len(v.Cells))
	for i, c := range v.Cells {
		pieces[i], owners[i] = letter(c.Piece), owner(c.Owner)
	}
	out.Pieces, out.Owners = string(pieces), string(owners)
	for _, l := range v.Lines {
		w := Line{int(l.At.X), int(l.At.Y), 0, int(l.By)}
		if l.Vertical {
			w[2] = 1
		}
		out.Lines = append(out.Lines, w)
	}
	for _, t := range v.Trays {
		x := Tray{Name: t.Name, Owner: SeatOf(t.Owner)}
		for _, item := range t.Items {
			x.Pieces += string(rune(letter(item.Piece)))
			x.Counts = append(x.Counts, item.Count)
		}
		out.Trays = append(out.Trays, x)
	}
	if v.HasScore {
		out.Score = &[2]float64{v.Score[0], v.Score[1]}
	}
	return out
}

func letter(piece byte) byte {
	if piece <= ' ' || piece > '~' {
		return '.'
	}
	return piece
}

func owner(s game.Seat) byte {
	if s.IsPlayer() {
		return '0' + byte(s)
	}
	return '-'
}

// Points are the form of points; nil for none.
func Points(list []game.Point) []Point {
	var out []Point
	for _, p := range list {
		out = append(out, Point{int(p.X), int(p.Y)})
	}
	return out
}
