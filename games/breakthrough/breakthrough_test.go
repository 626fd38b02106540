package breakthrough_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/breakthrough"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(breakthrough.Game())

func position(t testing.TB, text string) rules.State {
	t.Helper()
	r := open(t, "breakthrough")
	if text == "" {
		return r.New()
	}
	st, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestConformance(t *testing.T) { rulestest.Run(t, breakthrough.Game()) }

// plain is a second set of rules: letters in rows, walked square by square.
type plain struct {
	rows [8][8]byte
	side byte
}

func newPlain(text string) *plain {
	f := strings.Fields(text)
	p := &plain{side: f[1][0]}
	for y, row := range strings.Split(f[0], "/") {
		x := 0
		for _, c := range []byte(row) {
			if c >= '1' && c <= '8' {
				x += int(c - '0')
				continue
			}
			p.rows[y][x] = c
			x++
		}
	}
	return p
}

// winner is the letter of the side that has won, 0 if none has.
func (p *plain) winner() byte {
	men := map[byte]int{}
	for y := range 8 {
		for x := range 8 {
			switch c := p.rows[y][x]; {
			case c == 'P' && y == 0, c == 'p' && y == 7:
				return c
			default:
				men[c]++
			}
		}
	}
	switch {
	case men['p'] == 0:
		return 'P'
	case men['P'] == 0:
		return 'p'
	}
	return 0
}

func (p *plain) moves() (list []string) {
	own, up := byte('P'), -1
	if p.side == 'b' {
		own, up = 'p', 1
	}
	for y := range 8 {
		for x := range 8 {
			for dx := -1; dx <= 1; dx++ {
				tx, ty := x+dx, y+up
				if p.rows[y][x] != own || tx < 0 || tx > 7 || ty < 0 || ty > 7 {
					continue
				}
				if c := p.rows[ty][tx]; c == 0 || dx != 0 && c != own {
					list = append(list, string([]byte{byte('a' + x), byte('8' - y), byte('a' + tx), byte('8' - ty)}))
				}
			}
		}
	}
	return list
}

func (p *plain) play(m string) plain {
	c := *p
	c.rows['8'-m[3]][m[2]-'a'] = c.rows['8'-m[1]][m[0]-'a']
	c.rows['8'-m[1]][m[0]-'a'] = 0
	c.side = 'w' + 'b' - p.side
	return c
}

func (p *plain) perft(depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case p.winner() != 0:
		return 0
	}
	var n uint64
	for _, m := range p.moves() {
		next := p.play(m)
		n += next.perft(depth - 1)
	}
	return n
}

// The counts of the data file by the second rules.
func TestPerftOfPlainRules(t *testing.T) {
	list, _, err := rulestest.ReadCounts("testdata/perft.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Leaves > 200_000 && testing.Short() {
			continue
		}
		st := position(t, c.Position)
		if got := newPlain(st.Text()).perft(c.Depth); got != c.Leaves {
			t.Errorf("%s, depth %d: %d instead of %d", c.Position, c.Depth, got, c.Leaves)
		}
	}
}

// The second rules agree in every position of random games: the moves, the verdict about
// each pair of squares, the winner. A side that has men always has a move.
func TestAgainstPlainRules(t *testing.T) {
	r := open(t, "breakthrough")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		st := r.New()
		for st.Turn().Seat != game.Nobody {
			compare(t, r, st)
			list := st.Legal(nil)
			if len(list) == 0 {
				t.Fatalf("%s: no move", st.Text())
			}
			m := list[rng.IntN(len(list))]
			// Many captures, so that games end by them too.
			v := st.View(game.Public)
			for range 3 {
				if v.At(m.To).Piece == 0 {
					m = list[rng.IntN(len(list))]
				}
			}
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
		res, _ := st.Result()
		if want := "Pp"[res.Winner()]; newPlain(st.Text()).winner() != want {
			t.Fatalf("%s: %s has won", st.Text(), res.Winner())
		}
	}
}

func compare(t *testing.T, r rules.Rules, st rules.State) {
	t.Helper()
	want := newPlain(st.Text()).moves()
	var got []string
	for _, m := range st.Legal(nil) {
		got = append(got, r.FormatMove(m))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: moves %v, want %v", st.Text(), got, want)
	}
	for from := range 64 {
		for to := range 64 {
			m := game.ShiftTo(game.Pt(from%8, from/8), game.Pt(to%8, to/8))
			if _, legal := slices.BinarySearch(want, r.FormatMove(m)); legal != (st.Check(m) == nil) {
				t.Fatalf("%s: %s is legal %t, but %v", st.Text(), r.FormatMove(m), legal, st.Check(m))
			}
		}
	}
}

func TestScenes(t *testing.T) {
	for _, tt := range []struct{ name, position, moves, want string }{
		{"straight onto the last row", "8/3P4/8/8/8/8/3p4/8 w", "d7d8", "first goal"},
		{"a capture onto the last row", "4p3/3P4/8/8/8/8/3p4/8 w", "d7e8", "first goal"},
		{"down", "8/3P4/8/8/8/8/3p4/8 b", "d2c1", "second goal"},
		{"the last man", "8/8/8/3p4/2P5/8/8/8 w", "c4d5", "first taken"},
		{"a capture need not be made", "8/8/8/3p4/2P5/8/8/8 w", "c4c5", "open"},
		{"no capture straight ahead", "8/8/8/2p5/2P5/8/8/8 w", "c4c5", "a man takes diagonally only"},
		{"not aside", "8/8/8/2p5/2P5/8/8/8 w", "c4d4", "one step forward"},
		{"not back", "8/8/8/2p5/2P5/8/8/8 w", "c4c3", "one step forward"},
		{"not onto an own man", "8/8/8/2P5/2P5/8/8/p7 w", "c4c5", "over"},
		{"own man ahead", "p7/8/8/2P5/2P5/8/8/8 w", "c4c5", "same side"},
		{"no man there", "p7/8/8/2P5/2P5/8/8/8 w", "a1a2", "no man"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, "breakthrough")
			st := position(t, tt.position)
			got := ""
			for text := range strings.FieldsSeq(tt.moves) {
				m, err := r.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				if _, err = st.Apply(m, nil); err != nil {
					got = err.Error()
				}
			}
			if res, over := st.Result(); got == "" && over {
				got = res.Winner().String() + " " + string(res.Reason)
			} else if got == "" {
				got = "open"
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// A game of 89 plies, published with the counts.
func TestSampleGame(t *testing.T) {
	const line = `b2b3 f7g6 d2c3 h7h6 e1d2 e7f6 e2f3 c7b6 g2g3 g6h5 d1e2 b7c6 f1g2 d8e7 c3d4 b6a5 a2a3
		a5a4 g2h3 f6f5 g3g4 e7e6 b3b4 a7a6 f2e3 a8b7 b4c5 f5g4 e3e4 g4g3 h2g3 c6d5 g3h4 e6f5 e4f5 d5e4 d4d5 b7c6
		e2e3 d7e6 d5e6 b8a7 h1h2 g7f6 c2c3 e8e7 g1f2 f8f7 b1b2 e4f3 h3g4 c6b5 e3e4 h8h7 a3b4 c8b7 c3d4 a6a5 b2b3
		a7a6 a1a2 f7g6 d2c3 h5g4 c5c6 f6e5 a2a3 b7b6 d4c5 e5d4 e4e5 g4g3 c5b6 g6g5 b6b7 g8f7 f2e3 g5h4 f5g6 f3f2
		h2g3 h6g5 e5f6 h7h6 c6c7 b5c4 c1c2 a6b5 c7b8`
	r := open(t, "breakthrough")
	st := r.New()
	for i, text := range strings.Fields(line) {
		m, err := r.ParseMove(text)
		if err == nil {
			_, err = st.Apply(m, nil)
		}
		if err != nil {
			t.Fatalf("ply %d: %v", i+1, err)
		}
	}
	if res, over := st.Result(); !over || res.Winner() != game.First || res.Reason != breakthrough.Goal {
		t.Errorf("%v %+v", over, res)
	}
}

func TestTexts(t *testing.T) {
	r := open(t, "breakthrough")
	want, _ := r.ParseMove("a2b3")
	for _, text := range []string{"a2-b3", "A2xB3", " a2b3* ", "a2b3"} {
		if m, err := r.ParseMove(text); err != nil || m != want {
			t.Errorf("%s: %v %v", text, m, err)
		}
	}
	for text, part := range map[string]string{
		"a2": "write from and to", "a2b": "write from and to", "a2b33": "write from and to", "a9b3": "no row 9", "i2b3": "column i",
	} {
		if _, err := r.ParseMove(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if got := position(t, "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1").Text(); got != r.New().Text() {
		t.Errorf("a FEN is read as %s", got)
	}
	for text, part := range map[string]string{
		"8/8/8/8/8/8/8/8 w": "no men", "8/8 w": "2 rows", "x7/8/8/8/8/8/8/P6p w": "row 8", "9/8/8/8/8/8/8/P6p w": "not one of",
		"P8/8/8/8/8/8/8/p7 w": "9 squares", "P6/8/8/8/8/8/8/8 w": "7 squares", "P7/8/8/8/8/8/8/p7 w": "both sides",
		"8/8/8/P7/8/8/8/8 x": "side", "8/8/8/P7/8/8/8/8": "write eight rows", "8/8/PPPPPPPP/PPPPPPPP/P7/8/8/8 w": "17 white men",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzMove(f *testing.F) {
	r, err := rules.Open([]rules.Game{breakthrough.Game()}, "breakthrough")
	if err != nil {
		f.Fatal(err)
	}
	rulestest.FuzzMoves(f, r, []string{"a2b3", "a2-b3", "h7xg6", "", "a2b3*"}, func(*testing.T, string, game.Move) {})
}

func FuzzPosition(f *testing.F) {
	r, err := rules.Open([]rules.Game{breakthrough.Game()}, "breakthrough")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w", "8/P6p/8/8/8/8/p6P/8 b 0 1", "8 w"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if st, err := r.Position(text); err == nil {
			rulestest.Reread(t, r, st)
		}
	})
}
