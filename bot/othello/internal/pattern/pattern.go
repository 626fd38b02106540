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
	edgeX  = iota // an edge and the two squares diagonally before its corners
	corner        // three by three squares in a corner
	line2         // a second row or column
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
var sizes = [patterns]int{10, 9, 8, 8, 8, 8, 7, 6, 5, 4}

// Weights of one stage of the game begin at offset of the pattern; after the
// patterns follow those of the numbers of moves of both sides and a constant.
const (
	moveClasses = 32
	ownMoves    = 59049 + 19683 + 4*6561 + 2187 + 729 + 243 + 81
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
const Stages = 12

// StageOf returns the stage of a position.
func StageOf(empties int) int { return min(max((60-empties)/5, 0), Stages-1) }

// Features is the number of weights that add up to a score: the places of all
// patterns, the moves of both sides, and the constant.
const Features = 38 + 3

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

// diagonal is one place of a diagonal: its squares lie in different columns, so
// that adding all rows up makes a number of them; its first column is shifted off.
type diagonal struct {
	mask    uint64
	shift   uint8
	pattern uint8
}

// columnA times a number without two bits in one column adds its rows up in the
// top byte.
const columnA = 0x0101010101010101

// diagonals are all diagonals of at least four squares.
var diagonals = makeDiagonals()

func makeDiagonals() (t [18]diagonal) {
	n := 0
	for length := 8; length >= 4; length-- {
		for d := -1; d <= 1; d += 2 { // rows and columns grow together, or not
			for _, side := range [2]int{1, -1} {
				first := 8 - length
				if side < 0 {
					if first == 0 {
						continue
					}
					first = -first
				}
				g := diagonal{shift: uint8(max(first, 0)), pattern: uint8(diag8 + 8 - length)}
				for x := range 8 {
					y := x - first
					if y < 0 || y > 7 {
						continue
					}
					if d < 0 {
						y = 7 - y
					}
					g.mask |= 1 << uint(8*y+x)
				}
				t[n] = g
				n++
			}
		}
	}
	return t
}

// Extract computes which weights of the stage add up to the score.
func Extract(b othello.Board, dst *[Features]int32) {
	own, opp := b.Own, b.Opp
	n := lines(dst, 0, own, opp)
	n = lines(dst, n, transpose(own), transpose(opp))
	mo, mp := mirror(own), mirror(opp)
	dst[n] = offsets[corner] + indexOf(corner9(own), corner9(opp))
	dst[n+1] = offsets[corner] + indexOf(corner9(mo), corner9(mp))
	dst[n+2] = offsets[corner] + indexOf(corner9(bits.ReverseBytes64(own)), corner9(bits.ReverseBytes64(opp)))
	dst[n+3] = offsets[corner] + indexOf(corner9(bits.ReverseBytes64(mo)), corner9(bits.ReverseBytes64(mp)))
	n += 4
	for i := range diagonals {
		d := &diagonals[i]
		dst[n+i] = offsets[d.pattern] + indexOf(own&d.mask*columnA>>56>>d.shift, opp&d.mask*columnA>>56>>d.shift)
	}
	n += len(diagonals)
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
