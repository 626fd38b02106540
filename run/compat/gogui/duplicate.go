package gogui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/record/sgf"
)

// Moves are what a game is compared by.
type Moves struct {
	// Number is the game's.
	Number int
	// Size is that of the board.
	Size int
	list []placement
}

// placement is a move, or a point that was set up.
type placement struct {
	key    string // the property of SGF: B, W, AB, AW, AE
	points []game.Point
	text   string // what is written where it is not points
}

// Len is how many moves there are, without points that were set up.
func (m *Moves) Len() int {
	n := 0
	for i := range m.list {
		if len(m.list[i].key) == 1 {
			n++
		}
	}
	return n
}

// MovesOf returns the moves of the main line of a game.
func MovesOf(number int, t *sgf.Tree) *Moves {
	m := &Moves{Number: number, Size: 19}
	if p := t.Root.Get("SZ"); p != nil && len(p.Values) > 0 {
		size, _, _ := strings.Cut(p.Values[0], ":")
		m.Size, _ = strconv.Atoi(size)
	}
	for n := t.Root; n != nil; n = next(n) {
		for _, key := range []string{"AB", "AW", "AE", "B", "W"} {
			p := n.Get(key)
			if p == nil {
				continue
			}
			values := slices.Clone(p.Values)
			if len(key) > 1 {
				slices.Sort(values)
			}
			for _, v := range values {
				m.list = append(m.list, newPlacement(key, v, m.Size))
			}
		}
	}
	return m
}

func next(n *sgf.Node) *sgf.Node {
	if len(n.Next) == 0 {
		return nil
	}
	return n.Next[0]
}

// newPlacement reads points: two letters each, or a letter and a number.
func newPlacement(key, value string, size int) placement {
	p := placement{key: key}
	v := strings.ToLower(value)
	if v == "tt" && size <= 19 { // a pass, as it was once written
		v = ""
	}
	if n, err := strconv.Atoi(v[min(1, len(v)):]); err == nil && v[0] >= 'a' {
		p.points = []game.Point{game.Pt(int(v[0]-'a'), n-1)}
	} else if len(v)%2 == 0 {
		for i := 0; i < len(v); i += 2 {
			p.points = append(p.points, game.Pt(int(v[i])-'a', int(v[i+1])-'a'))
		}
	}
	if len(p.points) == 0 || slices.ContainsFunc(p.points, func(at game.Point) bool { return !at.On(size, size) }) {
		p.points, p.text = nil, v
	}
	return p
}

// is compares with another placement that is turned or mirrored in some way.
func (p *placement) is(o *placement, way func(game.Point) game.Point) bool {
	if p.key != o.key || p.text != o.text || len(p.points) != len(o.points) {
		return false
	}
	for i, at := range o.points {
		if p.points[i] != way(at) {
			return false
		}
	}
	return true
}

// Duplicate returns the number of an earlier game that is the same but for a symmetry of
// the board; with a question mark that of the last one in which less than a fifth of the
// moves are others; "-" if there is none.
func Duplicate(m *Moves, earlier []*Moves) string {
	found := "-"
	for _, e := range earlier {
		for _, way := range grid.Symmetries(m.Size, m.Size) {
			switch n, most := m.different(e, way), len(m.list)/5; {
			case n == 0:
				return strconv.Itoa(e.Number)
			case n < most:
				found = fmt.Sprintf("%d?", e.Number)
			}
		}
	}
	return found
}

// different counts moves that are not the same in both games.
func (m *Moves) different(e *Moves, way func(game.Point) game.Point) int {
	both := min(len(m.list), len(e.list))
	n := max(len(m.list), len(e.list)) - both
	for i := range both {
		if !m.list[i].is(&e.list[i], way) {
			n++
		}
	}
	return n
}
