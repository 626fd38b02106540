package othello_test

import (
	"bufio"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

// rows reads a data file: lines of fields, without comments and empty lines.
func rows(t testing.TB, file, sep string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out [][]string
	for in := bufio.NewScanner(f); in.Scan(); {
		line := in.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, sep)
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		out = append(out, fields)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return out
}

func newRules(t testing.TB) rules.Rules {
	t.Helper()
	r, err := rules.Open([]rules.Game{othello.Game()}, "othello")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, text string) (othello.Board, game.Seat) {
	t.Helper()
	b, seat, err := othello.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return b, seat
}

func TestPerftConventions(t *testing.T) {
	count := map[string]func(othello.Board, int) uint64{
		"A": othello.Board.Perft, "B": perftBy(0, 1), "C": perftBy(1, 0),
	}
	for _, row := range rows(t, "conventions.txt", "|") {
		b, _ := parse(t, row[0])
		for i, want := range strings.Fields(row[2]) {
			depth := i + 1
			if testing.Short() && depth > 8 {
				break
			}
			if got := count[row[1]](b, depth); strconv.FormatUint(got, 10) != want {
				t.Errorf("%s: convention %s, depth %d: %d leaves, want %s", row[0], row[1], depth, got, want)
			}
		}
	}
}

func TestPositions(t *testing.T) {
	r := newRules(t)
	for _, row := range rows(t, "ffo.txt", "|") {
		s, err := r.Position(row[1])
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		if s.Text() != row[1] {
			t.Errorf("%s: %q became %q", row[0], row[1], s.Text())
		}
		b, _ := parse(t, row[1])
		if strconv.Itoa(b.Empties()) != row[2] {
			t.Errorf("%s: %d empty squares, want %s", row[0], b.Empties(), row[2])
		}
		for best := range strings.FieldsSeq(row[3]) {
			m, err := r.ParseMove(best)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(m); err != nil {
				t.Errorf("%s: best move %s: %v", row[0], best, err)
			}
		}
	}
}

func TestPositionTexts(t *testing.T) {
	r := newRules(t)
	for _, row := range rows(t, "texts.txt", "=>") {
		s, err := r.Position(row[0])
		part, bad := strings.CutPrefix(row[1], "!")
		switch {
		case bad && err == nil:
			t.Errorf("%q was read as %q, want an error", row[0], s.Text())
		case bad && !strings.Contains(err.Error(), strings.TrimSpace(part)):
			t.Errorf("%q: error %q, want one with %q", row[0], err, part)
		case !bad && err != nil:
			t.Error(err)
		case !bad && s.Text() != row[1]:
			t.Errorf("%q was read as %q, want %q", row[0], s.Text(), row[1])
		}
	}
}

func TestMoveTexts(t *testing.T) {
	good := map[string]string{
		"f5": "f5", "F5": "f5", "a1": "a1", "H8": "h8", "pa": "pa", "PA": "pa", "Pas": "pa", "PASS": "pa", "ps": "pa", "--": "pa",
	}
	for in, want := range good {
		m, err := othello.ParseMove(" " + in + "\t")
		if err != nil {
			t.Errorf("%q: %v", in, err)
		}
		if got := othello.FormatMove(m); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, in := range []string{"", "f", "f9", "f0", "i1", "z9", "f55", "5f", "p", "passs", "-", "f 5", "@1"} {
		if m, err := othello.ParseMove(in); err == nil {
			t.Errorf("%q was read as %v", in, m)
		}
	}
	for s := range othello.Squares {
		m := game.PlaceAt(othello.PointOf(s))
		back, err := othello.ParseMove(othello.FormatMove(m))
		if err != nil || back != m {
			t.Errorf("%v became %v, %v", m, back, err)
		}
	}
}

func TestEnds(t *testing.T) {
	r := newRules(t)
	for _, row := range rows(t, "ends.txt", "=>") {
		from, moves, _ := strings.Cut(row[0], "|")
		s := r.New()
		if from = strings.TrimSpace(from); from != "start" {
			var err error
			if s, err = r.Position(from); err != nil {
				t.Fatal(err)
			}
		}
		for text := range strings.FieldsSeq(moves) {
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatalf("%s: %s: %v", row[0], text, err)
			}
		}
		if got := outcome(s); got != row[1] {
			t.Errorf("%s: %q, want %q", row[0], got, row[1])
		}
	}
}

// outcome says who is to move, or how the game ended.
func outcome(s rules.State) string {
	res, over := s.Result()
	if !over {
		return s.Turn().Seat.String()
	}
	return string(res.Reason) + " " + strconv.FormatFloat(res.Board[0], 'f', -1, 64) + "-" + strconv.FormatFloat(res.Board[1], 'f', -1, 64)
}

// plain counts the discs between a square and the next own disc in all
// directions, with nothing but columns and rows.
func plain(b othello.Board, square int) uint64 {
	at := func(x, y int) int {
		if x < 0 || y < 0 || x > 7 || y > 7 {
			return 0
		}
		bit := uint64(1) << (8*y + x)
		switch {
		case b.Own&bit != 0:
			return 1
		case b.Opp&bit != 0:
			return -1
		}
		return 0
	}
	all := uint64(0)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			run := uint64(0)
			x, y := square%8+dx, square/8+dy
			for (dx != 0 || dy != 0) && at(x, y) < 0 {
				run |= 1 << (8*y + x)
				x, y = x+dx, y+dy
			}
			if at(x, y) > 0 && (dx != 0 || dy != 0) {
				all |= run
			}
		}
	}
	return all
}

func checkBoard(t *testing.T, b othello.Board) {
	t.Helper()
	moves := uint64(0)
	for e := b.Empty(); e != 0; e &= e - 1 {
		s := bits.TrailingZeros64(e)
		want := plain(b, s)
		if got := b.Flips(s); got != want {
			t.Fatalf("%s: flips of %d are %x, want %x", othello.FormatPosition(b, 0), s, got, want)
		}
		if want != 0 {
			moves |= 1 << s
		}
	}
	if got := b.Moves(); got != moves {
		t.Fatalf("%s: moves %x, want %x", othello.FormatPosition(b, 0), got, moves)
	}
}

func TestLastFlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 20_000 {
		sq := n % othello.Squares
		own := rng.Uint64() &^ (1 << sq)
		if rng.IntN(2) == 0 {
			own &= rng.Uint64()
		}
		b := othello.Board{Own: own, Opp: ^own &^ (1 << sq)}
		if got, want := othello.LastFlips(own, sq), bits.OnesCount64(plain(b, sq)); got != want {
			t.Fatalf("%s: %d flips, want %d", othello.FormatPosition(b, 0), got, want)
		}
	}
}

func TestBoardAgainstPlainRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 { // boards that no game can reach are good enough
		fill := rng.Uint64() | rng.Uint64()
		if rng.IntN(2) == 0 {
			fill |= rng.Uint64()
		}
		own := fill & rng.Uint64()
		if rng.IntN(2) == 0 {
			own &= rng.Uint64()
		}
		checkBoard(t, othello.Board{Own: own, Opp: fill &^ own})
	}
	checkBoard(t, othello.Start())
}

func TestScore(t *testing.T) {
	for _, c := range []struct {
		own, opp, want int
	}{{44, 8, 48}, {8, 44, -48}, {13, 0, 64}, {0, 13, -64}, {20, 20, 0}, {32, 32, 0}, {33, 31, 2}, {0, 0, 0}} {
		b := othello.Board{}
		for i := range c.own {
			b.Own |= 1 << i
		}
		for i := range c.opp {
			b.Opp |= 1 << (c.own + i)
		}
		if got := b.Score(); got != c.want {
			t.Errorf("%d-%d: %+d, want %+d", c.own, c.opp, got, c.want)
		}
	}
}

func TestCheckSaysWhy(t *testing.T) {
	r := newRules(t)
	s := r.New()
	for m, want := range map[game.Move]string{
		game.PlaceAt(game.Pt(3, 3)):                 "d4 is occupied",
		game.PlaceAt(game.Pt(0, 0)):                 "a1 flips nothing",
		game.PlaceAt(game.Pt(8, 0)):                 "not on the board",
		game.PassMove():                             "d3 can be played",
		game.ShiftTo(game.Pt(0, 0), game.Pt(3, 2)):  "no move of this game",
		{Op: game.Place, To: game.Pt(3, 2), Arg: 1}: "no move of this game",
		{}: "no move of this game",
	} {
		before := s.Text()
		notices, err := s.Apply(m, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", m, err, want)
		}
		if len(notices) > 0 || s.Text() != before {
			t.Errorf("%v changed the state", m)
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	b.ReportAllocs()
	leaves := uint64(0)
	for b.Loop() {
		leaves += othello.Start().Perft(9)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

func BenchmarkPlayout(b *testing.B) {
	b.ReportAllocs()
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRules(b)
	moves := make([]game.Move, 0, 64)
	notices := make([]game.Notice, 0, 4)
	start, ok := r.New().(*othello.State)
	if !ok {
		b.Fatal("unexpected state")
	}
	plies := 0
	var s othello.State
	for b.Loop() {
		s = *start
		for s.Turn().Seat != game.Nobody {
			moves = s.Legal(moves[:0])
			var err error
			if notices, err = s.Apply(moves[rng.IntN(len(moves))], notices[:0]); err != nil {
				b.Fatal(err)
			}
			plies++
		}
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

func FuzzPosition(f *testing.F) {
	f.Add("---------------------------OX------XO--------------------------- X")
	f.Add("........ ........ ........ ...ow... ___xb___ -------- -------- --------W;f5:+1")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		b, seat, err := othello.ParsePosition(text)
		if err != nil {
			return
		}
		if b.Own&b.Opp != 0 || !seat.IsPlayer() {
			t.Fatalf("%q: %+v, %v", text, b, seat)
		}
		line := othello.FormatPosition(b, seat)
		b2, seat2, err := othello.ParsePosition(line)
		if err != nil || b2 != b || seat2 != seat {
			t.Fatalf("%q: %q is read as %+v, %v, %v", text, line, b2, seat2, err)
		}
		checkBoard(t, b)
	})
}

func FuzzMove(f *testing.F) {
	r := rulestest.Opener(othello.Game())(f, "othello")
	rulestest.FuzzMoves(f, r, []string{"f5", "PASS", "--", "Z9", "ſ1"}, nil)
}

// perftBy returns what counts by another convention: how many plies a pass costs, and as how
// many leaves a game counts that ends earlier.
func perftBy(pass int, early uint64) func(b othello.Board, depth int) uint64 {
	var count func(b othello.Board, depth int) uint64
	count = func(b othello.Board, depth int) uint64 {
		if depth <= 0 {
			return 1
		}
		moves := b.Moves()
		if moves == 0 {
			if !b.Swap().HasMoves() {
				return early
			}
			return count(b.Swap(), depth-pass)
		}
		if depth == 1 {
			return uint64(bits.OnesCount64(moves))
		}
		n := uint64(0)
		for ; moves != 0; moves &= moves - 1 {
			s := bits.TrailingZeros64(moves)
			n += count(b.Play(s, b.Flips(s)), depth-1)
		}
		return n
	}
	return count
}
