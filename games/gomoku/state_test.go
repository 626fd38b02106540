package gomoku_test

import (
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(gomoku.Game())

func position(t testing.TB, r rules.Rules, text string) *gomoku.State {
	t.Helper()
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*gomoku.State)
}

// The table of swap2: who has which colour and who is next on every path.
func TestSwap2Paths(t *testing.T) {
	const first, second = game.First, game.Second
	r := open(t, "gomoku:opening=swap2")
	for _, c := range []struct {
		text  string
		turn  game.Turn
		black game.Seat
		legal int
	}{
		{"-", game.Turn{Seat: first, Step: 0, Phase: "open"}, first, 225},
		{"h8", game.Turn{Seat: first, Step: 1, Phase: "open"}, first, 224},
		{"h8i9", game.Turn{Seat: first, Step: 2, Phase: "open"}, first, 223},
		{"h8i9g7", game.Turn{Seat: second, Step: 0, Phase: "choose"}, first, 3},
		{"h8i9g7 swap", game.Turn{Seat: first, Step: 0, Phase: "place"}, second, 222},
		{"h8i9g7 swap a1", game.Turn{Seat: second, Step: 0, Phase: "place"}, second, 221},
		{"h8i9g7 stay", game.Turn{Seat: second, Step: 1, Phase: "place"}, first, 222},
		{"h8i9g7 stay a1", game.Turn{Seat: first, Step: 0, Phase: "place"}, first, 221},
		{"h8i9g7 two", game.Turn{Seat: second, Step: 1, Phase: "open"}, first, 222},
		{"h8i9g7 two a1", game.Turn{Seat: second, Step: 2, Phase: "open"}, first, 221},
		{"h8i9g7 two a1b1", game.Turn{Seat: first, Step: 0, Phase: "choose"}, second, 2},
		{"h8i9g7 two a1b1 swap", game.Turn{Seat: second, Step: 0, Phase: "place"}, first, 220},
		{"h8i9g7 two a1b1 swap c1", game.Turn{Seat: first, Step: 0, Phase: "place"}, first, 219},
		{"h8i9g7 two a1b1 stay", game.Turn{Seat: first, Step: 1, Phase: "place"}, second, 220},
		{"h8i9g7 two a1b1 stay c1", game.Turn{Seat: second, Step: 0, Phase: "place"}, second, 219},
	} {
		s := position(t, r, c.text)
		want := [2]game.Colour{game.Black, game.White}
		if c.black == second {
			want = [2]game.Colour{game.White, game.Black}
		}
		if s.Turn() != c.turn || s.Colours() != want || s.View(game.Public).Colours != want {
			t.Errorf("%s: turn %+v, colours %v; want %+v, %v", c.text, s.Turn(), s.Colours(), c.turn, want)
		}
		if n := len(s.Legal(nil)); n != c.legal {
			t.Errorf("%s: %d legal decisions instead of %d", c.text, n, c.legal)
		}
		if s.Text() != c.text {
			t.Errorf("%s is written as %s", c.text, s.Text())
		}
	}
}

func TestSwap2Refusals(t *testing.T) {
	r := open(t, "gomoku:opening=swap2")
	for _, c := range []struct {
		text string
		move game.Move
		want string
	}{
		{"h8", game.PlaceAt(game.Pt(7, 7)), "h8 is occupied"},
		{"h8", game.ChooseArg(game.Swap2Swap), "a stone is due"},
		{"h8i9g7", game.PlaceAt(game.Pt(0, 0)), "a choice of colour is due"},
		{"h8i9g7", game.ChooseArg(3), "a choice of colour is due"},
		{"h8i9g7 two", game.ChooseArg(game.Swap2Stay), "a stone is due"},
		{"h8i9g7 two a1", game.PlaceAt(game.Pt(0, 0)), "a1 is occupied"},
		{"h8i9g7 two a1b1", game.ChooseArg(game.Swap2More), "two more stones are not offered"},
		{"h8i9g7 stay", game.PassMove(), "does not exist"},
	} {
		s := position(t, r, c.text)
		if err := s.Check(c.move); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.text, c.move, err, c.want)
		}
	}
}

// A win counts for the seat that has the colour, also after a swap.
func TestSwap2Winner(t *testing.T) {
	r := open(t, "gomoku:opening=swap2")
	for text, want := range map[string]game.Seat{
		"a1a2b1 swap b2c1c2d1d2e1":         game.Second,
		"a1a2b1 stay b2c1c2d1d2e1":         game.First,
		"a1a2b1 two b2c1 swap c2d1d2e1":    game.First,
		"a1a2b1 two b2c1 stay c2d1d2e1":    game.Second,
		"a1a2o15 swap b2c1c2d1d2o1e2":      game.First,
		"a1a2o15 two b2c1 stay c2d1d2o1e2": game.First,
	} {
		s := position(t, r, text)
		if res, over := s.Result(); !over || res.Winner() != want || res.Reason != gomoku.ByFive {
			t.Errorf("%s: over %t, %+v; want %s", text, over, res, want)
		}
	}
}

// The stones of a scored line die: they do not extend another line, and an
// opposing dead stone does not close one in caro.
func TestContinuous(t *testing.T) {
	s := position(t, open(t, "gomoku:continuous=true"), "a1a3b1b3c1c3d1d3")
	notices, err := s.Apply(game.PlaceAt(game.Pt(4, 0)), nil)
	if err != nil || len(notices) != 2 {
		t.Fatal(notices, err)
	}
	n := notices[1]
	if n.Kind != game.Scored || n.By != game.First || n.Count != 1 || !slices.Equal(n.Points,
		[]game.Point{game.Pt(0, 0), game.Pt(1, 0), game.Pt(2, 0), game.Pt(3, 0), game.Pt(4, 0)}) {
		t.Errorf("the line is told as %+v", n)
	}
	v := s.View(game.Public)
	if v.Score != [2]float64{1, 0} || !v.HasScore || v.At(game.Pt(2, 0)).Piece != 'b' || v.At(game.Pt(2, 0)).Owner != game.First {
		t.Errorf("view %+v", v)
	}
	for _, p := range []game.Point{game.Pt(14, 14), game.Pt(5, 0)} { // f1 beside five dead ones
		if n, err := s.Apply(game.PlaceAt(p), nil); err != nil || len(n) != 1 {
			t.Errorf("%v: %v %v", p, n, err)
		}
	}
	if _, over := s.Result(); over {
		t.Error("the game ended by a line")
	}
}

func TestContinuousCaro(t *testing.T) {
	r := open(t, "gomoku:rule=caro,continuous=true,size=7")
	// White at both ends: closed. One of them dead: not closed.
	for left, want := range map[string]float64{"O": 0, "o": 1} {
		s := position(t, r, left+".XXXXO/......./......./......./......./......./....... black 0:0")
		if _, err := s.Apply(game.PlaceAt(game.Pt(1, 0)), nil); err != nil {
			t.Fatal(err)
		}
		if got := s.View(game.Public).Score[0]; got != want {
			t.Errorf("%s at the end: %v lines, want %v", left, got, want)
		}
	}
}

// One stone that completes two lines scores both.
func TestContinuousTwoLines(t *testing.T) {
	s := position(t, open(t, "gomoku:continuous=true,size=5"), ".XXXX/X...O/X.O../X...O/X.O.. black 1:0")
	n, err := s.Apply(game.PlaceAt(game.Pt(0, 0)), nil)
	if err != nil || len(n) != 3 {
		t.Fatal(n, err)
	}
	if v := s.View(game.Public); v.Score != [2]float64{3, 0} || v.At(game.Pt(4, 0)).Piece != 'b' || v.At(game.Pt(0, 4)).Piece != 'b' {
		t.Errorf("view %+v", v)
	}
}

func TestContinuousFoul(t *testing.T) {
	r := open(t, "gomoku:rule=renju,continuous=true,size=15")
	s := position(t, r, "f8a1g8a3h6a5h7a7")
	n, err := s.Apply(game.PlaceAt(game.Pt(7, 7)), nil)
	if err != nil || len(n) != 2 || n[1].Count != 0 || !slices.Equal(n[1].Points, []game.Point{game.Pt(7, 7)}) {
		t.Fatal(n, err)
	}
	v := s.View(game.Public)
	if v.At(game.Pt(7, 7)).Piece != 'b' || v.Score != [2]float64{} || v.Result != nil {
		t.Errorf("view %+v", v)
	}
}

func TestContinuousEnd(t *testing.T) {
	r := open(t, "gomoku:continuous=true,size=5")
	s := position(t, r, "xxxxx/OOXOO/XXOXX/OOXOO/XOOX. black 1:0")
	if _, err := s.Apply(game.PlaceAt(game.Pt(4, 4)), nil); err != nil {
		t.Fatal(err)
	}
	res, over := s.Result()
	if !over || res.Reason != gomoku.ByFull || res.Winner() != game.First || !res.HasBoard || res.Board != [2]float64{1, 0} {
		t.Errorf("over %t, %+v", over, res)
	}
}

func TestDrawEmpty(t *testing.T) {
	r := open(t, "gomoku:size=6,drawempty=25")
	s := r.New()
	for i := range 11 {
		if _, over := s.Result(); over {
			t.Fatalf("over after %d stones", i)
		}
		if _, err := s.Apply(game.PlaceAt(game.Pt(i*2%6, i/3)), nil); err != nil {
			t.Fatal(err)
		}
	}
	res, over := s.Result()
	if !over || !res.Draw() || res.Reason != gomoku.ByFull {
		t.Errorf("over %t, %+v", over, res)
	}
	for _, bad := range []string{"gomoku:size=5,drawempty=25", "gomoku:size=5,drawempty=19,opening=swap2", "gomoku:width=3", "gomoku:height=200"} {
		if _, err := rules.Open([]rules.Game{gomoku.Game()}, bad); err == nil {
			t.Errorf("%s was opened", bad)
		}
	}
}

func TestForbidden(t *testing.T) {
	s := position(t, open(t, "gomoku:rule=renju"), "f8a1g8a3h6a5h7a7")
	if got := gomoku.Forbidden(s); !slices.Equal(got, []game.Point{game.Pt(7, 7)}) {
		t.Errorf("forbidden: %v", got)
	}
	if notes := s.View(game.Public).Notes; len(notes) != 1 || notes[0].Text != "double three h8" || !slices.Equal(notes[0].Args, []string{"33", "h8"}) {
		t.Errorf("notes %q", notes)
	}
	if got := gomoku.Forbidden(position(t, open(t, "gomoku:rule=standard"), "f8a1g8a3h6a5h7a7")); got != nil {
		t.Errorf("forbidden without renju: %v", got)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		spec, point string
		w, h        int
		p           game.Point
	}{
		{"gomoku:size=127", "dw127", 127, 127, game.Pt(126, 126)},
		{"gomoku:size=27", "AA1", 27, 27, game.Pt(26, 0)},
		{"gomoku:size=53", "ba53", 53, 53, game.Pt(52, 52)},
		{"gomoku:width=20,height=5", "t5", 20, 5, game.Pt(19, 4)},
		{"gomoku:width=20", " T15 ", 20, 15, game.Pt(19, 14)},
	} {
		r := open(t, c.spec)
		d := r.Doc()
		m, err := r.ParseMove(c.point)
		if d.Width != c.w || d.Height != c.h || err != nil || m != game.PlaceAt(c.p) {
			t.Errorf("%s: %dx%d, %s is %v, %v", c.spec, d.Width, d.Height, c.point, m, err)
		}
		if got := r.FormatMove(m); got != strings.ToLower(strings.TrimSpace(c.point)) {
			t.Errorf("%s is written %s", c.point, got)
		}
		if v := r.New().View(game.Public); v.Columns[c.p.X]+v.Rows[c.p.Y] != r.FormatMove(m) {
			t.Errorf("labels of %s: %s %s", c.spec, v.Columns[c.p.X], v.Rows[c.p.Y])
		}
	}
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "gomoku:size=5")
	for text, want := range map[string]string{
		"a1a1":                                  "stone 2, a1: a1 is occupied",
		"a6":                                    "stone 1, a6: the point 0,5 lies outside",
		"a":                                     "neither X, O nor an empty point",
		"a1b":                                   "is not a point",
		"a1 swap":                               "a stone is due",
		"XXXXX/...../...../...../..... white":   "black has already a line through a1",
		"XX.../...../...../...../.....":         "do not tell who is to move",
		"XX.../...../...../.....":               "has 20 points",
		"XX.../...../...../...../.... black":    "has 4 points",
		"X..../...../...../...../..... black 1": "is not a point",
		"a1b1a2b2a3b3a4b4a5b5":                  "the game is over",
		"a999":                                  "beyond the largest board",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestDiagramForms(t *testing.T) {
	r := open(t, "gomoku:size=5")
	want := position(t, r, "X..../.O.../...../...../..... black")
	for _, text := range []string{
		"X....\n.O...\n.....\n.....\n.....",
		"X . . . .\n. O . . .\n. . . . .\n. . . . .\n. . . . .\n",
		"b----/-w---/-----/-----/----- b",
	} {
		if got := position(t, r, text); got.Text() != want.Text() || got.Hash() != want.Hash() {
			t.Errorf("%q is read as %s", text, got.Text())
		}
	}
	if h := position(t, r, "a1b2").Hash(); h != want.Hash() {
		t.Error("a diagram and the moves to it differ in their hash")
	}
	if s := position(t, r, want.Text()+" c3d4"); s.Text() != want.Text()+" c3d4" {
		t.Errorf("a diagram with moves is written %q", s.Text())
	}
}

// Perft agrees with a count by the slow judge, which knows nothing of the game.
func TestPerftBySlowJudge(t *testing.T) {
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		r := open(t, "gomoku:size=6,rule="+rule.String())
		s := position(t, r, "XXXX.X/..O.O./OOO..X/X.XX.X/.OOXO./O.OOO. black")
		b := newSlowBoard(6, 6)
		for y, row := range strings.Split("XXXX.X/..O.O./OOO..X/X.XX.X/.OOXO./O.OOO.", "/") {
			copy(b[y], row)
		}
		for depth := 1; depth <= 4; depth++ {
			if got, want := s.Perft(depth), slowPerft(b, rule.String(), 'X', depth); got != want {
				t.Errorf("%s depth %d: %d instead of %d", rule, depth, got, want)
			}
		}
	}
}

func slowPerft(b slowBoard, rule string, c byte, depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	for y := range b {
		for x := range b[y] {
			if b[y][x] != '.' {
				continue
			}
			over := rule == "renju" && c == 'X' && b.foul(xy{x, y}) != "legal"
			b[y][x] = c
			over = over || b.wins(rule, xy{x, y})
			if !over || depth == 1 {
				n += slowPerft(b, rule, 'X'+'O'-c, depth-1)
			}
			b[y][x] = '.'
		}
	}
	return n
}
