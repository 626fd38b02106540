package board

import (
	"fmt"
	"slices"

	"kibitz/game"
)

// Ways of drawing a board: as the game does, turned by half a circle, as it looks to
// whoever sits opposite, and lying: the first column on top, the first row at the
// left, as some programs draw the board of dark chess.
const (
	Upright = "upright"
	Turned  = "turned"
	Lying   = "lying"
)

// Orient changes a view to be drawn another way. Points keep their names.
func Orient(v *game.View, how string) error {
	if how == Upright {
		return nil
	}
	if v.Shape == game.Dots {
		return fmt.Errorf("--orientation %s: a board of dots is drawn upright only", how)
	}
	in := *v
	to := func(p game.Point) game.Point { return game.Pt(in.Width-1-int(p.X), in.Height-1-int(p.Y)) }
	if how == Lying {
		v.Width, v.Height = in.Height, in.Width
		v.Columns, v.Rows = in.Rows, in.Columns
		to = func(p game.Point) game.Point { return game.Point{X: p.Y, Y: p.X} }
	} else {
		v.Columns, v.Rows = slices.Clone(in.Columns), slices.Clone(in.Rows)
		slices.Reverse(v.Columns)
		slices.Reverse(v.Rows)
	}
	v.Cells = make([]game.Cell, len(in.Cells))
	for i, c := range in.Cells {
		v.Cells[to(game.Pt(i%in.Width, i/in.Width)).Index(v.Width)] = c
	}
	move := func(list []game.Point) []game.Point {
		out := slices.Clone(list)
		for i, p := range out {
			if p.On(in.Width, in.Height) {
				out[i] = to(p)
			}
		}
		return out
	}
	v.Marks, v.Attempts = move(in.Marks), move(in.Attempts)
	return nil
}
