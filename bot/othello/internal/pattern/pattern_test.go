package pattern

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/games/othello"
)

func randomBoard(rng *rand.Rand) othello.Board {
	fill := rng.Uint64() | rng.Uint64()
	own := fill & rng.Uint64()
	return othello.Board{Own: own, Opp: fill &^ own}
}

// content reads the squares of a pattern one by one.
func content(b othello.Board, squares []int) int32 {
	n, p := int32(0), int32(1)
	for _, s := range squares {
		n += p * int32(b.Own>>uint(s)&1+2*(b.Opp>>uint(s)&1))
		p *= 3
	}
	return n
}

func TestExtractReadsTheSquares(t *testing.T) {
	column := func(x int) (s []int) {
		for y := range 8 {
			s = append(s, 8*y+x)
		}
		return s
	}
	for _, c := range []struct {
		feature, pattern int
		squares          []int
	}{
		{0, edgeX, []int{0, 1, 2, 3, 4, 5, 6, 7, 9, 14}},
		{1, edgeX, []int{56, 57, 58, 59, 60, 61, 62, 63, 49, 54}},
		{2, line2, []int{8, 9, 10, 11, 12, 13, 14, 15}},
		{8, edgeX, append(column(0), 9, 49)},
		{9, edgeX, append(column(7), 14, 54)},
		{12, line3, column(2)},
		{16, corner, []int{0, 1, 2, 8, 9, 10, 16, 17, 18}},
		{18, corner, []int{7, 6, 5, 15, 14, 13, 23, 22, 21}},
		{20, corner, []int{56, 57, 58, 48, 49, 50, 40, 41, 42}},
		{22, corner, []int{63, 62, 61, 55, 54, 53, 47, 46, 45}},
		{17, triangle, []int{0, 1, 2, 3, 8, 9, 10, 16, 17, 24}},
		{23, triangle, []int{63, 62, 61, 60, 55, 54, 53, 47, 46, 39}},
		{24, block, []int{0, 1, 2, 3, 4, 8, 9, 10, 11, 12}},
		{25, block, []int{56, 57, 58, 59, 60, 48, 49, 50, 51, 52}},
		{26, block, []int{7, 6, 5, 4, 3, 15, 14, 13, 12, 11}},
		{28, block, []int{0, 8, 16, 24, 32, 1, 9, 17, 25, 33}},
		{31, block, []int{63, 55, 47, 39, 31, 62, 54, 46, 38, 30}},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			b := randomBoard(rng)
			var f [Features]int32
			Extract(b, &f)
			if want := offsets[c.pattern] + content(b, c.squares); f[c.feature] != want {
				t.Fatalf("feature %d of %+v: %d, want %d", c.feature, b, f[c.feature], want)
			}
		}
	}
}

func TestDiagonals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		b := randomBoard(rng)
		var f [Features]int32
		Extract(b, &f)
		for i := range 18 {
			length := 8 - (i%9+1)/2
			x, y := 0, 8-length
			if i%9%2 == 0 {
				x, y = y, x
			}
			var squares []int
			for range length {
				row := y
				if i >= 9 { // from a8 to h1, and beside it
					row = 7 - y
				}
				squares = append(squares, 8*row+x)
				x, y = x+1, y+1
			}
			if want := offsets[diag8+8-length] + content(b, squares); f[32+i] != want {
				t.Fatalf("diagonal %v of %+v: %d, want %d", squares, b, f[32+i], want)
			}
		}
	}
}

// TestSymmetry checks that a board and its mirror images are worth the same.
func TestSymmetry(t *testing.T) {
	canon := Canonical()
	image := map[string]func(uint64) uint64{
		"left and right": mirror, "top and bottom": bits.ReverseBytes64, "rows and columns": transpose,
	}
	weights := func(b othello.Board) []int32 {
		var f [Features]int32
		Extract(b, &f)
		for i, x := range f {
			f[i] = canon[x]
		}
		slices.Sort(f[:])
		return f[:]
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		b := randomBoard(rng)
		for name, f := range image {
			if m := (othello.Board{Own: f(b.Own), Opp: f(b.Opp)}); !slices.Equal(weights(b), weights(m)) {
				t.Fatalf("%+v and its image by exchanging %s use different weights", b, name)
			}
		}
	}
}

func TestFile(t *testing.T) {
	canon := Canonical()
	rng := rand.New(rand.NewPCG(7, 8))
	w := new(Weights)
	for s := range w {
		w[s] = make([]int16, Count)
		for i := range w[s] {
			if w[s][i] = w[s][canon[i]]; canon[i] == int32(i) && rng.IntN(9) == 0 {
				w[s][i] = int16(rng.IntN(2000)-1000) * Step
			}
		}
	}
	var buf bytes.Buffer
	if err := w.Write(&buf); err != nil {
		t.Fatal(err)
	}
	back, err := Read(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for s := range w {
		if !slices.Equal(w[s], back[s]) {
			t.Errorf("stage %d came back changed", s)
		}
	}
	for _, n := range []int{0, 1, buf.Len() / 2, buf.Len() - 10} {
		if _, err := Read(buf.Bytes()[:n]); err == nil {
			t.Errorf("%d bytes were read as weights", n)
		}
	}
}

func TestStages(t *testing.T) {
	last := 0
	for e := 60; e >= 0; e-- {
		s := StageOf(e)
		if s < last || s > last+1 || s >= Stages {
			t.Errorf("stage %d at %d empty squares after stage %d", s, e, last)
		}
		last = s
	}
	if last != Stages-1 {
		t.Errorf("the last stage is %d", last)
	}
}

func BenchmarkEval(b *testing.B) {
	b.ReportAllocs()
	w := Mobility()
	rng := rand.New(rand.NewPCG(1, 1))
	var boards [256]othello.Board
	for i := range boards {
		boards[i] = randomBoard(rng)
	}
	i, sum := 0, 0
	for b.Loop() {
		sum += w.Eval(boards[i&255])
		i++
	}
	_ = sum
}
