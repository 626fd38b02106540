package gomoku

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
)

// After any stones came and went the field knows what a fresh one knows.
func TestFieldFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rare := 20
	if testing.Short() {
		rare = 150
	}
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		f := testField(rule, 9, 7)
		for range 400 {
			i := f.board.Index(game.Pt(r.IntN(9), r.IntN(7)))
			switch {
			case f.cells[i] == gomoku.Empty:
				f.put(i, gomoku.Black+gomoku.Stone(r.IntN(4)))
			case len(f.marks) > 0:
				for range 1 + r.IntN(min(4, len(f.marks))) {
					f.undo()
				}
			}
			if r.IntN(rare) == 0 {
				compareFields(t, f)
			}
		}
		compareFields(t, f)
	}
}

func compareFields(t *testing.T, f *field) {
	t.Helper()
	w, h := f.board.Size()
	fresh := testField(f.board.Rule(), w, h)
	fresh.follow(f.board)
	if f.hash != fresh.hash || f.empty != fresh.empty || f.sum != fresh.sum || f.count != fresh.count {
		t.Fatalf("hash %x %x, empty %d %d, sums %v %v, counts %v %v", f.hash, fresh.hash, f.empty, fresh.empty, f.sum, fresh.sum, f.count, fresh.count)
	}
	a, b := slices.Clone(f.cand), slices.Clone(fresh.cand)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Fatalf("points near stones %v, %v", a, b)
	}
	for i, c := range f.cells {
		if c != gomoku.Empty {
			continue
		}
		for d, step := range f.dirs {
			if f.spots[i].keys[d] != f.readKey(i, step) {
				t.Fatalf("key of %v along %d is %x instead of %x", f.point(i), d, f.spots[i].keys[d], f.readKey(i, step))
			}
		}
	}
}

// Fives and fouls of the patterns are those of the judge.
func TestPatternsAgreeWithJudge(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	r := rand.New(rand.NewPCG(9, 10))
	fives, fouls := 0, 0
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		f := testField(rule, 11, 11)
		for range 600 {
			f.follow(gomoku.NewBoard(rule, 11, 11))
			for range 20 + r.IntN(60) {
				if i := f.board.Index(game.Pt(r.IntN(11), r.IntN(11))); f.cells[i] == gomoku.Empty {
					f.put(i, gomoku.Black+gomoku.Stone(r.IntN(2)))
				}
			}
			for i, c := range f.cells {
				if c != gomoku.Empty {
					continue
				}
				for s := range 2 {
					v := f.board.Judge(i, stone(s))
					if five := f.class(s, i) == cFive; five != (v == gomoku.Win) {
						t.Fatalf("%s: %v for %s: five is %t, the judge says %s", rule, f.point(i), stone2(s), five, v)
					}
					if f.foul(i, s) != v.Foul() {
						t.Fatalf("%s: %v for %s: foul is %t, the judge says %s", rule, f.point(i), stone2(s), f.foul(i, s), v)
					}
					if v == gomoku.Win {
						fives++
					}
					if v.Foul() {
						fouls++
					}
				}
			}
		}
	}
	if fives < 3000 || fouls < 300 {
		t.Errorf("only %d fives and %d fouls", fives, fouls)
	}
}

func stone2(s int) string { return [2]string{"black", "white"}[s] }

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		line string // "*" is the centre, "|" the edge
		kind kind
		want uint8
	}{
		{".XXX*.", anyFive, pOpen4},
		{"OXXX*.", anyFive, pClosed4},
		{"OXXX*O", anyFive, pNone},
		{"XXXX*", anyFive, pFive},
		{"X.XX*.X", anyFive, pOpen4},
		{"..XX*..", anyFive, pWide3},
		{".X.X*.", anyFive, pOpen3},
		{"O.XX*..", anyFive, pOpen3},
		{"O.XX*.O", anyFive, pClosed3},
		{".O.XX*.O.", anyFive, pClosed3},
		{"|XX*..", anyFive, pClosed3},
		{"..X*...", anyFive, pWide2},
		{"O.X..*.O", anyFive, pOpen2},
		{"OX*....", anyFive, pClosed2},
		{".....*.....", anyFive, pWide1},
		{"|...*.....", anyFive, pOpen1},
		{"O...*.....", anyFive, pOpen1},
		{"XXXXX*", exactFive, pNone},
		{"XXXXX*", blackRenju, pFoul},
		{"X.XX*.X", blackRenju, pFoul},
		{"X.XX*.O", blackRenju, pClosed4},
		{"X.X*X.X", blackRenju, pFoul},
		{"OXXXX*O", caroFive, pNone},
		{"OXXXX*.", caroFive, pFive},
		{"|XXXX*O", caroFive, pFive},
		{"OXXXX*XO", caroMore, pFive},
		{"O.XXX*.O", caroFive, pClosed4},
		{"..XXX*..", caroFive, pOpen4},
	} {
		l := line{own: 1 << centre, empty: 0x7ff &^ (1 << centre)}
		at := 0
		for i := range c.line {
			if c.line[i] == '*' {
				at = i
			}
		}
		for i := range c.line {
			n := i - at + centre
			if n < 0 || n > 10 || n == centre {
				continue
			}
			bit := uint16(1) << n
			switch c.line[i] {
			case 'X':
				l.own |= bit
				l.empty &^= bit
			case 'O':
				l.foe |= bit
				l.empty &^= bit
			case '|':
				l.empty &^= bit<<1 - 1
			}
		}
		if got := l.pattern(c.kind); got != c.want {
			t.Errorf("%s of kind %d is %d instead of %d", c.line, c.kind, got, c.want)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	f := testField(gomoku.Freestyle, 15, 15)
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		if i := f.board.Index(game.Pt(3+r.IntN(9), 3+r.IntN(9))); f.cells[i] == gomoku.Empty {
			f.put(i, gomoku.Black+gomoku.Stone(r.IntN(2)))
		}
	}
	free := []int{}
	for _, i := range f.cand {
		if f.cells[i] == gomoku.Empty {
			free = append(free, int(i))
		}
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		i := free[n%len(free)]
		f.put(i, gomoku.Black)
		f.undo()
	}
}

// testField returns an empty field with the weights that the engine has.
func testField(rule gomoku.Rule, width, height int) *field {
	w, err := loadWeights()
	if err != nil {
		panic(err)
	}
	return newField(rule, width, height, deal(rule, w))
}
