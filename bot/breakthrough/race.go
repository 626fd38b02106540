package breakthrough

import (
	"math/bits"

	"kibitz/games/breakthrough"
)

const (
	leftColumn  uint64 = 0x0101010101010101
	rightColumn uint64 = leftColumn << 7
)

// up moves a set a row towards the top, down towards the bottom, with both diagonals.
func up(s uint64) uint64   { return s>>8 | s&^leftColumn>>9 | s&^rightColumn>>7 }
func down(s uint64) uint64 { return s<<8 | s&^leftColumn<<7 | s&^rightColumn<<9 }

// reach is a set with all squares that its men may come to, if step moves them a row.
func reach(s uint64, step func(uint64) uint64) uint64 {
	for range breakthrough.Size - 1 {
		s |= step(s)
	}
	return s
}

// steps returns how many steps the man of White that is furthest needs to the top row.
func steps(men uint64) int {
	if men == 0 {
		return far
	}
	return bits.TrailingZeros64(men) / breakthrough.Size
}

// stepsDown is steps for Black.
func stepsDown(men uint64) int {
	if men == 0 {
		return far
	}
	return bits.LeadingZeros64(men) / breakthrough.Size
}

// far is beyond every number of steps.
const far = breakthrough.Size

// race returns in how many plies the side to move wins, if n is positive, or loses, because
// a man of one side runs to its goal: no man of the other can come in its way, and none
// is sooner at its own goal. 0 decides nothing.
//
// A man that goes straight on can be met by those of the other side only that stand ahead
// of it, not further aside than ahead.
func race(b *breakthrough.Board) (n int) {
	white, black := b.Of(0), b.Of(1)
	free := [2]int{steps(white &^ reach(black, down)), stepsDown(black &^ reach(white, up))}
	near := [2]int{steps(white), stepsDown(black)}
	me := b.Side()
	switch own, other := free[me], free[me.Other()]; {
	case own < far && own <= near[me.Other()]:
		return 2*own - 1
	case other < far && other < near[me]:
		return -2 * other
	}
	return 0
}
