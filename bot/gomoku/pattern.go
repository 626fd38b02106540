package gomoku

import (
	"math/bits"

	"kibitz/games/gomoku"
)

// What a stone on the centre of a line makes of it, from nothing to five. "Open"
// means that one reply is not enough: an open four wins, an open three becomes an
// open four, and so on.
const (
	pNone uint8 = iota
	pClosed1
	pOpen1
	pClosed2
	pOpen2
	pClosed3
	pOpen3
	pClosed4
	pOpen4
	pFive
	pFoul // black in renju: an overline, or two fours in this line alone
	patterns
)

// kind is how lines of one colour win.
type kind uint8

const (
	anyFive    kind = iota // five or more
	exactFive              // exactly five
	blackRenju             // exactly five, and fouls
	caroFive               // exactly five, not closed at both ends
	caroMore               // six or more, or five not closed at both ends
)

// kindOf returns how the colour wins by the rule.
func kindOf(r gomoku.Rule, c gomoku.Stone) kind {
	switch r {
	case gomoku.Standard:
		return exactFive
	case gomoku.Renju:
		if c == gomoku.Black {
			return blackRenju
		}
	case gomoku.Caro:
		return caroFive
	case gomoku.Caro6:
		return caroMore
	}
	return anyFive
}

func (k kind) caro() bool { return k == caroFive || k == caroMore }

// A line is the centre with the five points on either side: bit n stands for the
// point n-5. What is in none of the sets is the edge or a dead stone.
type line struct{ own, empty, foe uint16 }

const centre = 5

// Keys describe the ten points around the centre, two bits each from the left:
// 0 empty, 1 black, 2 white, 3 neither. A key for white has the bits of each pair
// exchanged, so that 1 is always the own colour.
const (
	keyBits = 20
	evens   = 0x55555
)

func swapKey(k uint32) uint32 { return k&evens<<1 | k>>1&evens }

// slot returns the place in the key of a centre for the point that lies n steps
// away, n from -5 to 5 but not 0.
func slot(n int) int {
	if n < 0 {
		return 2 * (n + 5)
	}
	return 2 * (n + 4)
}

// lineOf spells a key out, with an own stone on the centre.
func lineOf(key uint32) line {
	l := line{own: 1 << centre}
	for n := -5; n <= 5; n++ {
		if n == 0 {
			continue
		}
		bit := uint16(1) << (n + centre)
		switch key >> slot(n) & 3 {
		case 0:
			l.empty |= bit
		case 1:
			l.own |= bit
		case 2:
			l.foe |= bit
		}
	}
	return l
}

// run returns the run of own stones through point q and the points beyond it.
func (l line) run(q int) (run, ends uint16) {
	right, left := q, q
	for right < 10 && l.own>>(right+1)&1 != 0 {
		right++
	}
	for left > 0 && l.own>>(left-1)&1 != 0 {
		left--
	}
	run = uint16(1)<<(right+1) - uint16(1)<<left
	ends = uint16(1) << (right + 1)
	if left > 0 {
		ends |= 1 << (left - 1)
	}
	return run, ends
}

// five reports whether the run through q wins and holds the centre.
func (l line) five(k kind, q int) bool {
	run, ends := l.run(q)
	n := bits.OnesCount16(run)
	if n < 5 || run>>centre&1 == 0 {
		return false
	}
	switch k {
	case exactFive, blackRenju:
		return n == 5
	case caroFive:
		return n == 5 && !l.closed(ends)
	case caroMore:
		return n > 5 || !l.closed(ends)
	}
	return true
}

func (l line) closed(ends uint16) bool { return bits.OnesCount16(l.foe&ends) == 2 }

// with returns the line with an own stone on q.
func (l line) with(q int) line {
	l.own |= 1 << q
	l.empty &^= 1 << q
	return l
}

// wins returns the points that make five.
func (l line) wins(k kind) (points uint16) {
	for rest := l.empty & 0x3fe; rest != 0; rest &= rest - 1 {
		q := bits.TrailingZeros16(rest)
		if l.with(q).five(k, q) {
			points |= 1 << q
		}
	}
	return points
}

// four says what kind of four the line is, pNone if it is none.
func (l line) four(k kind) uint8 {
	points := l.wins(k)
	switch {
	case points == 0:
		return pNone
	case points&(points-1) == 0:
		return pClosed4
	case k.caro():
		return l.caroFour(k)
	case k == blackRenju && !l.straight(points):
		return pFoul
	}
	return pOpen4
}

// caroFour tries every reply: a stone at the far end closes a line in caro.
func (l line) caroFour(k kind) uint8 {
	for rest := l.empty; rest != 0; rest &= rest - 1 {
		r := rest & -rest
		reply := l
		reply.empty &^= r
		reply.foe |= r
		if reply.wins(k) == 0 {
			return pClosed4
		}
	}
	return pOpen4
}

// straight reports whether all winning points complete the same four stones.
func (l line) straight(points uint16) bool {
	var four uint16
	for rest := points; rest != 0; rest &= rest - 1 {
		q := bits.TrailingZeros16(rest)
		run, _ := l.with(q).run(q)
		set := run &^ (1 << q)
		if four != 0 && set != four {
			return false
		}
		four = set
	}
	return true
}

// room returns the largest number of own stones in five neighbouring points that
// hold the centre and nothing foreign, and how many such fives there are.
func (l line) room() (most, windows int) {
	for s := 1; s <= centre; s++ {
		w := uint16(0x1f) << s
		if (l.own|l.empty)&w == w {
			windows++
			most = max(most, bits.OnesCount16(l.own&w))
		}
	}
	return most, windows
}

// next is what a line becomes before the stone that makes it the index.
var next = [patterns]uint8{pOpen4: pOpen3, pClosed4: pClosed3, pOpen3: pOpen2, pClosed3: pClosed2}

// pattern says what the line with its centre is.
func (l line) pattern(k kind) uint8 {
	if l.five(k, centre) {
		return pFive
	}
	if run, _ := l.run(centre); k == blackRenju && bits.OnesCount16(run) > 5 {
		return pFoul
	}
	if p := l.four(k); p != pNone {
		return p
	}
	most, windows := l.room()
	switch {
	case most == 0:
		return pNone
	case most == 1 && windows > 3:
		return pOpen1
	case most == 1:
		return pClosed1
	}
	best := pNone
	for rest := l.empty & 0x3fe; rest != 0; rest &= rest - 1 {
		after := l.with(bits.TrailingZeros16(rest))
		if m, _ := after.room(); m > most {
			best = max(best, next[after.pattern(k)])
		}
	}
	return best
}

// lookup is a table of patterns by key that fills itself: 0 is not yet known,
// other entries are the pattern and one.
type lookup struct {
	kind  kind
	table []uint8
}

func newLookup(k kind) *lookup { return &lookup{kind: k, table: make([]uint8, 1<<keyBits)} }

func (t *lookup) at(key uint32) uint8 {
	if p := t.table[key]; p != 0 {
		return p - 1
	}
	p := lineOf(key).pattern(t.kind)
	t.table[key] = p + 1
	return p
}

// What a stone on a point makes of its four lines together.
const (
	cQuiet uint8 = iota
	cThree       // an open three
	cTwoThrees
	cFour    // a four that must be answered
	cFourAnd // a four and an open three
	cWinFour // an open four, or two fours
	cFive
	cFoul
	classes
	classMask = 15
	// suspect marks points whose legality only the judge of renju knows.
	suspect = 0x80
)

// cell is what the four patterns of a point amount to.
type cell struct {
	class uint8
	score int16 // for the evaluation
	order int16 // for the order of moves
}

var (
	scoreOf = [patterns]int16{pOpen1: 1, pClosed2: 2, pOpen2: 3, pClosed3: 9, pOpen3: 26, pClosed4: 48, pOpen4: 60, pFive: 90}
	orderOf = [patterns]int16{pClosed1: 1, pOpen1: 3, pClosed2: 5, pOpen2: 16, pClosed3: 20, pOpen3: 90, pClosed4: 95, pOpen4: 1200, pFive: 6000}

	classScore = [classes]int16{cTwoThrees: 25, cFourAnd: 90, cWinFour: 60}
	classOrder = [classes]int16{cTwoThrees: 150, cFourAnd: 500, cWinFour: 800}
)

// cells tabulates all combinations of four patterns, four bits each.
func newCells(k kind) []cell {
	t := make([]cell, 1<<16)
	var p [4]uint8
	for p[0] = range patterns {
		for p[1] = range patterns {
			for p[2] = range patterns {
				for p[3] = range patterns {
					i := uint16(p[0]) | uint16(p[1])<<4 | uint16(p[2])<<8 | uint16(p[3])<<12
					t[i] = combine(k, p)
				}
			}
		}
	}
	return t
}

func combine(k kind, p [4]uint8) (c cell) {
	var n [patterns]int
	for _, x := range p {
		n[x]++
		c.score += scoreOf[x]
		c.order += orderOf[x]
	}
	fours := n[pClosed4] + n[pOpen4]
	switch {
	case n[pFive] > 0:
		c.class = cFive
	case k == blackRenju && (n[pFoul] > 0 || fours > 1):
		return cell{class: cFoul}
	case n[pOpen4] > 0, fours > 1 && !k.caro():
		c.class = cWinFour
	case fours > 0 && n[pOpen3] > 0:
		c.class = cFourAnd
	case fours > 0:
		c.class = cFour
	case n[pOpen3] > 1:
		c.class = cTwoThrees
	case n[pOpen3] > 0:
		c.class = cThree
	}
	c.score += classScore[c.class]
	c.order += classOrder[c.class]
	if k == blackRenju && n[pOpen3] > 1 && c.class != cFive {
		c.class |= suspect
	}
	return c
}
