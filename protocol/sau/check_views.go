package sau

import (
	"kibitz/game"
	"kibitz/game/grid"
)

// view is a way in which an engine reads or writes points: as they are from another side of
// the board, or counted otherwise.
type view struct {
	name          string
	to, from      func(game.Move) game.Move // from what is said to what the engine has of it, and back
	reads, writes bool
	transposed    bool // columns and rows are exchanged
	broken        bool // it was told what cannot be in this view, and went on
}

// said is a turn as it passed over the connection.
type said struct {
	own   bool // by the engine
	steps []game.Move
}

// hears returns what the engine has of a turn.
func (v *view) hears(t said) []game.Move {
	if t.own && !v.writes || !t.own && !v.reads {
		return t.steps
	}
	return mapped(t.steps, v.to)
}

func mapped(steps []game.Move, f func(game.Move) game.Move) []game.Move {
	list := make([]game.Move, len(steps))
	for i, m := range steps {
		list[i] = f(m)
	}
	return list
}

// views are those that an author may have taken, the likeliest first: columns and rows
// exchanged, rows or columns from the other end, points counted from one.
func views(width, height int, edges bool) (list []*view) {
	add := func(name string, to, from func(game.Move) game.Move, transposed bool) {
		for _, way := range [][2]bool{{true, true}, {true, false}, {false, true}} {
			list = append(list, &view{name: name, to: to, from: from, reads: way[0], writes: way[1], transposed: transposed})
		}
	}
	through := func(p func(game.Point) game.Point) func(game.Move) game.Move {
		return func(m game.Move) game.Move { return m.Through(p) }
	}
	sides := grid.Symmetries(width, height)
	back := func(i int) int { // the two quarter turns are each other's
		if i == 5 || i == 6 {
			return 11 - i
		}
		return i
	}
	for _, i := range []int{4, 2, 1, 3, 5, 6, 7} {
		if i < len(sides) {
			add(side(i, edges), through(sides[i]), through(sides[back(i)]), i == 4)
		}
	}
	shifted := func(by int8) func(game.Move) game.Move {
		return through(func(p game.Point) game.Point { return game.Point{X: p.X + by, Y: p.Y + by} })
	}
	add("points counted from 1 instead of 0", shifted(-1), shifted(1), false)
	if edges {
		add("the row and the place of a line exchanged", placeFirst, placeFirst, false)
	}
	return list
}

// side says what is mistaken from a side of the board.
func side(i int, edges bool) string {
	if edges && i == 4 {
		return "A and B exchanged, horizontal lines and vertical ones"
	}
	return grid.Side(i, true)
}

// placeFirst is a line of which the place was taken for the row, and the row for the place.
func placeFirst(m game.Move) game.Move {
	m.To.X, m.To.Y = m.To.Y, m.To.X
	return m
}
