package darkchess_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(darkchess.Game())

func TestConformance(t *testing.T) {
	rulestest.Run(t, darkchess.Game(), rulestest.Variants(
		"darkchess:noeat=60", "darkchess:noeat=10,repetition=2", "darkchess:noeat=40,repetition=2,repetitiondef=position,occurrences=n"))
}

// rows reads a test file of lines with cells separated by |.
func rows(t *testing.T, path string, cells int, f func(line int, cell []string)) {
	t.Helper()
	for n, c := range rulestest.Rows(t, path, cells) {
		f(n, c)
	}
}

func TestMoveLists(t *testing.T) {
	r := open(t, "darkchess")
	rows(t, "testdata/lists.txt", 2, func(line int, cell []string) {
		st, err := r.Position(cell[0])
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		var got []string
		for _, m := range st.Legal(nil) {
			if m.Op == game.Shift {
				got = append(got, r.FormatMove(m))
			}
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); text != cell[1] {
			t.Errorf("line %d: %s: moves %q, want %q", line, cell[0], text, cell[1])
		}
		colour, _ := st.(*darkchess.State).ToMove()
		b := st.(*darkchess.State).Board()
		if n := b.CountMoves(colour); n != len(got) {
			t.Errorf("line %d: %d moves counted, %d listed", line, n, len(got))
		}
	})
}

func TestScenes(t *testing.T) {
	rows(t, "testdata/scenes.txt", 4, func(line int, cell []string) {
		if got := scene(t, cell[0], cell[1], plies(cell[2])); got != cell[3] {
			t.Errorf("line %d: %v: %s", line, cell, got)
		}
	})
}

// plies writes out [a b]x3.
func plies(text string) []string {
	for {
		from, to := strings.Index(text, "["), strings.Index(text, "]x")
		if from < 0 || to < 0 {
			return strings.Fields(text)
		}
		text = text[:from] + strings.Repeat(text[from+1:to]+" ", int(text[to+2]-'0')) + text[to+3:]
	}
}

func scene(t *testing.T, spec, position string, script []string) string {
	t.Helper()
	st, err := rulestest.Scene(t, open(t, spec), position, script)
	if err != nil {
		return "illegal"
	}
	res, over := st.Result()
	switch {
	case !over:
		return "open"
	case res.Draw():
		return string(res.Reason) + " draw"
	}
	return string(res.Reason) + " " + res.Winner().String()
}

// After the first flip of a king 31 flips and no move are left.
func TestFirstFlip(t *testing.T) {
	r := open(t, "darkchess")
	st := r.New()
	if legal := st.Legal(nil); len(legal) != 32 {
		t.Errorf("%d decisions at the start", len(legal))
	}
	if c := rules.ColoursOf(r, st); c != [2]game.Colour{} {
		t.Errorf("colours %v at the start", c)
	}
	for _, text := range []string{"a1-a1", "a1(K)"} {
		m, err := r.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Apply(m, nil); err != nil {
			t.Fatal(err)
		}
	}
	if legal := st.Legal(nil); len(legal) != 31 || slices.ContainsFunc(legal, func(m game.Move) bool { return m.Op != game.Flip }) {
		t.Errorf("after a1(K): %v", legal)
	}
	if c := rules.ColoursOf(r, st); c != [2]game.Colour{game.Red, game.Black} {
		t.Errorf("colours %v after the first seat flipped a red piece", c)
	}
}

// A second generator, written by the letter of the rules, agrees with the board at
// random positions.
func TestAgainstPlainGenerator(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	r := open(t, "darkchess")
	captures := 0
	for range 40 {
		st := r.New()
		for st.Turn().Seat != game.Nobody {
			if st.Turn().Seat == game.Dealer {
				list := st.(rules.Chance).Outcomes(nil)
				if _, err := st.Apply(list[rng.IntN(len(list))].Move, nil); err != nil {
					t.Fatal(err)
				}
				continue
			}
			legal := st.Legal(nil)
			var got []string
			for _, m := range legal {
				got = append(got, r.FormatMove(m))
			}
			slices.Sort(got)
			if want := plainMoves(st.Text()); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", st.Text(), got, want)
			}
			m := legal[rng.IntN(len(legal))]
			b := st.(*darkchess.State).Board()
			if m.Op == game.Shift && b.Cell(m.To.Index(4)) != darkchess.Empty {
				captures++
			}
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if captures < 200 {
		t.Errorf("only %d captures were met", captures)
	}
}

// plainMoves lists flips, moves and captures of the colour that a position text
// says is to move.
func plainMoves(text string) []string {
	f := strings.Fields(text)
	board := strings.Split(f[0], "/")
	own := strings.ToUpper("KGMRNCP")
	if f[1] == "b" {
		own = strings.ToLower(own)
	}
	mine := func(c byte) bool { return f[1] != "?" && strings.IndexByte(own, c) >= 0 }
	theirs := func(c byte) bool { return c != '-' && c != 'X' && !mine(c) }
	name := func(x, y int) string { return fmt.Sprintf("%c%d", 'a'+x, 8-y) }
	var list []string
	for y := range 8 {
		for x := range 4 {
			c := board[y][x]
			if c == 'X' {
				list = append(list, name(x, y)+"-"+name(x, y))
			}
			if !mine(c) {
				continue
			}
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				screens := 0
				for n := 1; ; n++ {
					u, v := x+n*d[0], y+n*d[1]
					if u < 0 || v < 0 || u > 3 || v > 7 {
						break
					}
					e := board[v][u]
					step := n == 1 && (e == '-' || theirs(e) && takes(c, e))
					jump := (c == 'C' || c == 'c') && screens == 1 && theirs(e)
					if step || jump {
						list = append(list, name(x, y)+"-"+name(u, v))
					}
					if e != '-' {
						screens++
					}
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

func takes(c, e byte) bool {
	prey := map[byte]string{'k': "kgmrnc", 'g': "gmrncp", 'm': "mrncp", 'r': "rncp", 'n': "ncp", 'c': "", 'p': "pk"}
	return strings.Contains(prey[c|0x20], string(rune(e|0x20)))
}

// The play-through of another referee: boards and legal moves of every printed
// state. Its board lies on its side.
func TestOpenSpiel(t *testing.T) {
	states := rulestest.ReadSpiel(t, shared.Path(t, "data/openspiel/banqi.txt"))
	r := open(t, "darkchess:noeat=50,repetition=0")
	st := r.New()
	letter := strings.NewReplacer("G", "K", "A", "G", "E", "M", "H", "N", "S", "P", "g", "k", "a", "g", "e", "m", "h", "n", "s", "p", "?", "X", ".", "-")
	at := func(text string) string { // "(row,column)" of theirs
		var row, col int
		if _, err := fmt.Sscanf(text, "(%d,%d)", &row, &col); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return fmt.Sprintf("%c%d", 'a'+row, 8-col)
	}
	translate := func(action string) string {
		body := action[strings.Index(action, "(")+1:]
		switch {
		case strings.HasPrefix(action, "Flip"):
			return at("("+body) + "-" + at("("+body)
		default:
			parts := strings.FieldsFunc(action[1:], func(r rune) bool { return r == 'x' || r == '-' })
			return at(parts[0]) + "-" + at(parts[1])
		}
	}
	compared := 0
	var square string
	for i, s := range states {
		if s.Action != "" {
			var text string
			if piece, ok := strings.CutPrefix(s.Action, "Reveal:"); ok {
				text = square + "(" + letter.Replace(piece) + ")"
			} else {
				text = translate(s.Action)
				square, _, _ = strings.Cut(text, "-")
			}
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatalf("state %d, %s: %v", i, s.Action, err)
			}
		}
		if !s.Printed {
			continue
		}
		rows, _, _ := strings.Cut(st.Text(), " ")
		for row := range 4 {
			line := strings.ReplaceAll(s.Board[row], " ", "")
			for col := range 8 {
				if got, want := rows[col*5+row], letter.Replace(line)[col]; got != want {
					t.Fatalf("state %d: %c on row %d column %d of\n%s, want %c", i, got, row, col, strings.Join(s.Board, "\n"), want)
				}
			}
		}
		res, over := st.Result()
		if over != s.Terminal || over && !res.Draw() != (s.Returns[0] != 0) {
			t.Fatalf("state %d: over %t %+v, want %t %v", i, over, res, s.Terminal, s.Returns)
		}
		if s.Player < 0 {
			continue
		}
		compared++
		var got, want []string
		for _, m := range st.Legal(nil) {
			got = append(got, r.FormatMove(m))
		}
		for _, l := range s.Legal {
			want = append(want, translate(l))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("state %d: legal %v, want %v", i, got, want)
		}
	}
	if compared < 30 {
		t.Errorf("only %d decisions compared", compared)
	}
}

func TestShuffleIsTheOneDescribed(t *testing.T) {
	r := open(t, "darkchess").(rules.Shuffler)
	// The same layout comes out in every order of flips.
	deal := func(seed byte, order []int) map[game.Point]int16 {
		d := r.Shuffle([32]byte{seed})
		st := open(t, "darkchess:noeat=0").New()
		out := map[game.Point]int16{}
		for _, sq := range order {
			at := game.Pt(sq%4, sq/4)
			if st.Check(game.FlipAt(at)) != nil {
				t.Fatalf("%v cannot be flipped in %s", at, st.Text())
			}
			if _, err := st.Apply(game.FlipAt(at), nil); err != nil {
				t.Fatal(err)
			}
			m, err := d.Deal(st)
			if err != nil {
				t.Fatal(err)
			}
			out[at] = m.Arg
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for seed := range byte(20) {
		a, b := deal(seed, rng.Perm(32)), deal(seed, rng.Perm(32))
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("seed %d gives %v and %v", seed, a, b)
		}
		seen[fmt.Sprint(a)] = true
	}
	if len(seen) != 20 {
		t.Errorf("20 seeds give %d layouts", len(seen))
	}
}

// Every piece is equally likely everywhere.
func TestShuffleIsFair(t *testing.T) {
	r := open(t, "darkchess").(rules.Shuffler)
	st := open(t, "darkchess").New()
	if _, err := st.Apply(game.FlipAt(game.Pt(1, 3)), nil); err != nil {
		t.Fatal(err)
	}
	const runs = 32_000
	var count [darkchess.Pieces]int
	for i := range runs {
		m, err := r.Shuffle([32]byte{byte(i), byte(i >> 8), 7}).Deal(st)
		if err != nil {
			t.Fatal(err)
		}
		count[m.Arg]++
	}
	for p, n := range count {
		want := runs / 32 * int(darkchess.FullSet[p])
		if n < want*85/100 || n > want*115/100 {
			t.Errorf("piece %c came %d times, expected about %d", darkchess.Letters[p], n, want)
		}
	}
}

// A dealer goes on where a game was taken up again, and deals what a set-up
// position has.
func TestShuffleFromTheMiddle(t *testing.T) {
	rs := open(t, "darkchess")
	seed := [32]byte{42}
	full := rs.(rules.Shuffler).Shuffle(seed)
	st := rs.New()
	deal := func(d rules.Dealer, st rules.State, x, y int) int16 {
		if _, err := st.Apply(game.FlipAt(game.Pt(x, y)), nil); err != nil {
			t.Fatal(err)
		}
		m, err := d.Deal(st)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Apply(m, nil); err != nil {
			t.Fatal(err)
		}
		return m.Arg
	}
	deal(full, st, 0, 0)
	deal(full, st, 3, 3)
	again := st.Clone()
	if a, b := deal(full, st, 2, 5), deal(rs.(rules.Shuffler).Shuffle(seed), again, 2, 5); a != b {
		t.Errorf("taken up again, the dealer deals %d instead of %d", b, a)
	}
	setup, err := rs.Position("XX--/----/----/----/----/----/----/K--k r hidden=Pp")
	if err != nil {
		t.Fatal(err)
	}
	d := rs.(rules.Shuffler).Shuffle(seed)
	a, b := deal(d, setup, 0, 0), deal(d, setup, 1, 0)
	if a+b != int16(darkchess.RedPawn+darkchess.BlackPawn) {
		t.Errorf("the set-up position deals %d and %d", a, b)
	}
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "darkchess")
	empty := "----/----/----/----/----/----/----/"
	for text, want := range map[string]string{
		"":                         "write eight rows",
		empty + "---- r":           "",
		"---- r":                   "1 rows instead of 8",
		empty + "--- r":            `row 1 "---" has 3 squares`,
		empty + "--Z- r":           "is not one of KGMRNCPkgmrncpX-",
		empty + "KK-- r":           "2 pieces K are face up",
		empty + "K--k x":           `colour "x" is not r, b or ?`,
		empty + "K--k ?":           "pieces are face up",
		empty + "---- ?":           "pieces must be face down",
		empty + "K-Xk r":           "say which with hidden=",
		empty + "K-Xk r hidden=K":  "2 pieces K are face up or down",
		empty + "K-Xk r hidden=Z":  "is not one of KGMRNCPkgmrncp",
		empty + "K--k r hidden=P":  "0 squares are face down, but 32 pieces less 2 face up and 29 taken leave 1",
		empty + "K--k r quiet=-1":  "not a number of plies",
		empty + "K--k r flip=a1":   "nothing is face down on a1",
		empty + "K--k r alive=1,2": "2 numbers instead of 14",
		empty + "K--k r alive=0,0,0,0,0,0,0,1,0,0,0,0,0,0": "from 1, those face up",
		empty + "K--k r wind=1":                            "known are first hidden alive quiet flip",
	} {
		_, err := r.Position(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	alive, err := r.Position(empty + "K-Xk red alive=1,0,0,0,0,0,1,1,0,0,0,0,0,0")
	if err != nil || alive.Text() != empty+"K-Xk r hidden=P" {
		t.Errorf("alive= is read as %v, %v", alive, err)
	}
}

func TestOptionsThatDoNotExist(t *testing.T) {
	for _, spec := range []string{"darkchess:repetition=1", "darkchess:repetition=16", "darkchess:noeat=-1", "darkchess:repetition=1,repetitiondef=position,occurrences=n"} {
		if _, err := rules.Open([]rules.Game{darkchess.Game()}, spec); err == nil {
			t.Errorf("%s is accepted", spec)
		}
	}
	if got := open(t, "darkchess").Spec(); got != "darkchess:noeat=180,repetition=3" {
		t.Errorf("the canonical specification is %s", got)
	}
}

func FuzzPosition(f *testing.F) {
	r := open(f, "darkchess")
	f.Add(r.New().Text())
	f.Add("XX--/----/----/----/----/----/----/K--k b first=r hidden=Pp quiet=3 flip=a8")
	f.Add("C-k-/----/c---/----/P---/----/p--r/---- r alive=0,0,0,0,0,1,1,1,0,0,1,0,1,1")
	f.Fuzz(func(t *testing.T, text string) {
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		if st.Turn().Seat.IsPlayer() {
			if n, want := st.(rules.Perfter).Perft(2), (rules.Counter{NoChance: true}).Count(st, 2); n != want {
				t.Fatalf("%q: %d turns, want %d", text, n, want)
			}
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "darkchess"), []string{"b5-b6", "B7-b7", "b7(M)", "a0-a0", "b7(X)", "b7()", "-"}, nil)
}

func BenchmarkPerft(b *testing.B) {
	st, err := open(b, "darkchess").Position("K--k/GG-g/MMgm/RRmr/NNrn/CCnc/PPcp/PPPp r")
	if err != nil {
		b.Fatal(err)
	}
	var n uint64
	for b.Loop() {
		n += st.(rules.Perfter).Perft(6)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}

func BenchmarkPlayout(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	rs := open(b, "darkchess")
	start := rs.New()
	var moves [128]game.Move
	var outcomes [16]rules.Outcome
	var notices [1]game.Notice
	plies := 0
	b.ReportAllocs()
	for b.Loop() {
		st := start.Clone()
		for st.Turn().Seat != game.Nobody {
			if st.Turn().Seat == game.Dealer {
				list := st.(rules.Chance).Outcomes(outcomes[:0])
				_, _ = st.Apply(list[rng.IntN(len(list))].Move, notices[:0])
				continue
			}
			list := st.Legal(moves[:0])
			_, _ = st.Apply(list[rng.IntN(len(list))], notices[:0])
			plies++
		}
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

func TestHideTakesBackReveal(t *testing.T) {
	start := darkchess.StartBoard()
	for piece := range uint8(darkchess.Pieces) {
		b := start
		b.Reveal(5, piece)
		if b.Hide(5); b != start {
			t.Errorf("%c was turned over and back: %+v", darkchess.Letters[piece], b)
		}
	}
}
