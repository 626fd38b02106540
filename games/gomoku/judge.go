package gomoku

import "math/bits"

// Verdict says what a stone would be.
type Verdict uint8

// The verdicts. The fouls are those of black in renju, in the order in which one
// is named when several apply.
const (
	Quiet Verdict = iota
	Win
	Overline
	DoubleFour
	DoubleThree
)

// Foul reports whether the verdict is a foul.
func (v Verdict) Foul() bool { return v >= Overline }

// String returns a word for the verdict: quiet, win, overline, 4-4 or 3-3.
func (v Verdict) String() string {
	return [...]string{"quiet", "win", "overline", "4-4", "3-3"}[v%5]
}

// Judge says what a stone of colour c (Black or White) at i would be. What stands
// at i is taken for empty; the board is the same afterwards.
func (b *Board) Judge(i int, c Stone) Verdict {
	if b.rule == Renju && c == Black {
		return b.judgeBlack(i)
	}
	for _, d := range b.dirs {
		if b.wins(i, d, c) {
			return Win
		}
	}
	return Quiet
}

// Forbidden reports whether a black stone at the empty point i would be a foul.
// It is false for every rule but renju.
func (b *Board) Forbidden(i int) bool {
	return b.rule == Renju && b.judgeBlack(i).Foul()
}

// Run returns the run of stones of colour c through i along d, what stands at i
// taken for c: its length and the indices just beyond both ends.
func (b *Board) Run(i, d int, c Stone) (n, before, after int) {
	n = 1
	after = i + d
	for b.cells[after] == c {
		after += d
		n++
	}
	before = i - d
	for b.cells[before] == c {
		before -= d
		n++
	}
	return n, before, after
}

// wins reports whether c at i wins by its run along d, for every rule; for black
// in renju it says whether the run is an exact five.
func (b *Board) wins(i, d int, c Stone) bool {
	n, before, after := b.Run(i, d, c)
	if n < 5 {
		return false
	}
	switch b.rule {
	case Standard:
		return n == 5
	case Renju:
		return n == 5 || c == White
	case Caro:
		return n == 5 && !b.closed(before, after, c)
	case Caro6:
		return n > 5 || !b.closed(before, after, c)
	default:
		return true
	}
}

// closed reports whether an opposing stone stands at both ends. The edge and dead
// stones close nothing.
func (b *Board) closed(before, after int, c Stone) bool {
	o := c.Other()
	return b.cells[before] == o && b.cells[after] == o
}

// centre is the bit of the point itself in the masks of a line.
const centre = 5

// line reads the five points on either side of i along d: bit k+centre stands for
// i+k*d. The point itself counts as black.
func (b *Board) line(i, d int) (black, empty uint16) {
	black = 1 << centre
	j := i - centre*d
	for k := range 2*centre + 1 {
		if k != centre {
			switch b.cells[j] {
			case Black:
				black |= 1 << k
			case Empty:
				empty |= 1 << k
			}
		}
		j += d
	}
	return black, empty
}

// run returns the length of the black run through the centre; six stands for all
// that is longer than five and fits into the mask.
func run(black uint16) int {
	right := bits.TrailingZeros16(^(black >> (centre + 1)))
	left := bits.LeadingZeros16(^(black << (16 - centre)))
	return left + right + 1
}

// fours counts the sets of four black stones with the centre that one empty point
// turns into an exact five. A set that two points complete is one four.
func fours(black, empty uint16) int {
	n := 0
	var last uint16
	for s := 1; s <= centre; s++ {
		window := uint16(0x1f) << s
		set := black & window
		if bits.OnesCount16(set) != 4 || empty&window == 0 || set == last {
			continue
		}
		if black&(1<<(s-1)|1<<(s+5)) == 0 {
			n++
			last = set
		}
	}
	return n
}

// threes returns the points (as bits) that turn the centre and two other black
// stones into a straight four.
func threes(black, empty uint16) (points uint16) {
	for s := 2; s <= centre; s++ {
		window := uint16(0xf) << s
		ends := uint16(1)<<(s-1) | 1<<(s+4)
		beyond := uint16(1)<<(s-2) | 1<<(s+5)
		if bits.OnesCount16(black&window) == 3 && empty&ends == ends && black&beyond == 0 {
			points |= window & empty
		}
	}
	return points
}

// judgeBlack judges black at i by the rules of renju: five, overline, double
// four, double three, in this order. A three counts only if black could really
// make the straight four, which is judged in turn with the stone on the board.
// Every level adds a stone, so the recursion ends.
func (b *Board) judgeBlack(i int) Verdict {
	var points [4]uint16
	over, four, three := false, 0, 0
	for k, d := range b.dirs {
		black, empty := b.line(i, d)
		if bits.OnesCount16(black) < 3 {
			continue
		}
		switch n := run(black); {
		case n == 5:
			return Win
		case n > 5:
			over = true
		default:
			four += fours(black, empty)
			if points[k] = threes(black, empty); points[k] != 0 {
				three++
			}
		}
	}
	switch {
	case over:
		return Overline
	case four >= 2:
		return DoubleFour
	case three >= 2 && b.trueThrees(i, &points, three):
		return DoubleThree
	}
	return Quiet
}

// trueThrees reports whether at least two directions hold a true three. candidates
// is the number of directions that have points.
func (b *Board) trueThrees(i int, points *[4]uint16, candidates int) bool {
	old := b.cells[i]
	b.cells[i] = Black
	found := 0
	for k := 0; k < 4 && found < 2 && found+candidates >= 2; k++ {
		if points[k] == 0 {
			continue
		}
		candidates--
		for rest := points[k]; rest != 0; rest &= rest - 1 {
			q := i + (bits.TrailingZeros16(rest)-centre)*b.dirs[k]
			if b.judgeBlack(q) == Quiet {
				found++
				break
			}
		}
	}
	b.cells[i] = old
	return found >= 2
}
