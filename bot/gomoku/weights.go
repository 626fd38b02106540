package gomoku

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
)

// Combinations is the number of ways in which the patterns of four lines come together.
const Combinations = (int(patterns) + 3) * (int(patterns) + 2) * (int(patterns) + 1) * int(patterns) / 24

// Sets is how many weights a combination has: on turn and not, and both once more for
// black in renju, who may not do everything.
const Sets = 4

// Parts are parts of a point in Weights.Value, and of a natural logarithm in
// Weights.Order.
const (
	ValueParts = 8
	OrderParts = 64
)

// Weights say what the patterns of empty points are worth, by set and combination.
type Weights struct {
	// Value is what a point adds to the evaluation for the colour on turn, in parts of a
	// point. 160 points are a unit of the logarithm of the odds of winning.
	Value [Sets * Combinations]int16
	// Outlook is what is added for what both sides threaten together, in the same parts.
	Outlook [Outlooks]int16
	// Order is by how much a point makes a move likely, as a logarithm, in parts.
	Order [Sets * Combinations]int16
}

//go:embed weights.bin
var embedded []byte

// loadWeights reads the weights that all engines share, when the first of them needs
// them. They are never written afterwards.
var loadWeights = sync.OnceValues(func() (*Weights, error) { return ReadWeights(embedded) })

// ReadWeights reads weights as Bytes writes them.
func ReadWeights(data []byte) (*Weights, error) {
	w := new(Weights)
	if want := binary.Size(w); len(data) != want {
		return nil, fmt.Errorf("%d bytes are no weights of five in a row, which have %d", len(data), want)
	}
	_, err := binary.Decode(data, binary.LittleEndian, w)
	return w, err
}

// Bytes returns the weights as they are kept in a file.
func (w *Weights) Bytes() []byte {
	b, err := binary.Append(nil, binary.LittleEndian, w)
	if err != nil {
		panic(err) // it has a fixed size
	}
	return b
}

// setOf returns where the weights of a kind of lines begin; role is 0 for the colour on
// turn and 1 for the other.
func setOf(k kind, role int) int {
	if k == blackRenju {
		role += 2
	}
	return role * Combinations
}

// combination numbers the patterns of a point, whichever line has which.
func combination(p [4]uint8) int {
	slices.Sort(p[:])
	a, b, c, d := int(p[0]), int(p[1])+1, int(p[2])+2, int(p[3])+3
	return a + b*(b-1)/2 + c*(c-1)*(c-2)/6 + d*(d-1)*(d-2)*(d-3)/24
}

// Patterns is how many patterns a line can be.
const Patterns = int(patterns)

// Spelled returns the patterns of each combination.
func Spelled() (all [Combinations][4]uint8) {
	var p [4]uint8
	for p[0] = range patterns {
		for p[1] = range p[0] + 1 {
			for p[2] = range p[1] + 1 {
				for p[3] = range p[2] + 1 {
					all[combination(p)] = p
				}
			}
		}
	}
	return all
}

// Plain returns weights by hand, to begin with where there are none.
func Plain() *Weights {
	score := [patterns]int16{
		pOpen1: 1, pWide1: 1, pClosed2: 2, pOpen2: 3, pWide2: 3, pClosed3: 9, pOpen3: 26, pWide3: 26, pClosed4: 48, pOpen4: 60,
		pFive: 90,
	}
	extra := [classes]int16{cTwoThrees: 25, cFourAnd: 90, cWinFour: 60}
	w := new(Weights)
	for n, p := range Spelled() {
		for _, k := range []kind{anyFive, blackRenju} {
			class, force := combine(k, p)
			v := extra[class&classMask]
			for _, x := range p {
				v += score[x]
			}
			turn, wait := setOf(k, 0)+n, setOf(k, 1)+n
			w.Value[turn], w.Value[wait] = v*7/6*ValueParts, -v*ValueParts
			w.Order[turn], w.Order[wait] = force, force*4/5
		}
	}
	return w
}
