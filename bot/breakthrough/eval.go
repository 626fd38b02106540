package breakthrough

import (
	"math/bits"

	"kibitz/games/breakthrough"
)

// man is what a man is worth; other values are parts of that.
const man = 100

// Values of the evaluation.
const (
	guarded = 6  // a man that another can avenge
	hanging = 30 // a man that can be taken for nothing
	keeper  = 12 // a man at home on one of the four squares that hold the row
	tempo   = 8
)

// advanced is what a man is worth beside, by the rows that it has come forward.
var advanced = [breakthrough.Size]int{4, 0, 2, 6, 14, 30, 70, 0}

// The home squares from which two men hold a half of the board.
const (
	homeWhite uint64 = 0x66 << 56
	homeBlack uint64 = 0x66
)

// evaluate returns the value of a position for the side to move.
func evaluate(b *breakthrough.Board) int {
	white, black := b.Of(0), b.Of(1)
	v := side(white, b.Attacks(0), b.Attacks(1), homeWhite, false) -
		side(black, b.Attacks(1), b.Attacks(0), homeBlack, true)
	if b.Side() != 0 {
		v = -v
	}
	return v + tempo
}

// side is what one side has: own are its men, guards the squares on which these can take,
// attacks those on which the others can; home are the squares to keep. turned: it goes down.
func side(own, guards, attacks, home uint64, turned bool) int {
	v := man * bits.OnesCount64(own)
	for row := range breakthrough.Size {
		shift := 8 * (7 - row)
		if turned {
			shift = 8 * row
		}
		v += advanced[row] * bits.OnesCount64(own>>shift&0xff)
	}
	v += guarded * bits.OnesCount64(own&guards)
	v -= hanging * bits.OnesCount64(own&attacks&^guards)
	v += keeper * bits.OnesCount64(own&home)
	return v
}
