package nogo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(nogo.Game())

func TestConformance(t *testing.T) {
	rulestest.Run(t, nogo.Game(), rulestest.Variants("nogo:size=2", "nogo:size=3", "nogo:size=5,rulings=sau", "nogo:size=19"))
}

// sau reads a point as the SAU protocol writes it.
func sau(t testing.TB, text string) game.Move {
	t.Helper()
	if text == "pass" {
		return game.PassMove()
	}
	if len(text) != 2 {
		t.Fatalf("%q is not a point", text)
	}
	return game.PlaceAt(game.Pt(int(text[0]-'A'), int(text[1]-'A')))
}

// The vectors are played on the rules and on the plain board below.
func TestVectors(t *testing.T) {
	for n, c := range rulestest.Rows(t, "testdata/vectors.txt", 4) {
		if got := scene(t, c[0], c[1], strings.Fields(c[2])); got != c[3] {
			t.Errorf("line %d: %s instead of %q", n, got, c)
		}
	}
}

// scene plays moves, the last of which may be illegal or harmful.
func scene(t *testing.T, spec, position string, moves []string) string {
	t.Helper()
	r := open(t, spec)
	st := r.New()
	if position != "" {
		var err error
		if st, err = r.Position(position); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range moves {
		m := sau(t, text)
		plain := newPlain(st.Text())
		listed := slices.Contains(st.Legal(nil), m)
		over := st.Turn().Seat == game.Nobody
		_, err := st.Apply(m, nil)
		if err != nil {
			if i < len(moves)-1 || listed {
				t.Fatalf("%s: %v, listed %t", text, err, listed)
			}
			return "illegal"
		}
		if over {
			t.Fatalf("%s was played after the end", text)
		}
		if m.Op == game.Place {
			want := plain.judge(int(m.To.X), int(m.To.Y), plain.side)
			res, _ := st.Result()
			if listed != (want == "") || want != "" && string(res.Reason) != want {
				t.Errorf("%s in %s: listed %t, %q, plainly %q", text, plain, listed, res.Reason, want)
			}
		}
	}
	res, over := st.Result()
	if !over {
		return "open"
	}
	return res.Winner().String() + " " + string(res.Reason)
}

// plain is NoGo written from the rules alone: every question floods the board.
type plain struct {
	cell [][]byte
	side byte
}

func newPlain(text string) *plain {
	f := strings.Fields(text)
	p := &plain{side: f[1][0]}
	for row := range strings.SplitSeq(f[0], "/") {
		p.cell = append(p.cell, []byte(row))
	}
	return p
}

func (p *plain) String() string { return string(slices.Concat(p.cell...)) + " " + string(p.side) }

func other(side byte) byte { return 'b' + 'w' - side }

// breathes reports whether the chain at a point has a liberty.
func (p *plain) breathes(x, y int) bool {
	n := len(p.cell)
	seen := map[[2]int]bool{{x, y}: true}
	todo := [][2]int{{x, y}}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
			u, v := at[0]+d[0], at[1]+d[1]
			if u < 0 || v < 0 || u >= n || v >= n || seen[[2]int{u, v}] {
				continue
			}
			switch p.cell[v][u] {
			case '.':
				return true
			case p.cell[y][x]:
				seen[[2]int{u, v}] = true
				todo = append(todo, [2]int{u, v})
			}
		}
	}
	return false
}

// stifled reports whether any chain of a side has no liberty.
func (p *plain) stifled(side byte) bool {
	for y, row := range p.cell {
		for x, c := range row {
			if c == side && !p.breathes(x, y) {
				return true
			}
		}
	}
	return false
}

// judge returns the reason why a stone on an empty point loses, "" if it does not.
func (p *plain) judge(x, y int, side byte) string {
	p.cell[y][x] = side
	defer func() { p.cell[y][x] = '.' }()
	switch {
	case p.stifled(side):
		return "suicide"
	case p.stifled(other(side)):
		return "capture"
	}
	return ""
}

func (p *plain) harmless(side byte) (list [][2]int) {
	for y, row := range p.cell {
		for x, c := range row {
			if c == '.' && p.judge(x, y, side) == "" {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list
}

func (p *plain) count(side byte, depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	for _, at := range p.harmless(side) {
		p.cell[at[1]][at[0]] = side
		n += p.count(other(side), depth-1)
		p.cell[at[1]][at[0]] = '.'
	}
	return n
}

// Random games, with a harmful stone tried at every position: the board and the
// plain one agree about every point for both colours, about the end and the winner.
func TestAgainstPlainBoard(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	harmful := map[game.Reason]int{}
	for _, size := range []int{2, 3, 4, 5, 9, 9, 9, 13} {
		rs := open(t, fmt.Sprintf("nogo:size=%d", size))
		for range max(1, 36/size) {
			st := rs.New()
			for st.Turn().Seat != game.Nobody {
				comparePoints(t, st, harmful)
				legal := st.Legal(nil)
				if _, err := st.Apply(legal[r.IntN(len(legal))], nil); err != nil {
					t.Fatal(err)
				}
			}
			p := newPlain(st.Text())
			res, _ := st.Result()
			if n := len(p.harmless(p.side)); n > 0 || res.Reason != nogo.ByBlocked || (res.Winner() == game.First) != (p.side == 'w') {
				t.Fatalf("%s: %+v with %d harmless points", p, res, n)
			}
		}
	}
	if harmful[nogo.ByCapture] < 50 || harmful[nogo.BySuicide] < 50 {
		t.Errorf("too few harmful stones were met: %v", harmful)
	}
}

func comparePoints(t *testing.T, st rules.State, harmful map[game.Reason]int) {
	t.Helper()
	p := newPlain(st.Text())
	own, ok := st.(*nogo.State)
	if !ok {
		t.Fatal("not a state of nogo")
	}
	b := own.Board()
	for colour, side := range map[uint8]byte{nogo.Black: 'b', nogo.White: 'w'} {
		list := p.harmless(side)
		if b.Count(colour) != len(list) || b.CanMove(colour) != (len(list) > 0) {
			t.Fatalf("%s: %c has %d harmless points instead of %d", p, side, b.Count(colour), len(list))
		}
		for _, at := range list {
			if !b.Harmless(b.At(at[0], at[1]), colour) {
				t.Fatalf("%s: %v is not harmless for %c", p, at, side)
			}
		}
	}
	legal := st.Legal(nil)
	for y, row := range p.cell {
		for x, c := range row {
			m := game.PlaceAt(game.Pt(x, y))
			if c != '.' || slices.Contains(legal, m) {
				continue
			}
			next := st.Clone()
			if _, err := next.Apply(m, nil); err != nil {
				t.Fatalf("%s: %v: %v", p, m, err)
			}
			res, over := next.Result()
			if want := p.judge(x, y, p.side); !over || string(res.Reason) != want || res.Winner() != st.Turn().Seat.Other() {
				t.Fatalf("%s: %v gives %+v, want %s", p, m, res, want)
			}
			harmful[res.Reason]++
		}
	}
}

// Counts by the plain board, from positions of all phases.
func TestCountsAgainstPlainBoard(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct{ size, depth, games int }{{2, 4, 1}, {3, 4, 2}, {4, 3, 2}, {9, 2, 1}} {
		rs := open(t, fmt.Sprintf("nogo:size=%d", c.size))
		for range c.games {
			for st := rs.New(); st.Turn().Seat != game.Nobody; {
				if c.size < 9 || len(st.Legal(nil))%9 == 3 {
					p := newPlain(st.Text())
					if got, want := st.(rules.Perfter).Perft(c.depth), p.count(p.side, c.depth); got != want {
						t.Fatalf("%s: %d turns of depth %d, want %d", p, got, c.depth, want)
					}
				}
				legal := st.Legal(nil)
				_, _ = st.Apply(legal[r.IntN(len(legal))], nil)
			}
		}
	}
}

// What is harmful to a side stays harmful until the point is taken: engines rely
// on it.
func TestHarmStays(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 50 {
		b := nogo.NewBoard(9)
		gone := map[uint8]map[int]bool{nogo.Black: {}, nogo.White: {}}
		for colour := nogo.Black; ; colour = 3 - colour {
			var list []int
			for i := range 81 {
				p := b.At(i%9, i/9)
				for c, lost := range gone {
					if b.Harmless(p, c) && lost[p] {
						t.Fatalf("%d is harmless again for %d", p, c)
					}
					lost[p] = !b.Harmless(p, c)
				}
				if b.Harmless(p, colour) {
					list = append(list, p)
				}
			}
			if len(list) == 0 {
				break
			}
			b.Place(list[r.IntN(len(list))], colour)
		}
	}
}

func TestChains(t *testing.T) {
	st, err := open(t, "nogo:size=4").Position("wb../..../.bb./w... b")
	if err != nil {
		t.Fatal(err)
	}
	b := st.(*nogo.State).Board()
	if b.Head(b.At(1, 2)) != b.Head(b.At(2, 2)) || b.Head(b.At(1, 0)) == b.Head(b.At(1, 2)) {
		t.Error("chains are wrongly joined")
	}
	stones := 0
	for i := range 16 {
		if b.Cell(b.At(i%4, i/4)) != nogo.Empty {
			stones++
		}
	}
	if stones != 5 || b.Size() != 4 {
		t.Errorf("%d stones on a board of %d", stones, b.Size())
	}
	copied := nogo.NewBoard(9)
	copied.Copy(&b)
	b.Place(b.At(0, 1), nogo.White)
	if copied.Cell(copied.At(0, 1)) != nogo.Empty || copied.Hash() == b.Hash() || copied.Size() != 4 {
		t.Error("a copy follows its original")
	}
}

// The end that was played is the end that is read.
func TestLostPositions(t *testing.T) {
	r := open(t, "nogo:size=3")
	for text, want := range map[string]string{
		"bw./w../... w":        "second suicide",
		"bw./w../... b":        "first capture",
		"wb./b../... w":        "second capture",
		"wb./b../... b":        "first suicide",
		".../.../... b passed": "first pass",
		"bbw/b.w/bww b":        "second blocked",
		".b./bbb/bbb w":        "first blocked",
	} {
		st, err := r.Position(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		res, over := st.Result()
		if got := res.Winner().String() + " " + string(res.Reason); !over || got != want {
			t.Errorf("%s: %s instead of %s", text, got, want)
		}
		if st.(rules.Perfter).Perft(1) != 0 || st.(rules.Perfter).Perft(0) != 1 {
			t.Errorf("%s: turns after the end", text)
		}
	}
}

func TestPositionErrors(t *testing.T) {
	r, sau := open(t, "nogo:size=3"), open(t, "nogo:size=3,rulings=sau")
	for text, want := range map[string]string{
		"":                        "write 3 rows",
		".../.../...":             "write 3 rows",
		".../.../... x":           `"x" is neither b nor w`,
		".../... b":               "2 rows instead of 3",
		".../..../... b":          `row 2 "...." has 4 points instead of 3`,
		".../.q./... b":           `'q' is not one of b w . in row 2`,
		".../.../... b ko":        `"ko" after the side`,
		".../.../... b passed b1": "write 3 rows",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := sau.Position(".../.../... b passed"); err == nil {
		t.Error("a pass under rulings that know none")
	}
	for spec, want := range map[string]string{
		"nogo:size=1": "from 2 to 19", "nogo:size=20": "from 2 to 19", "nogo:rulings=x": "proper sau", "nogo:komi=3": "known are size rulings",
	} {
		if _, err := rules.Open([]rules.Game{nogo.Game()}, spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}

func TestPlayoutsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counters disturb the measure")
	}
	rs := open(t, "nogo")
	r := rand.New(rand.NewPCG(2, 2))
	states := make([]rules.State, 21)
	for i := range states {
		states[i] = rs.New()
	}
	var buf [81]game.Move
	var notices [1]game.Notice
	next := 0
	if n := testing.AllocsPerRun(20, func() {
		st := states[next]
		next++
		for st.Turn().Seat != game.Nobody {
			legal := st.Legal(buf[:0])
			if _, err := st.Apply(legal[r.IntN(len(legal))], notices[:0]); err != nil {
				panic(err)
			}
		}
	}); n != 0 {
		t.Errorf("a random game allocates %v times", n)
	}
}

func FuzzPosition(f *testing.F) {
	r := open(f, "nogo:size=5")
	f.Add(r.New().Text())
	f.Add("bw.../w..../...../...../..... w")
	f.Add("...../...../...../...../..... w passed")
	f.Add("b.b.b/.b.b./wwwww/w.w.w/.w.w. b")
	f.Fuzz(func(t *testing.T, text string) {
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		want := uint64(0)
		if p := newPlain(st.Text()); st.Turn().Seat != game.Nobody {
			want = p.count(p.side, 1)
		}
		if n := st.(rules.Perfter).Perft(1); n != want || n != uint64(len(st.Legal(nil))) {
			t.Fatalf("%q: %d turns, want %d", text, n, want)
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "nogo"), []string{"a1", "J9", "i5", "pass", "", "e0"}, nil)
}

func BenchmarkPerft3(b *testing.B) {
	st := open(b, "nogo").New().(rules.Perfter)
	var n uint64
	for b.Loop() {
		n += st.Perft(3)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}

func BenchmarkPlayout(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var buf [81]game.Move
	var notices [1]game.Notice
	rs := open(b, "nogo")
	b.ReportAllocs()
	for b.Loop() {
		st := rs.New()
		for st.Turn().Seat != game.Nobody {
			legal := st.Legal(buf[:0])
			_, _ = st.Apply(legal[r.IntN(len(legal))], notices[:0])
		}
	}
}
