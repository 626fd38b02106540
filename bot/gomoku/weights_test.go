package gomoku

import (
	"slices"
	"testing"

	"kibitz/games/gomoku"
)

// Every combination of patterns has a number of its own, whichever line has which.
func TestCombinations(t *testing.T) {
	seen := map[int]bool{}
	for n, p := range Spelled() {
		slices.Reverse(p[:])
		if combination(p) != n || seen[n] {
			t.Fatalf("%v has number %d instead of %d", p, combination(p), n)
		}
		seen[n] = true
	}
	if p := Spelled(); p[Combinations-1] != [4]uint8{pFoul, pFoul, pFoul, pFoul} {
		t.Errorf("the last combination is %v", p[Combinations-1])
	}
}

// Weights come back from a file as they were; other files are refused.
func TestWeightsFile(t *testing.T) {
	w, err := loadWeights()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadWeights(w.Bytes())
	if err != nil || *back != *w {
		t.Errorf("weights changed on the way, %v", err)
	}
	for _, n := range []int{0, 1, len(embedded) - 1, len(embedded) + 1} {
		if _, err := ReadWeights(make([]byte, n)); err == nil {
			t.Errorf("%d bytes were read as weights", n)
		}
	}
}

// What everybody knows of the game was learned: points where two lines meet are worth
// something, a four that the other side can make is bad, and threes and fours come first.
func TestWeightsAreSane(t *testing.T) {
	w, err := loadWeights()
	if err != nil {
		t.Fatal(err)
	}
	at := func(role int, p ...uint8) int {
		var all [4]uint8
		copy(all[:], p)
		return setOf(anyFive, role) + combination(all)
	}
	for _, p := range [][]uint8{{pWide2, pWide2}, {pWide3, pWide2}, {pWide3, pWide3}, {pWide3, pClosed4}} {
		if v := w.Value[at(0, p...)]; v <= w.Value[at(0, pNone)] {
			t.Errorf("%v is worth %d on turn", p, v)
		}
		if v := w.Value[at(1, p...)]; v >= w.Value[at(1, pNone)] {
			t.Errorf("%v is worth %d if the other side is on turn", p, v)
		}
	}
	for _, p := range []uint8{pWide2, pWide3, pClosed4} {
		if w.Order[at(0, p)] <= w.Order[at(0, pNone)] {
			t.Errorf("pattern %d does not come before nothing: %d, %d", p, w.Order[at(0, p)], w.Order[at(0, pNone)])
		}
	}
}

// What one side can make has a number of its own, and each outlook a weight.
func TestOutlooks(t *testing.T) {
	seen := map[int]bool{}
	for _, threes := range []int16{0, 2, 5, 6} {
		for fours := range int16(3) {
			for bits := range int16(4) {
				n := [classes]int16{cThree: threes, cFour: fours, cFourOn: fours / 2, cTwoThrees: bits & 1, cFourAnd: bits >> 1}
				m := menace(&n)
				if m < 0 || m >= menaces || seen[m] {
					t.Errorf("%v has number %d", n, m)
				}
				seen[m] = true
			}
		}
	}
	f := testField(gomoku.Freestyle, 15, 15)
	for c := range 2 {
		f.count[1-c] = [classes]int16{cThree: 9, cFour: 9, cTwoThrees: 9, cFourAnd: 9, cWinFour: 9}
		if n := f.outlook(c); n%(2*menaces) != 2*menaces-1 {
			t.Errorf("the most that the other side can threaten has number %d", n)
		}
		if n := f.outlook(1 - c); c == 0 && n != (menaces-1)*menaces*2 {
			t.Errorf("the most on turn has number %d", n)
		}
	}
	if n := f.outlook(black); n != Outlooks-1 {
		t.Errorf("the last outlook has number %d of %d", n, Outlooks)
	}
}
