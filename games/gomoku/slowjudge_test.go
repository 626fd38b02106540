package gomoku_test

// A second judge, written from the definitions of the rules alone: it looks at
// sets of points and tries every stone, and shares nothing with the first.

import (
	"fmt"
	"slices"
)

// slowBoard is a board of rows of '.', 'X' (black), 'O' (white).
type slowBoard [][]byte

func newSlowBoard(width, height int) slowBoard {
	b := make(slowBoard, height)
	for y := range b {
		b[y] = make([]byte, width)
		for x := range b[y] {
			b[y][x] = '.'
		}
	}
	return b
}

type xy struct{ x, y int }

func (p xy) plus(d xy, n int) xy { return xy{p.x + n*d.x, p.y + n*d.y} }

// at returns the letter of a point, '#' beyond the edge.
func (b slowBoard) at(p xy) byte {
	if p.y < 0 || p.y >= len(b) || p.x < 0 || p.x >= len(b[0]) {
		return '#'
	}
	return b[p.y][p.x]
}

func (b slowBoard) set(p xy, c byte) { b[p.y][p.x] = c }

var slowDirections = []xy{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// line returns the maximal run of equal stones through p.
func (b slowBoard) line(p, d xy) []xy {
	c := b.at(p)
	first := p
	for b.at(first.plus(d, -1)) == c {
		first = first.plus(d, -1)
	}
	var run []xy
	for q := first; b.at(q) == c; q = q.plus(d, 1) {
		run = append(run, q)
	}
	return run
}

// wins says whether the stone on p wins by the rule of that name.
func (b slowBoard) wins(rule string, p xy) bool {
	for _, d := range slowDirections {
		run := b.line(p, d)
		n := len(run)
		before, after := b.at(run[0].plus(d, -1)), b.at(run[n-1].plus(d, 1))
		foe := map[byte]byte{'X': 'O', 'O': 'X'}[b.at(p)]
		open := before != foe || after != foe
		switch {
		case rule == "freestyle" && n >= 5,
			rule == "standard" && n == 5,
			rule == "renju" && (n == 5 || b.at(p) == 'O' && n >= 5),
			rule == "caro" && n == 5 && open,
			rule == "caro6" && (n >= 6 || n == 5 && open):
			return true
		}
	}
	return false
}

// foul names the verdict of a black stone on the empty point p in renju.
func (b slowBoard) foul(p xy) string {
	b.set(p, 'X')
	defer b.set(p, '.')
	longest := 0
	for _, d := range slowDirections {
		n := len(b.line(p, d))
		if n == 5 {
			return "win"
		}
		longest = max(longest, n)
	}
	if longest > 5 {
		return "overline"
	}
	all := 0
	for _, d := range slowDirections {
		all += len(b.foursOn(p, d))
	}
	if all >= 2 {
		return "4-4"
	}
	n := 0
	for _, d := range slowDirections {
		if b.threeOn(p, d) {
			n++
		}
	}
	if n >= 2 {
		return "3-3"
	}
	return "legal"
}

// foursOn collects the sets of four black stones with p along d that some empty
// point turns into an exact five.
func (b slowBoard) foursOn(p, d xy) map[string]bool {
	sets := map[string]bool{}
	for n := -4; n <= 4; n++ {
		q := p.plus(d, n)
		if b.at(q) != '.' {
			continue
		}
		b.set(q, 'X')
		five := b.line(q, d)
		b.set(q, '.')
		if len(five) != 5 || !slices.Contains(five, p) {
			continue
		}
		four := slices.DeleteFunc(five, func(r xy) bool { return r == q })
		sets[fmt.Sprint(four)] = true
	}
	return sets
}

// threeOn says whether p has a true three along d: some point q makes a straight
// four of p, q and two more, is no five in any direction, and is no foul itself.
func (b slowBoard) threeOn(p, d xy) bool {
	for n := -3; n <= 3; n++ {
		q := p.plus(d, n)
		if b.at(q) == '.' && b.straightFour(p, q, d) && b.foul(q) == "legal" {
			return true
		}
	}
	return false
}

// straightFour says whether a stone on q would make four stones in a row with p,
// such that each of both neighbours makes an exact five.
func (b slowBoard) straightFour(p, q, d xy) bool {
	b.set(q, 'X')
	defer b.set(q, '.')
	four := b.line(q, d)
	if len(four) != 4 || !slices.Contains(four, p) {
		return false
	}
	for _, end := range []xy{four[0].plus(d, -1), four[3].plus(d, 1)} {
		if b.at(end) != '.' {
			return false
		}
		b.set(end, 'X')
		n := len(b.line(end, d))
		b.set(end, '.')
		if n != 5 {
			return false
		}
	}
	return true
}
