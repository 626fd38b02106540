package gtp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/protocol"
)

// pointAttempts is how many attempts are refused to learn whether points are understood: one
// may look the same from several sides of the board.
const pointAttempts = 5

// checkPoints refuses attempts. Where one is not the engine's to it, and another point is,
// its points are others.
func (c checker) checkPoints(p *probe) error {
	protocol.Must(c.start(p))
	refused := func(at game.Point) (bool, error) {
		r, err := p.ask(phantomRefused + " " + c.letter(game.First, 0) + " " + c.names.Format(at))
		return r.OK, err
	}
	likely, said, lost := mistakes(c.size), "", false
	for range pointAttempts {
		points, word, err := c.move(p, game.First, true)
		if said != "" && err != nil && !protocol.Unanswered(err) {
			// A point off the board, which none is from another side of it.
			likely = slices.DeleteFunc(likely, func(m mistake) bool { return m.of(game.Pt(0, 0)).On(c.size, c.size) })
			break
		}
		if err != nil || word != "" {
			return protocol.Untested(cmp.Or(err, errors.New("the engine does not want to try a point")))
		}
		own := points[0]
		known := protocol.Got(refused(own))
		if known {
			continue
		}
		var left []mistake
		for _, m := range likely {
			at := m.of(own)
			if !at.On(c.size, c.size) {
				left = append(left, m) // it cannot be said
				continue
			}
			if at == own {
				continue
			}
			if known = protocol.Got(refused(at)); known {
				left = slices.DeleteFunc(likely, func(m mistake) bool { return m.of(own) != at })
				said = fmt.Sprintf("of its attempt %s it knows nothing, and of %s it does", c.names.Format(own), c.names.Format(at))
				break
			}
		}
		likely, lost = left, !known
		if lost {
			break
		}
	}
	switch {
	case said != "" && len(likely) > 0:
		return fmt.Errorf("it reads or writes moves with %s: %s", likely[0].name, said)
	case lost:
		return protocol.Untested(errors.New("the engine does not know its attempt"))
	}
	return nil
}

// mistake is a way in which points are taken for others.
type mistake struct {
	name string
	of   func(game.Point) game.Point
}

// mistakes are those that an author may make, the likeliest first.
func mistakes(size int) (list []mistake) {
	sides := grid.Symmetries(size, size)
	for _, i := range []int{7, 2, 1, 3, 4, 5, 6} {
		list = append(list, mistake{grid.Side(i, false), sides[i]})
	}
	for _, by := range []int8{-1, 1} {
		list = append(list, mistake{"points counted from 1 instead of 0", func(p game.Point) game.Point {
			return game.Point{X: p.X + by, Y: p.Y - by} // rows count from the bottom
		}})
	}
	return list
}
