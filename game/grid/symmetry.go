package grid

import "kibitz/game"

// Symmetries returns the transformations of a board onto itself, the identity
// first: four of a rectangle, eight of a square.
func Symmetries(width, height int) []func(game.Point) game.Point {
	w, h := int8(width-1), int8(height-1)
	list := []func(game.Point) game.Point{
		func(p game.Point) game.Point { return p },
		func(p game.Point) game.Point { return game.Point{X: w - p.X, Y: p.Y} },
		func(p game.Point) game.Point { return game.Point{X: p.X, Y: h - p.Y} },
		func(p game.Point) game.Point { return game.Point{X: w - p.X, Y: h - p.Y} },
	}
	if w == h {
		list = append(list,
			func(p game.Point) game.Point { return game.Point{X: p.Y, Y: p.X} },
			func(p game.Point) game.Point { return game.Point{X: w - p.Y, Y: p.X} },
			func(p game.Point) game.Point { return game.Point{X: p.Y, Y: w - p.X} },
			func(p game.Point) game.Point { return game.Point{X: w - p.Y, Y: w - p.X} })
	}
	return list
}
