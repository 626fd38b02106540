// Package pattern evaluates Othello positions by learned weights of the patterns
// on the board.
//
// A pattern is a set of squares: an edge, a corner, a line. What stands in it
// selects one weight, and the weights of all places of all patterns, those of the
// numbers of moves and a constant add up to the score that the game will probably
// end with. There is a set of weights for each stage of the game.
package pattern

import (
	"math/bits"

	"kibitz/games/othello"
)

// Disc is the unit of scores: they are in parts of a disc.
const Disc = 128

// Limit is the largest score, that of a game won by all discs.
const Limit = 64 * Disc

// The patterns, each a set of squares that occurs in several places of the board.
// What stands in them, as a number to base three (0 empty, 1 own, 2 opposing),
// selects a weight.
const (
	edgeX    = iota // an edge and the two squares diagonally before its corners
	corner          // three by three squares in a corner
	block           // two by five squares in a corner, along an edge
	triangle        // ten squares in a corner: four, three, two, one of the first rows
	line2           // a second row or column
	line3
	line4
	diag8 // a main diagonal
	diag7
	diag6
	diag5
	diag4
	patterns
)

// sizes are the numbers of squares of the patterns.
var sizes = [patterns]int{10, 9, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4}

// Weights of one stage of the game begin at offset of the pattern; after the
// patterns follow those of the numbers of moves of both sides and a constant.
const (
	moveClasses = 32
	ownMoves    = 3*59049 + 19683 + 4*6561 + 2187 + 729 + 243 + 81
	oppMoves    = ownMoves + moveClasses
	constant    = oppMoves + moveClasses // two, by the parity of the empty squares
)

// Count is the number of weights of one stage.
const Count = constant + 2

// offsets are where the weights of each pattern begin.
var offsets = makeOffsets()

func makeOffsets() (t [patterns]int32) {
	at := int32(0)
	for p := range t {
		t[p] = at
		n := int32(1)
		for range sizes[p] {
			n *= 3
		}
		at += n
	}
	return t
}

// Stages is the number of sets of weights, by empty squares.
const Stages = 20

// StageOf returns the stage of a position.
func StageOf(empties int) int { return min(max((60-empties)/3, 0), Stages-1) }

// Features is the number of weights that add up to a score: the places of all
// patterns, the moves of both sides, and the constant.
const Features = 50 + 3

// ternary reads a pattern's bits of one side as digits of base three.
var ternary = makeTernary()

func makeTernary() (t [1024]uint16) {
	for i := range t {
		p := uint16(1)
		for b := range 10 {
			if i>>b&1 != 0 {
				t[i] += p
			}
			p *= 3
		}
	}
	return t
}

// indexOf combines both sides' bits of a place of the pattern.
func indexOf(own, opp uint64) int32 {
	return int32(ternary[own&1023]) + 2*int32(ternary[opp&1023])
}

// lines adds the Features of the eight rows.
func lines(dst *[Features]int32, n int, own, opp uint64) int {
	x := func(v uint64, near, far uint) uint64 { // X squares as bits 8 and 9
		return v>>near&1<<8 | v>>far&1<<9
	}
	dst[n] = offsets[edgeX] + indexOf(own&255|x(own, 9, 14), opp&255|x(opp, 9, 14))
	dst[n+1] = offsets[edgeX] + indexOf(own>>56|x(own, 49, 54), opp>>56|x(opp, 49, 54))
	dst[n+2] = offsets[line2] + indexOf(own>>8&255, opp>>8&255)
	dst[n+3] = offsets[line2] + indexOf(own>>48&255, opp>>48&255)
	dst[n+4] = offsets[line3] + indexOf(own>>16&255, opp>>16&255)
	dst[n+5] = offsets[line3] + indexOf(own>>40&255, opp>>40&255)
	dst[n+6] = offsets[line4] + indexOf(own>>24&255, opp>>24&255)
	dst[n+7] = offsets[line4] + indexOf(own>>32&255, opp>>32&255)
	return n + 8
}

// corner9 gathers the three by three squares at a1.
func corner9(x uint64) uint64 { return x&7 | x>>5&0x38 | x>>10&0x1c0 }

// corner10 gathers the ten squares of the triangle at a1.
func corner10(x uint64) uint64 { return x&0xf | x>>4&0x70 | x>>9&0x180 | x>>15&0x200 }

// corners adds the Features of the corner a1.
func corners(dst *[Features]int32, n int, own, opp uint64) int {
	dst[n] = offsets[corner] + indexOf(corner9(own), corner9(opp))
	dst[n+1] = offsets[triangle] + indexOf(corner10(own), corner10(opp))
	return n + 2
}

// blocks adds the Features of the blocks at the ends of column a, along the rows.
func blocks(dst *[Features]int32, n int, own, opp uint64) int {
	dst[n] = offsets[block] + indexOf(own&0x1f|own>>3&0x3e0, opp&0x1f|opp>>3&0x3e0)
	dst[n+1] = offsets[block] + indexOf(own>>56&0x1f|own>>43&0x3e0, opp>>56&0x1f|opp>>43&0x3e0)
	return n + 2
}

// mirror exchanges left and right.
func mirror(x uint64) uint64 {
	x = x>>1&0x5555555555555555 | x&0x5555555555555555<<1
	x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
	return x>>4&0x0f0f0f0f0f0f0f0f | x&0x0f0f0f0f0f0f0f0f<<4
}

// transpose exchanges rows and columns.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// slant moves every column down by its number, around the board: diagonals become
// rows, row k holding the one that begins k rows above a1, and behind it the rest.
func slant(x uint64) uint64 {
	x ^= 0xaaaaaaaaaaaaaaaa & (x ^ bits.RotateLeft64(x, -8))
	x ^= 0xcccccccccccccccc & (x ^ bits.RotateLeft64(x, -16))
	return x ^ 0xf0f0f0f0f0f0f0f0&(x^bits.RotateLeft64(x, -32))
}

// diagonals adds the Features of the diagonals of at least four squares in the
// direction of a1 to h8.
func diagonals(dst *[Features]int32, n int, own, opp uint64) int {
	own, opp = slant(own), slant(opp)
	dst[n] = offsets[diag8] + indexOf(own&0xff, opp&0xff)
	dst[n+1] = offsets[diag7] + indexOf(own>>8&0x7f, opp>>8&0x7f)
	dst[n+2] = offsets[diag7] + indexOf(own>>57&0x7f, opp>>57&0x7f)
	dst[n+3] = offsets[diag6] + indexOf(own>>16&0x3f, opp>>16&0x3f)
	dst[n+4] = offsets[diag6] + indexOf(own>>50&0x3f, opp>>50&0x3f)
	dst[n+5] = offsets[diag5] + indexOf(own>>24&0x1f, opp>>24&0x1f)
	dst[n+6] = offsets[diag5] + indexOf(own>>43&0x1f, opp>>43&0x1f)
	dst[n+7] = offsets[diag4] + indexOf(own>>32&0xf, opp>>32&0xf)
	dst[n+8] = offsets[diag4] + indexOf(own>>36&0xf, opp>>36&0xf)
	return n + 9
}

// Extract computes which weights of the stage add up to the score.
func Extract(b othello.Board, dst *[Features]int32) {
	own, opp := b.Own, b.Opp
	n := lines(dst, 0, own, opp)
	to, tp := transpose(own), transpose(opp)
	n = lines(dst, n, to, tp)
	mo, mp := mirror(own), mirror(opp)
	n = corners(dst, n, own, opp)
	n = corners(dst, n, mo, mp)
	fo, fp := bits.ReverseBytes64(own), bits.ReverseBytes64(opp)
	n = corners(dst, n, fo, fp)
	n = corners(dst, n, bits.ReverseBytes64(mo), bits.ReverseBytes64(mp))
	n = blocks(dst, n, own, opp)
	n = blocks(dst, n, mo, mp)
	n = blocks(dst, n, to, tp)
	n = blocks(dst, n, mirror(to), mirror(tp))
	n = diagonals(dst, n, own, opp)
	n = diagonals(dst, n, fo, fp)
	dst[n] = ownMoves + int32(min(bits.OnesCount64(b.Moves()), moveClasses-1))
	dst[n+1] = oppMoves + int32(min(bits.OnesCount64(b.Swap().Moves()), moveClasses-1))
	dst[n+2] = constant + int32(b.Empties()&1)
}

// Weights are the weights of all stages, in parts of a disc.
type Weights [Stages][]int16

// Eval estimates the final score for the side to move, within the range of
// scores of lost and won games.
func (w *Weights) Eval(b othello.Board) int {
	var f [Features]int32
	Extract(b, &f)
	set := w[StageOf(b.Empties())]
	sum := int32(0)
	for _, i := range f {
		sum += int32(set[i])
	}
	return min(max(int(sum), -Limit+2*Disc), Limit-2*Disc)
}

// Mobility returns weights that count nothing but moves: a beginning for learning.
func Mobility() *Weights {
	w := new(Weights)
	for s := range w {
		w[s] = make([]int16, Count)
		for n := range moveClasses {
			w[s][ownMoves+n] = int16(n * Disc)
			w[s][oppMoves+n] = int16(-n * Disc)
		}
	}
	return w
}
