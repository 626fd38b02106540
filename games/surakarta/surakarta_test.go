package surakarta_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/surakarta"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(surakarta.Game())

func position(t testing.TB, spec, text string) rules.State {
	t.Helper()
	r := open(t, spec)
	if text == "" {
		return r.New()
	}
	st, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// letters reads end points as the SAU protocol writes them: BBBC.
func letters(t testing.TB, text string) game.Move {
	t.Helper()
	if len(text) != 4 {
		t.Fatalf("%q has not four letters", text)
	}
	p := func(s string) game.Point { return game.Pt(int(s[0])-'A', int(s[1])-'A') }
	return game.ShiftTo(p(text[:2]), p(text[2:]))
}

func lettersOf(m game.Move) string {
	return string([]byte{byte('A' + m.From.X), byte('A' + m.From.Y), byte('A' + m.To.X), byte('A' + m.To.Y)})
}

func TestConformance(t *testing.T) {
	rulestest.Run(t, surakarta.Game(), rulestest.Variants(
		"surakarta:repetition=2,nocapture=20",
		"surakarta:repetition=3,nocapture=0",
		"surakarta:nocapture=1",
	))
}

// lines returns the cells of a data file.
func lines(t testing.TB, path string, cells int) (list [][]string) {
	t.Helper()
	for _, c := range rulestest.Rows(t, path, cells) {
		list = append(list, c)
	}
	return list
}

// testdata/scenes.txt: "spec | position | moves | what", where what is "illegal",
// "open", or the winner with the end code. Only the last move may be illegal.
func TestScenes(t *testing.T) {
	for _, row := range lines(t, "testdata/scenes.txt", 4) {
		st := position(t, row[0], row[1])
		got := ""
		moves := strings.Fields(row[2])
		for i, text := range moves {
			m := letters(t, text)
			listed := slices.Contains(st.Legal(nil), m)
			_, err := st.Apply(m, nil)
			if listed != (err == nil) {
				t.Errorf("%s: listed %t, error %v", text, listed, err)
			}
			if err != nil {
				if i < len(moves)-1 {
					t.Fatalf("%q: %s: %v", row, text, err)
				}
				got = "illegal"
			}
		}
		if got == "" {
			got = outcome(st)
		}
		if got != row[3] {
			t.Errorf("%q: %s", row, got)
		}
	}
}

func outcome(st rules.State) string {
	res, over := st.Result()
	switch {
	case !over:
		return "open"
	case res.Draw():
		return "draw " + string(res.Reason)
	}
	return res.Winner().String() + " " + string(res.Reason)
}

// testdata/captures.txt: "spec | position | captures", the complete list.
func TestCaptures(t *testing.T) {
	for _, row := range lines(t, "testdata/captures.txt", 3) {
		st := position(t, row[0], row[1])
		own := st.View(game.Arbiter)
		var got []string
		for _, m := range st.Legal(nil) {
			if own.At(m.To).Piece != 0 {
				got = append(got, lettersOf(m))
			}
		}
		slices.Sort(got)
		if want := strings.Fields(row[2]); !slices.Equal(got, want) {
			t.Errorf("%s %s: captures %v, want %v", row[0], row[1], got, want)
		}
	}
}

// testdata/leaves.txt: "spec | position | depth | how many of the last plies are
// captures".
func TestCapturesAtLeaves(t *testing.T) {
	for _, row := range lines(t, "testdata/leaves.txt", 4) {
		depth, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		p := newPlain(position(t, row[0], row[1]).Text(), strings.Contains(row[0], "sau"))
		for name, got := range map[string]int{
			"board": leafCaptures(position(t, row[0], row[1]), depth),
			"plain": p.leafCaptures(depth),
		} {
			if strconv.Itoa(got) != strings.ReplaceAll(row[3], ",", "") {
				t.Errorf("%q: %s counts %d", row, name, got)
			}
		}
	}
}

func leafCaptures(st rules.State, depth int) (n int) {
	var notices []game.Notice
	for _, m := range st.Legal(nil) {
		next := st.Clone()
		notices, _ = next.Apply(m, notices[:0])
		switch {
		case depth > 1:
			n += leafCaptures(next, depth-1)
		case len(notices) == 2:
			n++
		}
	}
	return n
}

// The counts of the data file by the second generator, but for the two above a million.
func TestPerftOfPlainGenerator(t *testing.T) {
	list, _, err := rulestest.ReadCounts("testdata/perft.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		st := position(t, c.Spec, c.Position)
		if c.Leaves > 200_000 || strings.Contains(c.Spec, "=2") || strings.Contains(c.Spec, "=1") {
			continue // ends by the limits are unknown to the second generator
		}
		p := newPlain(st.Text(), strings.Contains(c.Spec, "sau"))
		if got := p.perft(c.Depth); got != c.Leaves {
			t.Errorf("%s %s, depth %d: %d instead of %d", c.Spec, c.Position, c.Depth, got, c.Leaves)
		}
		b := board(t, st)
		if got := b.Perft(c.Depth); got != c.Leaves {
			t.Errorf("%s %s, depth %d: the board counts %d instead of %d", c.Spec, c.Position, c.Depth, got, c.Leaves)
		}
	}
}

func board(t testing.TB, st rules.State) surakarta.Board {
	t.Helper()
	own, ok := st.(*surakarta.State)
	if !ok {
		t.Fatalf("%T is no state of surakarta", st)
	}
	return own.Board()
}

// A second generator, which walks the circuits point by point, agrees with the
// board at random positions: those of games, and any placement of any number of
// pieces, under both rulings.
func TestAgainstPlainGenerator(t *testing.T) {
	n, games := 5_000, 4
	if testing.Short() {
		n, games = 1500, 1
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, spec := range []string{"surakarta", "surakarta:rulings=sau"} {
		rs := open(t, spec)
		for i := range n {
			st := position(t, spec, randomPosition(r))
			compare(t, st, spec != "surakarta", i%20 == 0)
		}
		for range games {
			for st := rs.New(); st.Turn().Seat != game.Nobody; {
				compare(t, st, spec != "surakarta", false)
				list := st.Legal(nil)
				if _, err := st.Apply(list[r.IntN(len(list))], nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// compare holds the legal list, and if told so the verdict about every pair of
// points, to the second generator.
func compare(t *testing.T, st rules.State, sau, pairs bool) {
	t.Helper()
	if st.Turn().Seat == game.Nobody {
		return
	}
	p := newPlain(st.Text(), sau)
	want, got := p.moves(), st.Legal(nil)
	order := func(a, b game.Move) int { return cmp.Compare(lettersOf(a), lettersOf(b)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: moves %v, want %v", st.Text(), got, want)
	}
	for x := 0; x < 36 && pairs; x++ {
		for y := range 36 {
			m := game.ShiftTo(game.Pt(x%6, x/6), game.Pt(y%6, y/6))
			if _, listed := slices.BinarySearchFunc(want, m, order); listed != (st.Check(m) == nil) {
				t.Fatalf("%s: %s is legal %t, but %v", st.Text(), lettersOf(m), listed, st.Check(m))
			}
		}
	}
}

func randomPosition(r *rand.Rand) string {
	cells := []byte(strings.Repeat(".", 36))
	for _, c := range "bw" {
		for range 1 + r.IntN(12) {
			if i := r.IntN(36); cells[i] == '.' {
				cells[i] = byte(c)
			}
		}
	}
	if !slices.Contains(cells, 'b') && !slices.Contains(cells, 'w') {
		cells[7] = 'b'
	}
	var rows []string
	for y := range 6 {
		rows = append(rows, string(cells[6*y:6*y+6]))
	}
	return strings.Join(rows, "/") + " " + string("bw"[r.IntN(2)])
}

// plain is the second generator: an array and the circuits as words. A ~ is an
// arc; the original platform writes the corner's coordinates instead.
type plain struct {
	cell map[string]byte
	own  byte
	sau  bool
}

var circuits = [2][]string{
	strings.Fields("BA BB BC BD BE BF ~AF AE BE CE DE EE FE ~FF EF EE ED EC EB EA ~FA FB EB DB CB BB AB ~AA"),
	strings.Fields("CA CB CC CD CE CF ~AF AD BD CD DD ED FD ~FF DF DE DD DC DB DA ~FA FC EC DC CC BC AC ~AA"),
}

func newPlain(text string, sau bool) *plain {
	f := strings.Fields(text)
	p := &plain{cell: map[string]byte{}, own: f[1][0], sau: sau}
	for y, row := range strings.Split(f[0], "/") {
		for x := range row {
			if row[x] != '.' {
				p.cell[string([]byte{byte('A' + x), byte('A' + y)})] = row[x]
			}
		}
	}
	return p
}

// target runs from an entry of a circuit and returns what it may take, if anything.
func (p *plain) target(circuit []string, start, step int) (string, bool) {
	arcs := 0
	own := strings.TrimPrefix(circuit[start], "~")
	for i := start; ; {
		i = (i + step + len(circuit)) % len(circuit)
		at := circuit[i]
		switch {
		case i == start:
			return "", false
		case at[0] == '~':
			arcs++
		case at != own && p.cell[at] != 0:
			return at, arcs > 0 && p.cell[at] != p.own
		}
	}
}

func (p *plain) moves() (list []game.Move) {
	seen := map[game.Move]bool{}
	pt := func(s string) game.Point { return game.Pt(int(s[0]-'A'), int(s[1]-'A')) }
	for from, c := range p.cell {
		if c != p.own {
			continue
		}
		for _, circuit := range circuits {
			for i, at := range circuit {
				if at != from && (at != "~"+from || !p.sau) {
					continue
				}
				for _, step := range []int{1, -1} {
					if to, ok := p.target(circuit, i, step); ok {
						seen[game.ShiftTo(pt(from), pt(to))] = true
					}
				}
			}
		}
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				to := []byte{from[0] + byte(dx), from[1] + byte(dy)}
				if min(to[0], to[1]) >= 'A' && max(to[0], to[1]) <= 'F' && p.cell[string(to)] == 0 {
					seen[game.ShiftTo(pt(from), pt(string(to)))] = true
				}
			}
		}
	}
	for m := range seen {
		list = append(list, m)
	}
	return list
}

// after calls f with the board after each move.
func (p *plain) after(f func(took bool)) {
	own := p.own
	for _, m := range p.moves() {
		text := lettersOf(m)
		from, to := text[:2], text[2:]
		old := p.cell[to]
		delete(p.cell, from)
		p.cell[to] = own
		p.own = 'b' + 'w' - own
		f(old != 0)
		p.own = own
		p.cell[from] = own
		delete(p.cell, to)
		if old != 0 {
			p.cell[to] = old
		}
	}
}

func (p *plain) over() bool {
	black, white := 0, 0
	for _, c := range p.cell {
		if c == 'b' {
			black++
		} else {
			white++
		}
	}
	return black == 0 || white == 0
}

func (p *plain) perft(depth int) (n uint64) {
	switch {
	case depth == 0:
		return 1
	case p.over():
		return 0
	case depth == 1:
		return uint64(len(p.moves()))
	}
	p.after(func(bool) { n += p.perft(depth - 1) })
	return n
}

func (p *plain) leafCaptures(depth int) (n int) {
	p.after(func(took bool) {
		switch {
		case depth > 1 && !p.over():
			n += p.leafCaptures(depth - 1)
		case depth == 1 && took:
			n++
		}
	})
	return n
}

// All eight symmetries of the square carry the moves of any position over.
func TestSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, spec := range []string{"surakarta", "surakarta:rulings=sau"} {
		rs := open(t, spec)
		sym, ok := rs.(rules.Symmetric)
		if !ok {
			t.Fatal("no symmetries")
		}
		list := sym.Symmetries()
		if len(list) != 8 {
			t.Fatalf("%d symmetries", len(list))
		}
		for range 200 {
			text := randomPosition(r)
			st := position(t, spec, text)
			want := st.Legal(nil)
			for i, turn := range list {
				got := position(t, spec, turned(text, turn)).Legal(nil)
				for _, m := range want {
					if image := game.ShiftTo(turn(m.From), turn(m.To)); !slices.Contains(got, image) {
						t.Fatalf("%s: symmetry %d has not %v", text, i, image)
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%s: symmetry %d has %d moves instead of %d", text, i, len(got), len(want))
				}
			}
		}
	}
}

func turned(text string, turn func(game.Point) game.Point) string {
	rows := strings.Split(text[:41], "/")
	out := []byte(text)
	for y := range rows {
		for x := range rows[y] {
			q := turn(game.Pt(x, y))
			out[int(q.Y)*7+int(q.X)] = rows[y][x]
		}
	}
	return string(out)
}

// Captures are told with the point that was taken, and the points of one notice
// stay what they were while the game goes on.
func TestNotices(t *testing.T) {
	st := open(t, "surakarta").New()
	var all []game.Notice
	var want []game.Point
	for i, text := range strings.Fields(longGame(t)) {
		m := letters(t, text)
		v := st.View(game.Public)
		seat := st.Turn().Seat
		list, err := st.Apply(m, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if list[0].Kind != game.Played || list[0].Move != m || list[0].By != game.Seat(i%2) {
			t.Errorf("%s: %+v", text, list[0])
		}
		if took := v.At(m.To).Piece != 0; took != (len(list) == 2) {
			t.Fatalf("%s: took %t, notices %+v", text, took, list)
		}
		for _, n := range list[1:] {
			if n.Kind != game.Took || n.To != game.Public || n.By != seat || n.Count != 1 || len(n.Points) != 1 {
				t.Errorf("%s: %+v", text, n)
			}
			all, want = append(all, n), append(want, m.To)
		}
	}
	for i, n := range all {
		if n.Points[0] != want[i] {
			t.Errorf("capture %d is told as %v, it was %v", i, n.Points, want[i])
		}
	}
	if len(all) != 18 {
		t.Errorf("%d captures", len(all))
	}
}

// longGame is the first complete game of the scenes.
func longGame(t testing.TB) string {
	t.Helper()
	for _, row := range lines(t, "testdata/scenes.txt", 4) {
		if len(row[2]) > 150 {
			return row[2]
		}
	}
	t.Fatal("no complete game")
	return ""
}

func TestOptions(t *testing.T) {
	for spec, want := range map[string]string{
		"surakarta":                               "surakarta:repetition=3,nocapture=50",
		"surakarta:rulings=sau":                   "surakarta:repetition=3,nocapture=50,rulings=sau",
		"surakarta:nocapture=0, repetition=1":     "surakarta:repetition=1,nocapture=0",
		"surakarta:rulings=proper,nocapture=0100": "surakarta:repetition=3,nocapture=100",
	} {
		if got := open(t, spec).Spec(); string(got) != want {
			t.Errorf("%s is %s, want %s", spec, got, want)
		}
	}
	for spec, want := range map[string]string{
		"surakarta:repetition=4":  `"4" is not one of 1 2 3`,
		"surakarta:repetition=0":  `"0" is not one of 1 2 3`,
		"surakarta:nocapture=-1":  "not a whole number from 0 to",
		"surakarta:rulings=other": `"other" is not one of proper sau`,
	} {
		if _, err := rules.Open([]rules.Game{surakarta.Game()}, spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "surakarta")
	const some = "b5/6/6/6/6/5w"
	for text, want := range map[string]string{
		"":                             "write six rows",
		some:                           "write six rows",
		some + " x":                    `"x" is neither b nor w`,
		some + " b 51":                 `plies since the last capture "51": write a number from 0 to 50`,
		some + " b -1":                 "write a number from 0 to 50",
		some + " b x":                  "write a number from 0 to 50",
		"6/6 b":                        "2 rows instead of 6",
		"q5/6/6/6/6/6 b":               "is not one of b w .",
		"5/6/6/6/6/6 b":                "5 points instead of 6",
		"6b/6/6/6/6/6 b":               "more than 6 points",
		"bbbbbb/bbbbbb/b5/6/6/5w b":    "13 pieces b, more than 12",
		"6/6/6/6/6/6 b":                "no pieces",
		"0bbbbbb/6/6/6/6/5w b":         `'0' is not one of`,
		"bbbbbb/bbbbbb/6/6/6/5w b 1 1": "write six rows",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"BBBBBB/bbbbbb/6/6/WWWWWW/wwwwww B": r.New().Text(),
		"b5/6/6/6/6/.3.w w 7":               "b...../....../....../....../....../.....w w 7",
	} {
		if st, err := r.Position(text); err != nil || st.Text() != want {
			t.Errorf("%s is read as %v, %v", text, st, err)
		}
	}
	// Without a limit the number says nothing.
	if st := position(t, "surakarta:nocapture=0", some+" b 7"); st.Text() != "b...../....../....../....../....../.....w b" {
		t.Errorf("text %q", st.Text())
	}
}

func TestCheckWords(t *testing.T) {
	st := position(t, "surakarta", "b5/.b4/.b4/6/.w4/1w4 b")
	for text, want := range map[string]string{
		"BCBE": "no free way from b4 along a circuit",
		"AABE": "no free way from a6",
		"BBCD": "c3 is empty and not next to b5",
		"BBBC": "a piece of the same side stands on b4",
		"BEBD": "no piece of the side to move on b2",
		"CCCD": "no piece of the side to move on c4",
	} {
		if err := st.Check(letters(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if err := st.Check(game.PassMove()); err == nil || !strings.Contains(err.Error(), "for example") {
		t.Errorf("pass: %v", err)
	}
}

// Random games allocate nothing, not even for what is taken.
func TestPlayoutsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counting statements allocates")
	}
	for _, spec := range []string{"surakarta", "surakarta:rulings=sau", "surakarta:repetition=1,nocapture=200"} {
		rs := open(t, spec)
		r := rand.New(rand.NewPCG(9, 9))
		states := make([]rules.State, 12)
		for i := range states {
			states[i] = rs.New()
		}
		moves, notices := make([]game.Move, 0, 160), make([]game.Notice, 0, 4)
		next := 0
		if n := testing.AllocsPerRun(len(states)-1, func() {
			st := states[next]
			next++
			for plies := 0; st.Turn().Seat != game.Nobody && plies < 2000; plies++ {
				moves = st.Legal(moves[:0])
				notices, _ = st.Apply(moves[r.IntN(len(moves))], notices[:0])
			}
		}); n != 0 {
			t.Errorf("%s: a random game allocates %v times", spec, n)
		}
	}
}

func FuzzPosition(f *testing.F) {
	f.Add("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0", false)
	f.Add("b4b/6/6/6/6/.w2w. w 49", true)
	f.Add("6/6/6/6/6/5b b", false)
	proper, sau := open(f, "surakarta"), open(f, "surakarta:rulings=sau")
	f.Fuzz(func(t *testing.T, text string, original bool) {
		r := proper
		if original {
			r = sau
		}
		st, err := r.Position(text)
		if err != nil {
			return
		}
		if back := rulestest.Reread(t, r, st); outcome(back) != outcome(st) {
			t.Fatalf("%q: %v, reads back as %v", text, outcome(st), outcome(back))
		}
		compare(t, st, original, true)
		if n := st.(rules.Perfter).Perft(2); n != rules.Perft(st, 2) {
			t.Fatalf("%q: %d leaves", text, n)
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "surakarta"), []string{"c5-d4", "C5xD4", " a1 - f6 ", "-", "x", "a1-"}, nil)
}

// middle is a position of a game after 30 plies.
const middle = "b..bb./.bb.b./.w..b./..w.w./.ww.../w.w..w b"

func benchmarkPerft(b *testing.B, text string, depth int) {
	st := position(b, "surakarta", text)
	p, ok := st.(rules.Perfter)
	if !ok {
		b.Fatal("no fast count")
	}
	var n uint64
	for b.Loop() {
		n += p.Perft(depth)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}

func BenchmarkPerftStart(b *testing.B)  { benchmarkPerft(b, "", 5) }
func BenchmarkPerftMiddle(b *testing.B) { benchmarkPerft(b, middle, 4) }

func BenchmarkPlayout(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	rs := open(b, "surakarta")
	moves, notices := make([]game.Move, 0, 160), make([]game.Notice, 0, 4)
	plies := 0
	b.ReportAllocs()
	for b.Loop() {
		for st := rs.New(); st.Turn().Seat != game.Nobody; plies++ {
			moves = st.Legal(moves[:0])
			notices, _ = st.Apply(moves[r.IntN(len(moves))], notices[:0])
		}
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}
