package amazons_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(amazons.Game())

func TestConformance(t *testing.T) { rulestest.Run(t, amazons.Game()) }

// testdata/vectors.txt: one scene per line, "spec | position | moves | what",
// where what is "illegal", "open", or the seat that has won. Moves are separated
// by blanks, a position left out is the initial one.
func TestVectors(t *testing.T) {
	for n, c := range rulestest.Rows(t, "testdata/vectors.txt", 4) {
		if got, err := scene(t, c[0], c[1], strings.Fields(c[2])); got != c[3] {
			t.Errorf("line %d: %q: %s instead of %s (%v)", n, c, got, c[3], err)
		}
	}
}

// scene plays moves; the last may be illegal.
func scene(t *testing.T, spec, position string, moves []string) (string, error) {
	t.Helper()
	st, err := rulestest.Scene(t, open(t, spec), position, moves)
	if err != nil {
		return "illegal", err
	}
	if res, over := st.Result(); over {
		return res.Winner().String(), nil
	}
	return "open", nil
}

// The play-through of another referee: every printed board and every list of
// choices (amazon, destination, shot).
func TestOpenSpiel(t *testing.T) {
	states := rulestest.ReadSpiel(t, shared.Path(t, "data/openspiel/amazons.txt"))
	r := open(t, "amazons")
	st := r.New()
	var from string
	compared := 0
	for i, s := range states {
		word, at, _ := strings.Cut(strings.TrimLeft(s.Action, "XO "), " ")
		switch word {
		case "From":
			from = spielPoint(t, at)
		case "To", "Shoot:":
			text := "/" + spielPoint(t, at)
			if word == "To" {
				text = from + "-" + spielPoint(t, at)
				from = ""
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
		compared++
		board, _, _ := strings.Cut(st.Text(), " ")
		if from != "" { // the amazon in the hand is not on their board
			m, _ := r.ParseMove(from + "-" + from)
			b := []byte(board)
			b[int(m.From.Y)*11+int(m.From.X)] = '.'
			board = string(b)
		}
		want := strings.NewReplacer("X", "b", "O", "w").Replace(strings.Join(s.Board, "/"))
		if board != strings.TrimSuffix(want, "/") {
			t.Fatalf("state %d: board %s, want %s", i, board, want)
		}
		if got := spielLegal(r, st, from); !s.Terminal && !slices.Equal(got, spielWant(t, s.Legal)) {
			t.Errorf("state %d: choices %v, want %v", i, got, s.Legal)
		}
		res, over := st.Result()
		if over != s.Terminal || over && (res.Points[0] == 1) != (s.Returns[0] == 1) {
			t.Errorf("state %d: result %+v, want %v %v", i, res, s.Terminal, s.Returns)
		}
	}
	if compared < 20 {
		t.Errorf("only %d states compared", compared)
	}
}

func spielPoint(t *testing.T, at string) string {
	t.Helper()
	var row, col int
	if _, err := fmt.Sscanf(at, "(%d, %d)", &row, &col); err != nil {
		t.Fatalf("%q: %v", at, err)
	}
	return fmt.Sprintf("%c%d", 'a'+col-1, 11-row)
}

func spielWant(t *testing.T, legal []string) []string {
	t.Helper()
	var list []string
	for _, l := range legal {
		_, at, _ := strings.Cut(l, "(")
		list = append(list, spielPoint(t, "("+at))
	}
	slices.Sort(list)
	return list
}

// spielLegal lists the amazons that can move, or the destinations of the one that
// was chosen, or the shots.
func spielLegal(r rules.Rules, st rules.State, from string) []string {
	var list []string
	for _, m := range st.Legal(nil) {
		a, b, _ := strings.Cut(r.FormatMove(m), "-")
		switch {
		case m.Op == game.Shoot:
			list = append(list, a[1:])
		case from == "":
			list = append(list, a)
		case a == from:
			list = append(list, b)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A second generator, written without tables, agrees with the board at random
// positions: shifts, shots, counts and both rulings.
func TestAgainstPlainGenerator(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, spec := range []string{"amazons", "amazons:rulings=sau"} {
		rs := open(t, spec)
		for range 6 {
			st := rs.New()
			for st.Turn().Seat != game.Nobody {
				plain := newPlain(st.Text())
				got := st.Legal(nil)
				var turns int
				if st.Turn().Phase == amazons.PhaseShift {
					want := plain.shifts()
					turns = plain.turns()
					if !sameMoves(got, want) {
						t.Fatalf("%s: shifts %v, want %v", st.Text(), got, want)
					}
				} else {
					want := plain.shots(plain.shooter)
					turns = len(want)
					if !sameMoves(got, want) {
						t.Fatalf("%s: shots %v, want %v", st.Text(), got, want)
					}
				}
				if n := st.(rules.Perfter).Perft(1); n != uint64(turns) {
					t.Fatalf("%s: %d turns, want %d", st.Text(), n, turns)
				}
				if _, err := st.Apply(got[r.IntN(len(got))], nil); err != nil {
					t.Fatal(err)
				}
			}
			res, _ := st.Result()
			plain := newPlain(st.Text())
			if want := plain.winner(spec != "amazons"); res.Winner() != want {
				t.Fatalf("%s: winner %v, want %v", st.Text(), res.Winner(), want)
			}
		}
	}
}

func sameMoves(a, b []game.Move) bool {
	key := func(m game.Move) string { return fmt.Sprint(m) }
	cmp := func(a, b game.Move) int { return strings.Compare(key(a), key(b)) }
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, cmp)
	slices.SortFunc(b, cmp)
	return slices.Equal(a, b)
}

type plain struct {
	cell    [10][10]byte
	own     byte
	shooter game.Point
}

func newPlain(text string) *plain {
	f := strings.Fields(text)
	p := &plain{own: f[1][0]}
	for y, row := range strings.Split(f[0], "/") {
		copy(p.cell[y][:], row)
	}
	if len(f) == 3 {
		var row int
		_, _ = fmt.Sscanf(f[2][1:], "%d", &row)
		p.shooter = game.Pt(int(f[2][0]-'a'), 10-row)
	}
	return p
}

func (p *plain) queen(from game.Point, f func(to game.Point)) {
	for _, d := range [][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}} {
		for k := 1; ; k++ {
			to := game.Pt(int(from.X)+k*d[0], int(from.Y)+k*d[1])
			if !to.On(10, 10) || p.cell[to.Y][to.X] != '.' {
				break
			}
			f(to)
		}
	}
}

func (p *plain) each(own byte, f func(from game.Point)) {
	for y := range 10 {
		for x := range 10 {
			if p.cell[y][x] == own {
				f(game.Pt(x, y))
			}
		}
	}
}

func (p *plain) shifts() (list []game.Move) {
	p.each(p.own, func(from game.Point) {
		p.queen(from, func(to game.Point) { list = append(list, game.ShiftTo(from, to)) })
	})
	return list
}

func (p *plain) shots(at game.Point) (list []game.Move) {
	p.queen(at, func(to game.Point) { list = append(list, game.ShootAt(to)) })
	return list
}

func (p *plain) turns() (n int) {
	for _, m := range p.shifts() {
		p.cell[m.From.Y][m.From.X], p.cell[m.To.Y][m.To.X] = '.', p.own
		n += len(p.shots(m.To))
		p.cell[m.From.Y][m.From.X], p.cell[m.To.Y][m.To.X] = p.own, '.'
	}
	return n
}

func (p *plain) boxed(own byte) bool {
	boxed := true
	p.each(own, func(from game.Point) { p.queen(from, func(game.Point) { boxed = false }) })
	return boxed
}

func (p *plain) winner(sau bool) game.Seat {
	switch {
	case sau && p.boxed('w'), !sau && p.own == 'w' && p.boxed('w'):
		return game.First
	case sau && p.boxed('b'), !sau && p.own == 'b' && p.boxed('b'):
		return game.Second
	}
	return game.Nobody
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "amazons")
	start, _, _ := strings.Cut(r.New().Text(), " ")
	for text, want := range map[string]string{
		"":              "write ten rows",
		start:           "write ten rows",
		start + " x":    `"x" is neither b nor w`,
		start + " b a1": "no amazon of the side to move on a1",
		start + " b k1": "on the 10x10 board",
		"10/10 b":       "2 rows instead of 10",
		strings.Replace(start, "b", "q", 1) + " b":                   "is not one of b w # .",
		strings.Replace(start, "..........", "9", 1) + " b":          "9 squares instead of 10",
		strings.Replace(start, "..........", "10.", 1) + " b":        "more than 10 squares",
		strings.Replace(start, "..........", ".b........", 1) + " b": "more than 4 amazons",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	// Numbers are read as runs.
	short := "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b"
	if st, err := r.Position(short); err != nil || st.Text() != r.New().Text() {
		t.Errorf("%s is read as %v, %v", short, st, err)
	}
}

func FuzzPosition(f *testing.F) {
	r := open(f, "amazons")
	f.Add(r.New().Text())
	f.Add("10/10/10/10/10/10/10/10/10/bw8 w")
	f.Add("10/10/10/10/10/10/10/10/10/bw8 w b1")
	f.Fuzz(func(t *testing.T, text string) {
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		if n := st.(rules.Perfter).Perft(1); n != rules.Perft(st, 1) {
			t.Fatalf("%q: %d turns", text, n)
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "amazons"), []string{"d1-d7", "/g7", "A10-j1", "-", "/", "a1-"}, nil)
}
