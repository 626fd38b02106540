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
	pWide1 // open on all sides
	pClosed2
	pOpen2
	pWide2 // three ways or more to an open three
	pClosed3
	pOpen3
	pWide3 // two ways or more to an open four
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
	keyMask = 1<<keyBits - 1
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
var next = [patterns]uint8{
	pOpen4: pOpen3, pClosed4: pClosed3, pOpen3: pOpen2, pWide3: pOpen2, pClosed3: pClosed2,
}

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
	case most == 1 && windows > 4:
		return pWide1
	case most == 1 && windows > 3:
		return pOpen1
	case most == 1:
		return pClosed1
	}
	best, ways := pNone, 0
	for rest := l.empty & 0x3fe; rest != 0; rest &= rest - 1 {
		after := l.with(bits.TrailingZeros16(rest))
		if m, _ := after.room(); m > most {
			switch p := next[after.pattern(k)]; {
			case p > best:
				best, ways = p, 1
			case p == best:
				ways++
			}
		}
	}
	switch {
	case best == pOpen3 && ways > 1:
		return pWide3
	case best == pOpen2 && ways > 2:
		return pWide2
	}
	return best
}

// lines is a table of the patterns of both colours by key, black's in the low four
// bits. It fills itself.
type lines struct {
	kinds [2]kind
	table *[1 << keyBits]uint8
}

// unknown stands in the table where nobody has asked yet.
const unknown = 0xff

func newLines(kinds [2]kind) *lines {
	t := &lines{kinds: kinds, table: new([1 << keyBits]uint8)}
	for i := range t.table {
		t.table[i] = unknown
	}
	return t
}

func (t *lines) at(key uint32) uint8 {
	if p := t.table[key&keyMask]; p != unknown {
		return p
	}
	return t.learn(key)
}

func (t *lines) learn(key uint32) uint8 {
	p := lineOf(key).pattern(t.kinds[black]) | lineOf(swapKey(key)).pattern(t.kinds[white])<<4
	t.table[key&keyMask] = p
	return p
}
