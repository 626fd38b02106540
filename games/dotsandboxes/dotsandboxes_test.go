package dotsandboxes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/dotsandboxes"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(dotsandboxes.Game())

func TestConformance(t *testing.T) {
	rulestest.Run(t, dotsandboxes.Game(), rulestest.Variants(
		"dotsandboxes:size=1", "dotsandboxes:size=2", "dotsandboxes:size=3", "dotsandboxes:size=7",
	))
}

// testdata/turns.txt: see there.
func TestTurns(t *testing.T) {
	for n, c := range rulestest.Rows(t, "testdata/turns.txt", 3) {
		if got, err := play(open(t, c[0]), strings.Split(c[1], ";")); got != c[2] {
			t.Errorf("line %d: %q: %s instead of %s (%v)", n, c, got, c[2], err)
		}
	}
}

// play plays turns as the SAU protocol writes them; the last may be illegal.
func play(r rules.Rules, turns []string) (string, error) {
	st := r.New()
	for i, text := range turns {
		if err := playTurn(st, text); err != nil {
			if i < len(turns)-1 {
				return "illegal too soon", err
			}
			return "illegal", err
		}
	}
	res, over := st.Result()
	if !over {
		return "open", nil
	}
	winner := res.Winner().String()
	if res.Draw() {
		winner = "draw"
	}
	return fmt.Sprintf("%s %v-%v", winner, res.Board[0], res.Board[1]), nil
}

func playTurn(st rules.State, text string) error {
	number, lines, _ := strings.Cut(strings.TrimSpace(text), " ")
	if want := fmt.Sprint(len(lines) / 3); number != want {
		return fmt.Errorf("%s lines, but %s are written", number, want)
	}
	seat := st.Turn().Seat
	for ; lines != ""; lines = lines[3:] {
		if st.Turn().Seat != seat {
			return fmt.Errorf("the turn is over before %s", lines)
		}
		if _, err := st.Apply(sau(lines[:3]), nil); err != nil {
			return err
		}
	}
	if t := st.Turn(); t.Seat == seat {
		return fmt.Errorf("the turn must go on")
	}
	return nil
}

// sau reads three letters: A, row, column or B, column, row.
func sau(l string) game.Move {
	a, b := int(l[1]-'A'), int(l[2]-'A')
	switch l[0] {
	case 'A':
		return game.EdgeAt(game.Pt(b, a), false)
	case 'B':
		return game.EdgeAt(game.Pt(a, b), true)
	}
	return game.Move{}
}

// A record of a tournament engine: letters and numbers of dots, h and v.
func TestTournamentRecord(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "data/dotsandboxes/tack-record.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Game []struct{ Piece string }
	}
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	r := open(t, "dotsandboxes")
	st := r.New()
	for i, g := range record.Game {
		m, err := r.ParseMove(g.Piece[1:])
		if err != nil {
			t.Fatal(err)
		}
		if text := r.FormatMove(m); fmt.Sprintf("(%s,%s)", text[:2], text[2:]) != g.Piece[1:] {
			t.Errorf("%s is written %s", g.Piece, text)
		}
		if _, err := st.Apply(m, nil); err != nil {
			t.Fatalf("line %d, %s: %v", i+1, g.Piece, err)
		}
	}
	v := st.View(game.Public)
	if len(v.Lines) != 3 || v.Score != [2]float64{} || st.Turn().Seat != game.Second {
		t.Errorf("after the record: %+v", v)
	}
}

// The play-through of another referee on 2x2 boxes: legal lines, turn, boxes and
// result of every printed state.
func TestOpenSpiel(t *testing.T) {
	states := rulestest.ReadSpiel(t, shared.Path(t, "data/openspiel/dots_and_boxes.txt"))
	st := open(t, "dotsandboxes:size=2").New()
	compared := 0
	for i, s := range states {
		if s.Action != "" {
			if _, err := st.Apply(spielLine(t, s.Action), nil); err != nil {
				t.Fatalf("state %d, %s: %v", i, s.Action, err)
			}
		}
		if !s.Printed {
			continue
		}
		compared++
		var want []game.Move
		for _, l := range s.Legal {
			want = append(want, spielLine(t, l))
		}
		if got := st.Legal(nil); !sameMoves(got, want) {
			t.Errorf("state %d: legal %v, want %v", i, got, want)
		}
		res, over := st.Result()
		if over != s.Terminal || !over && int(st.Turn().Seat) != s.Player {
			t.Errorf("state %d: %+v on turn, over %t; want %d, %t", i, st.Turn(), over, s.Player, s.Terminal)
		}
		if over && 2*res.Points[0]-1 != s.Returns[0] {
			t.Errorf("state %d: result %+v, want %v", i, res, s.Returns)
		}
		first, second := 0, 0
		for _, row := range s.Board {
			first, second = first+strings.Count(row, "1"), second+strings.Count(row, "2")
		}
		if v := st.View(game.Public); v.Score != [2]float64{float64(first), float64(second)} {
			t.Errorf("state %d: score %v, want %d-%d", i, v.Score, first, second)
		}
	}
	if compared < 7 {
		t.Errorf("only %d states compared", compared)
	}
}

// spielLine reads "P1(h,0,1)": row, then column.
func spielLine(t *testing.T, text string) game.Move {
	t.Helper()
	var player, row, col int
	var way rune
	if _, err := fmt.Sscanf(text, "P%d(%c,%d,%d)", &player, &way, &row, &col); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return game.EdgeAt(game.Pt(col, row), way == 'v')
}

func sameMoves(a, b []game.Move) bool {
	cmp := func(a, b game.Move) int { return strings.Compare(a.String(), b.String()) }
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, cmp)
	slices.SortFunc(b, cmp)
	return slices.Equal(a, b)
}

// A second referee, written without sets of bits, agrees at every position of
// random games: legal lines, turn, owners, score and the number of turns.
func TestAgainstPlainReferee(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for size := 1; size <= dotsandboxes.MaxSize; size++ {
		rs := open(t, fmt.Sprintf("dotsandboxes:size=%d", size))
		games := 3
		if testing.Short() {
			games = 1
		}
		for range games {
			st, p := rs.New(), newPlain(size)
			for st.Turn().Seat != game.Nobody {
				legal := st.Legal(nil)
				if !sameMoves(legal, p.legal()) {
					t.Fatalf("%s: legal %v, want %v", st.Text(), legal, p.legal())
				}
				if turn := st.Turn(); int(turn.Seat) != p.seat || turn.Step != p.step || turn.Phase != dotsandboxes.PhaseLine {
					t.Fatalf("%s: turn %+v, want seat %d step %d", st.Text(), turn, p.seat, p.step)
				}
				comparePlain(t, st, p)
				m := legal[r.IntN(len(legal))]
				notices, err := st.Apply(m, nil)
				if err != nil {
					t.Fatal(err)
				}
				seat := game.Seat(p.seat)
				want := []game.Notice{{To: game.Public, Kind: game.Played, By: seat, Move: m}}
				if boxes := p.draw(m); len(boxes) > 0 {
					want = append(want, game.Notice{To: game.Public, Kind: game.Scored, By: seat, Points: boxes, Count: len(boxes)})
				}
				if fmt.Sprint(notices) != fmt.Sprint(want) {
					t.Fatalf("%s: notices %v, want %v", st.Text(), notices, want)
				}
			}
			res, _ := st.Result()
			if a, b := p.score(); res.Board != [2]float64{float64(a), float64(b)} || res.Points[0] > res.Points[1] != (a > b) || res.Draw() != (a == b) {
				t.Fatalf("%s: result %+v, want %d-%d", st.Text(), res, a, b)
			}
		}
	}
}

func comparePlain(t *testing.T, st rules.State, p *plain) {
	t.Helper()
	v := st.View(game.Public)
	for y := range p.size {
		for x := range p.size {
			at := game.Pt(x, y)
			want := game.Nobody
			if s, ok := p.owner[at]; ok {
				want = game.Seat(s)
			}
			if c := v.At(at); c.Owner != want || (c.Piece != 0) != (want != game.Nobody) {
				t.Fatalf("%s: box %v is %+v, want %v", st.Text(), at, c, want)
			}
		}
	}
	if a, b := p.score(); v.Score != [2]float64{float64(a), float64(b)} {
		t.Fatalf("%s: score %v, want %d-%d", st.Text(), v.Score, a, b)
	}
	for depth := 1; depth <= 2; depth++ {
		budget := 300
		want := p.turns(depth, &budget)
		if budget <= 0 {
			return
		}
		if got := st.(rules.Perfter).Perft(depth); got != uint64(want) {
			t.Fatalf("%s: %d turns to depth %d, want %d", st.Text(), got, depth, want)
		}
	}
}

// plain keeps the lines by both their ends.
type plain struct {
	size  int
	lines map[[2]game.Point]bool // whether it is drawn
	owner map[game.Point]int
	seat  int
	step  int
}

func newPlain(size int) *plain {
	p := &plain{size: size, lines: map[[2]game.Point]bool{}, owner: map[game.Point]int{}}
	for y := range size {
		for x := range size {
			for _, s := range sides(game.Pt(x, y)) {
				p.lines[s] = false
			}
		}
	}
	return p
}

// sides are the four lines around a box.
func sides(p game.Point) [4][2]game.Point {
	nw, ne := p, game.Point{X: p.X + 1, Y: p.Y}
	sw, se := game.Point{X: p.X, Y: p.Y + 1}, game.Point{X: p.X + 1, Y: p.Y + 1}
	return [4][2]game.Point{{nw, ne}, {sw, se}, {nw, sw}, {ne, se}}
}

func (p *plain) legal() (list []game.Move) {
	for l, drawn := range p.lines {
		if !drawn {
			list = append(list, game.EdgeAt(l[0], l[0].X == l[1].X))
		}
	}
	return list
}

// draw draws a line and returns the boxes that it closed, from the top left.
func (p *plain) draw(m game.Move) (boxes []game.Point) {
	to := game.Point{X: m.To.X + 1 - int8(m.Arg), Y: m.To.Y + int8(m.Arg)}
	p.lines[[2]game.Point{m.To, to}] = true
	for y := range p.size {
		for x := range p.size {
			at := game.Pt(x, y)
			_, owned := p.owner[at]
			closed := true
			for _, s := range sides(at) {
				closed = closed && p.lines[s]
			}
			if closed && !owned {
				p.owner[at] = p.seat
				boxes = append(boxes, at)
			}
		}
	}
	if p.step++; len(boxes) == 0 {
		p.seat, p.step = 1-p.seat, 0
	}
	return boxes
}

func (p *plain) undo(m game.Move, boxes []game.Point, seat, step int) {
	to := game.Point{X: m.To.X + 1 - int8(m.Arg), Y: m.To.Y + int8(m.Arg)}
	p.lines[[2]game.Point{m.To, to}] = false
	for _, b := range boxes {
		delete(p.owner, b)
	}
	p.seat, p.step = seat, step
}

func (p *plain) score() (first, second int) {
	for _, s := range p.owner {
		second += s
	}
	return len(p.owner) - second, second
}

// turns counts the leaves in turns, and gives up when the budget of lines is spent.
func (p *plain) turns(depth int, budget *int) (n int) {
	if depth == 0 {
		return 1
	}
	seat, step := p.seat, p.step
	for _, m := range p.legal() {
		boxes := p.draw(m)
		switch last := len(p.owner) == p.size*p.size; {
		case last && depth == 1:
			n++
		case last:
		case len(boxes) > 0:
			n += p.turns(depth, budget)
		default:
			n += p.turns(depth-1, budget)
		}
		p.undo(m, boxes, seat, step)
		if *budget--; *budget <= 0 {
			return n
		}
	}
	return n
}

func TestMoveTexts(t *testing.T) {
	r := open(t, "dotsandboxes")
	for text, want := range map[string]game.Move{
		"a6h":     game.EdgeAt(game.Pt(0, 0), false),
		"a5v":     game.EdgeAt(game.Pt(0, 0), true),
		"e1h":     game.EdgeAt(game.Pt(4, 5), false),
		"f1v":     game.EdgeAt(game.Pt(5, 4), true),
		" A6H ":   game.EdgeAt(game.Pt(0, 0), false),
		"(a6,h)":  game.EdgeAt(game.Pt(0, 0), false),
		"(a5, v)": game.EdgeAt(game.Pt(0, 0), true),
		"c3-h":    game.EdgeAt(game.Pt(2, 3), false),
		"a6-b6":   game.EdgeAt(game.Pt(0, 0), false),
		"b6a6":    game.EdgeAt(game.Pt(0, 0), false),
		"c3 c4":   game.EdgeAt(game.Pt(2, 2), true),
	} {
		if m, err := r.ParseMove(text); err != nil || m != want {
			t.Errorf("%q is %v, %v; want %v", text, m, err, want)
		}
	}
	for text, want := range map[string]string{
		"":      "is not a point",
		"h":     "is not a point",
		"g1h":   "on the 6x6 board",
		"a7h":   "on the 6x6 board",
		"f1h":   "no line runs to the right",
		"a6v":   "no line runs upwards",
		"a6":    "write its left or lower dot and h or v, for example a6h, or both its dots, for example a6-b6",
		"a6x":   "write its left or lower dot",
		"a6-a4": "are not neighbours",
		"a6-a6": "are not neighbours",
		"a6-b5": "are not neighbours",
	} {
		if m, err := r.ParseMove(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, error %v, want %q", text, m, err, want)
		}
	}
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "dotsandboxes:size=2")
	const start = "+.+.+/...../+.+.+/...../+.+.+"
	const one = "+-+.+/IbI../+-+.+/...../+.+.+"
	full := "+-+-+/IbIwI/+-+-+/IwIwI/+-+-+"
	for _, good := range []string{start + " b", one + " b 1", one + " b", one + " w", full + " w", strings.ToUpper(one) + " B", strings.ReplaceAll(one, "I", "|") + " b"} {
		if st, err := r.Position(good); err != nil || !strings.EqualFold(st.Text(), strings.ReplaceAll(good, "|", "I")) {
			t.Errorf("%q is read as %v, %v", good, st, err)
		}
	}
	for text, want := range map[string]string{
		"":                     "write 5 rows",
		start:                  "write 5 rows",
		start + " x":           `side "x" is neither b nor w`,
		"+.+ b":                "1 rows instead of 5",
		"+" + start + " b":     "row 1 from the top \"++.+.+\": it has 6 characters instead of 5",
		start[1:] + ". b":      "it has 4 characters instead of 5",
		"." + start[1:] + " b": "character 1 is '.' instead of +",
		strings.Replace(start, ".", "|", 1) + " b":     "character 2 is 'i' instead of . or -",
		strings.Replace(start, "/.", "/-", 1) + " b":   "character 1 is '-' instead of . or i",
		strings.Replace(start, "/..", "/.x", 1) + " b": "character 2 is 'x' instead of . or b or w",
		strings.Replace(start, "/..", "/.b", 1) + " b": "the box above dot a2 and to its right belongs to somebody",
		strings.Replace(one, "b", ".", 1) + " b":       "the box above dot a2 and to its right is closed",
		one + " b 2":                                   "2 lines were drawn in this turn, but b has only 1 boxes",
		one + " w 1":                                   "but w has only 0 boxes",
		one + " b x":                                   `"x" is not a number of lines`,
		one + " b -1":                                  `"-1" is not a number of lines`,
		full + " w 1":                                  "all lines are drawn",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, bad := range []string{"dotsandboxes:size=0", "dotsandboxes:size=8", "dotsandboxes:size=x"} {
		if _, err := rules.Open([]rules.Game{dotsandboxes.Game()}, bad); err == nil || !strings.Contains(err.Error(), "from 1 to 7") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
	for size := 1; size <= dotsandboxes.MaxSize; size++ {
		if n := len(open(t, fmt.Sprintf("dotsandboxes:size=%d", size)).New().Legal(nil)); n != 2*size*(size+1) {
			t.Errorf("%d lines on %d boxes a side", n, size)
		}
	}
}

// Who drew a line is known of lines that were played.
func TestViewTellsWhoDrew(t *testing.T) {
	r := open(t, "dotsandboxes:size=2")
	st, err := r.Position("+-+.+/I.I../+.+.+/...../+.+.+ w")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Apply(game.EdgeAt(game.Pt(0, 1), false), nil); err != nil {
		t.Fatal(err)
	}
	v := st.View(game.Public)
	for _, l := range v.Lines {
		want := game.Nobody
		if l.At == game.Pt(0, 1) && !l.Vertical {
			want = game.Second
		}
		if l.By != want {
			t.Errorf("%+v, want %v", l, want)
		}
	}
	if len(v.Lines) != 4 || !slices.Equal(v.Marks, []game.Point{game.Pt(0, 1), game.Pt(1, 1)}) || v.Turn.Step != 1 {
		t.Errorf("view %+v", v)
	}
}

// Random games do not allocate once the state is made.
func TestPlayoutsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	start := open(t, "dotsandboxes").New().(*dotsandboxes.State)
	moves, notices := make([]game.Move, 0, 60), make([]game.Notice, 0, 2)
	if n := testing.AllocsPerRun(100, func() {
		st := *start
		for st.Turn().Seat != game.Nobody {
			moves = st.Legal(moves[:0])
			notices, _ = st.Apply(moves[r.IntN(len(moves))], notices[:0])
		}
	}); n != 0 {
		t.Errorf("a random game allocates %v times", n)
	}
}

func FuzzPosition(f *testing.F) {
	f.Add(1, "+.+/.../+-+ b")
	f.Add(2, "+-+.+/IbI../+-+.+/...../+.+.+ b 1")
	f.Add(2, "+-+-+/IbIwI/+-+-+/IwIwI/+-+-+ w")
	f.Fuzz(func(t *testing.T, size int, text string) {
		r, err := rules.Open([]rules.Game{dotsandboxes.Game()}, fmt.Sprintf("dotsandboxes:size=%d", size))
		if err != nil {
			return
		}
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		if res, over := st.Result(); over && res.Board[0]+res.Board[1] != float64(size*size) {
			t.Fatalf("%q: result %+v", text, res)
		}
	})
}

func FuzzMove(f *testing.F) {
	r := open(f, "dotsandboxes")
	seeds := []string{"a6h", "(a5,v)", "a6-b6", "b6a6", "a", "(", "a6-", "f1h"}
	rulestest.FuzzMoves(f, r, seeds, func(t *testing.T, text string, m game.Move) {
		if err := r.New().Check(m); err != nil {
			t.Errorf("%q is %v: %v", text, m, err)
		}
	})
}

// Positions of the benchmark: the start, a middle with boxes to take, and chains.
var benchPositions = []struct {
	name, text string
	depth      int
}{
	{"start", "", 4},
	{"middle", "+.+-+.+.+-+/I.I.....I../+-+.+.+-+.+/I.....I..../+.+.+-+.+-+/....I...I../+-+.+-+.+.+/..I......../+.+.+.+-+.+/I.I...I...I/+.+-+-+.+-+ b", 3},
	{"boxes", "+-+-+-+.+-+/IbIbI...IbI/+-+-+.+-+-+/I.....I.IbI/+.+-+-+.+-+/..IbIbI.IbI/+-+-+-+-+-+/I...IwI.I../+-+-+-+.+.+/IbI.....I../+-+.+-+-+-+ b 2", 2},
	{"late", "+-+-+-+-+-+/IbIbIwIwIwI/+-+-+-+-+-+/IbI.....IbI/+-+.+-+-+-+/..I.IwIwIbI/+.+-+-+-+-+/..IwIwIwIwI/+-+-+-+-+-+/..IbIwIwI../+.+-+-+-+.+ w 4", 3},
}

func BenchmarkPerft(b *testing.B) {
	r := open(b, "dotsandboxes")
	for _, c := range benchPositions {
		b.Run(c.name, func(b *testing.B) {
			st := r.New()
			if c.text != "" {
				var err error
				if st, err = r.Position(c.text); err != nil {
					b.Fatal(err)
				}
			}
			var n uint64
			for b.Loop() {
				n += st.(rules.Perfter).Perft(c.depth)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
		})
	}
}

func BenchmarkPlayout(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	start := open(b, "dotsandboxes").New().(*dotsandboxes.State)
	var moves [60]game.Move
	var notices [2]game.Notice
	b.ReportAllocs()
	for b.Loop() {
		st := *start
		for st.Turn().Seat != game.Nobody {
			list := st.Legal(moves[:0])
			_, _ = st.Apply(list[r.IntN(len(list))], notices[:0])
		}
	}
}
