package connect6_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(connect6.Game())

func TestConformance(t *testing.T) {
	variants := []string{"connect6:size=6", "connect6:size=6,rulings=sau", "connect6:size=7", "connect6:size=8,rulings=sau"}
	if !testing.Short() {
		variants = append(variants, "connect6:size=13")
	}
	rulestest.Run(t, connect6.Game(), rulestest.Variants(variants...))
}

// testdata/vectors.txt: one scene per line, "spec | position | decisions | what",
// where what is "illegal", "open", "draw", or the seat that has won and the line.
func TestVectors(t *testing.T) {
	for n, c := range rulestest.Rows(t, "testdata/vectors.txt", 4) {
		if got, err := scene(t, c[0], c[1], strings.Fields(c[2])); got != c[3] {
			t.Errorf("line %d: %q: %s instead of %s (%v)", n, c, got, c[3], err)
		}
	}
}

// scene makes decisions; the last may be illegal.
func scene(t *testing.T, spec, position string, moves []string) (string, error) {
	t.Helper()
	st, err := rulestest.Scene(t, open(t, spec), position, moves)
	if err != nil {
		return "illegal", err
	}
	res, over := st.Result()
	switch {
	case !over:
		return "open", nil
	case res.Draw():
		return "draw", nil
	}
	return res.Winner().String() + ": " + res.Detail, nil
}

// sau turns the platform's letters into decisions: pairs of letters from A at the
// top left, @@ for none.
func sau(t *testing.T, text string) []string {
	t.Helper()
	r := open(t, "connect6")
	var list []string
	for turn := range strings.FieldsSeq(text) {
		for ; turn != ""; turn = turn[2:] {
			if turn[:2] != "@@" {
				list = append(list, r.FormatMove(game.PlaceAt(game.Pt(int(turn[0]-'A'), int(turn[1]-'A')))))
			}
		}
	}
	return list
}

func TestPlatformGame(t *testing.T) {
	moves := sau(t, "JJ@@ KKKI JIKJ IJJK IHLK HGML JGJH JEGH HIKF LEFK KHLH MHIF FIKD KGII LILJ MJLG LLLM")
	for n := 1; n < len(moves); n++ {
		if got, _ := scene(t, "connect6", "", moves[:n]); got != "open" {
			t.Fatalf("after %d stones: %s", n, got)
		}
	}
	if got, _ := scene(t, "connect6", "", moves); !strings.HasPrefix(got, "first: black has 6 in a line") {
		t.Error(got)
	}
}

// The turns of a game as the referee sees them.
func TestTurns(t *testing.T) {
	r := open(t, "connect6")
	st := r.New()
	want := []game.Turn{
		{Seat: game.First, Phase: "place"},
		{Seat: game.Second, Phase: "place"},
		{Seat: game.Second, Step: 1, Phase: "place"},
		{Seat: game.First, Phase: "place"},
		{Seat: game.First, Step: 1, Phase: "place"},
		{Seat: game.Second, Phase: "place"},
	}
	marks := [][]string{nil, {"a1"}, {"b1"}, {"b1", "c1"}, {"d1"}, {"d1", "e1"}}
	for i, w := range want {
		v := st.View(game.Public)
		var names []string
		for _, p := range v.Marks {
			names = append(names, r.FormatMove(game.PlaceAt(p)))
		}
		if st.Turn() != w || !slices.Equal(names, marks[i]) {
			t.Errorf("after %d stones: %+v with marks %v instead of %+v with %v", i, st.Turn(), names, w, marks[i])
		}
		if _, err := st.Apply(st.Legal(nil)[0], nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Both judges agree all along random games: what is legal, when the game is over,
// and who has won.
func TestAgainstSlowRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ends := map[game.Reason]int{}
	for _, spec := range []string{"connect6:size=6", "connect6:size=7", "connect6:size=9", "connect6:size=8,rulings=sau", "connect6"} {
		short := strings.HasSuffix(spec, "sau")
		r := open(t, spec)
		games := 12
		if testing.Short() {
			games = 4
		}
		for range games {
			st := r.New()
			for st.Turn().Seat != game.Nobody {
				s := newSlow(st.Text(), short)
				legal := st.Legal(nil)
				stones := len(s.free())
				if s.mid && short {
					stones++
				}
				if s.over() || len(legal) != stones {
					t.Fatalf("%s: over %t, %d instead of %d legal", st.Text(), s.over(), len(legal), stones)
				}
				if _, err := st.Apply(legal[rng.IntN(len(legal))], nil); err != nil {
					t.Fatal(err)
				}
			}
			s := newSlow(st.Text(), short)
			res, _ := st.Result()
			ends[res.Reason]++
			want := game.Nobody
			switch {
			case s.six('b'):
				want = game.First
			case s.six('w'):
				want = game.Second
			}
			if !s.over() || res.Winner() != want {
				t.Fatalf("%s: %+v, slow rules say %v, over %t", st.Text(), res, want, s.over())
			}
		}
	}
	if ends[connect6.BySix] == 0 || ends[connect6.ByFull] == 0 {
		t.Errorf("the games ended %v", ends)
	}
}

// crowded returns a position of so many empty points in which nobody has six but
// both sides have lines that lack little.
func crowded(t *testing.T, r rules.Rules, rng *rand.Rand, size, empty int) string {
	t.Helper()
	for {
		rows := make([][]byte, size)
		for y := range rows {
			rows[y] = make([]byte, size)
			colour := byte('b')
			for x := range rows[y] {
				if rng.IntN(4) == 0 {
					colour = 'b' + 'w' - colour
				}
				rows[y][x] = colour
			}
		}
		if rng.IntN(2) == 0 {
			for y := range rows {
				for x := range y {
					rows[y][x], rows[x][y] = rows[x][y], rows[y][x]
				}
			}
		}
		for _, i := range rng.Perm(size * size)[:empty] {
			rows[i/size][i%size] = '.'
		}
		text := ""
		for y, row := range rows {
			if y > 0 {
				text += "/"
			}
			text += string(row)
		}
		text += []string{" b", " w", " b 1", " w 1"}[rng.IntN(4)]
		st, err := r.Position(text)
		if err != nil {
			continue
		}
		if _, over := st.Result(); !over {
			return text
		}
	}
}

// The fast count agrees with the slow rules where lines lack little and the board
// is nearly full.
func TestCountsOfCrowdedBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	wins, zeros := 0, 0
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for _, spec := range []string{"connect6:size=6", "connect6:size=7", "connect6:size=8", "connect6:size=6,rulings=sau", "connect6:size=7,rulings=sau"} {
		r := open(t, spec)
		size := r.Doc().Width
		short := strings.HasSuffix(spec, "sau")
		for i := range rounds {
			empty := 1 + i%10
			text := crowded(t, r, rng, size, empty)
			st, err := r.Position(text)
			if err != nil {
				t.Fatal(err)
			}
			for depth := 1; depth <= 5; depth++ {
				got, want := st.(rules.Perfter).Perft(depth), newSlow(text, short).count(depth)
				if got != want {
					t.Fatalf("%s %q depth %d: %d instead of %d", spec, text, depth, got, want)
				}
				if want == 0 {
					zeros++
				}
				if want > 5_000 {
					break
				}
			}
			if s := newSlow(text, short); len(s.turns()) != empty*(empty-1)/2 {
				wins++
			}
		}
	}
	if wins < rounds || zeros == 0 {
		t.Errorf("only %d positions with turns that are not pairs, %d counts of nothing", wins, zeros)
	}
}

// Two turns from positions in the middle of a game, with sixes at hand.
func TestCountsWithSixesAtHand(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		depth          int
	}{
		{"connect6:size=6", "....../.bbbb./....../.wwww./....../...... b", 2},
		{"connect6:size=6", "....../.bbbbb/....../.wwww./....../...... b", 2},
		{"connect6:size=6", "....../.bbbbb/....../.wwwww/....../b..... w", 2},
		{"connect6:size=6", "....../bb.bbb/....../ww..ww/....../b..... b 1", 2},
		{"connect6:size=6,rulings=sau", "....../.bbbb./....../.wwwww/....../...... b", 2},
		{"connect6:size=8", "bb.bb.bb/......../ww.ww.ww/......../......../......../......../........ w", 2},
	} {
		most := c.depth
		if testing.Short() {
			most = 1
		}
		st, err := open(t, c.spec).Position(c.position)
		if err != nil {
			t.Fatal(err)
		}
		short := strings.HasSuffix(c.spec, "sau")
		for depth := 1; depth <= most; depth++ {
			if got, want := st.(rules.Perfter).Perft(depth), newSlow(st.Text(), short).count(depth); got != want {
				t.Errorf("%s %s depth %d: %d instead of %d", c.spec, c.position, depth, got, want)
			}
		}
	}
}

// Counts that do not fit are the largest number, and found at once.
func TestCountBeyondLimit(t *testing.T) {
	if n := open(t, "connect6").New().(rules.Perfter).Perft(6); n != math.MaxUint64 {
		t.Errorf("six turns are %d", n)
	}
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "connect6:size=6")
	rest := "/6/6/6/6"
	for text, want := range map[string]string{
		"":                           "write 6 rows",
		"6/6 b":                      "2 rows instead of 6",
		"6/6/6/6/6/q5 b":             `'q' is not one of b w . or a number`,
		"6/6/6/6/6/5 b":              "has 5 points instead of 6",
		"6/6/6/6/6/b6 b":             "has 7 points instead of 6",
		"6/6/6/6/6/999999999999 b":   "instead of 6",
		"6/6/6/6/6/6 x":              `"x" is neither b nor w`,
		"6/6/6/6/6/6 -":              "no six",
		"6/6/6/6/6/6 b 3":            "write 1 or 2",
		"6/6/6/6/6/6 b 2":            "the first turn of the game has one stone",
		"b5/6/6/6/6/6 b 1":           "the first turn of the game has one stone",
		"b5/b5" + rest + " w 1":      "the first stone of the turn of white is not on the board",
		"bbbb2/6" + rest:             "4 black and 0 white",
		"bbbbbb/wwwwww" + rest:       "both sides have six",
		"bbbbbb/6" + rest + " - 1":   "the game is over",
		"6/6/6/6/6/6 b 1 1":          "write 6 rows",
		"6/6/6/6/6/6/6 b":            "7 rows instead of 6",
		"......./6/6/6/6/6 b":        "has 7 points instead of 6",
		"bbbbbb/6" + rest + " maybe": `"maybe" is neither b nor w`,
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"6/6/6/6/6/6":               "....../....../....../....../....../...... b",
		"6/6/6/6/6/6 b 1":           "....../....../....../....../....../...... b",
		"B5/6/6/6/6/6":              "b...../....../....../....../....../...... w",
		"xo4/6/6/6/6/6":             "bw..../....../....../....../....../...... w 1",
		"xo4/6/6/6/6/X5 w":          "bw..../....../....../....../....../b..... w",
		"xow3/6/6/6/6/6 B 2":        "bww.../....../....../....../....../...... b",
		"xoo3/6/6/6/6/5b":           "bww.../....../....../....../....../.....b b 1",
		"bbbbbb/6/6/6/6/ww4 w":      "bbbbbb/....../....../....../....../ww.... -",
		"bbbbbb/6/6/6/6/ww4":        "bbbbbb/....../....../....../....../ww.... -",
		"3b2/6/6/6/6/6 w":           "...b../....../....../....../....../...... w",
		" bw4/6/6/6/6/b5   w   1  ": "bw..../....../....../....../....../b..... w 1",
	} {
		if st, err := r.Position(text); err != nil || st.Text() != want {
			t.Errorf("%q is read as %v, %v", text, st, err)
		}
	}
}

func TestMoveErrors(t *testing.T) {
	r := open(t, "connect6:size=6")
	for text, want := range map[string]string{
		"t20": "on the 6x6 board", "": "is not a point", "a0": "is not a point", "pass me": "is not a point",
	} {
		if _, err := r.ParseMove(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	st := r.New()
	for _, c := range []struct{ move, want string }{
		{"pass", "a turn begins with a stone"},
		{"c3", ""},
		{"c3", "c3 is taken by a black stone"},
		{"d3", ""},
		{"pass", "the second one is due"},
		{"d3", "d3 is taken by a white stone"},
		{"d4", ""},
	} {
		m, err := r.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		_, err = st.Apply(m, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.move, err, c.want)
		}
	}
}

func FuzzPosition(f *testing.F) {
	f.Add("6/6/6/6/6/6", "connect6:size=6")
	f.Add("bw..../....../....../....../....../b..... w 1", "connect6:size=6,rulings=sau")
	f.Add("bbbbbb/6/6/6/6/ww4", "connect6:size=6")
	f.Add("7/7/7/7/7/7/xo5 b", "connect6:size=7")
	f.Fuzz(func(t *testing.T, text, spec string) {
		r, err := rules.Open([]rules.Game{connect6.Game()}, spec)
		if err != nil {
			return
		}
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		if r.Doc().Width > 8 || st.Turn().Seat == game.Nobody {
			return
		}
		short := strings.Contains(string(r.Spec()), "sau")
		if n, want := st.(rules.Perfter).Perft(1), newSlow(st.Text(), short).count(1); n != want {
			t.Fatalf("%q: %d turns instead of %d", text, n, want)
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "connect6"), []string{"j10", "A1", "s19", "pass", "PASS ", "-", "a", "aa1"}, nil)
}

// A random game allocates nothing but its state.
func TestPlayoutDoesNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counting for coverage allocates")
	}
	r := open(t, "connect6")
	rng := rand.New(rand.NewPCG(1, 1))
	buf := make([]game.Move, 0, 362)
	notices := make([]game.Notice, 0, 1)
	if n := testing.AllocsPerRun(20, func() { playout(r.New(), rng, buf, notices) }); n > 1 {
		t.Errorf("a random game allocates %v times", n)
	}
}

// playout plays a random game to its end and returns the number of decisions.
func playout(st rules.State, rng *rand.Rand, buf []game.Move, notices []game.Notice) (decisions int) {
	for st.Turn().Seat != game.Nobody {
		moves := st.Legal(buf[:0])
		_, _ = st.Apply(moves[rng.IntN(len(moves))], notices[:0])
		decisions++
	}
	return decisions
}

// BenchmarkPlayout plays random games; the one allocation is the state.
func BenchmarkPlayout(b *testing.B) {
	r := open(b, "connect6")
	rng := rand.New(rand.NewPCG(1, 1))
	buf := make([]game.Move, 0, 362)
	notices := make([]game.Notice, 0, 1)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n += playout(r.New(), rng, buf, notices)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mstones/s")
}

// middle is a position in which both sides can make six.
const middle = "19/19/19/19/8w10/7b3w7/6w1bb1b7/7wbbww7/6w1bwb1b6/6bwwbw8/7bwbb1b6/6w1w2wb6/9w9/19/19/19/19/19/19 b"

// BenchmarkPerft counts from the middle of a game: in bulk, and with the last
// turn but two placed stone by stone.
func BenchmarkPerft(b *testing.B) {
	st, err := open(b, "connect6").Position(middle)
	if err != nil {
		b.Fatal(err)
	}
	for _, depth := range []int{1, 2, 3} {
		b.Run([]string{"", "one", "two", "three"}[depth], func(b *testing.B) {
			var n float64
			for b.Loop() {
				n += float64(st.(rules.Perfter).Perft(depth))
			}
			b.ReportMetric(n/b.Elapsed().Seconds()/1e6, "Mturns/s")
		})
	}
}
