package phantomgo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(phantomgo.Game())

func TestConformance(t *testing.T) {
	rulestest.Run(t, phantomgo.Game(), rulestest.Variants(
		"phantomgo:size=2", "phantomgo:size=4", "phantomgo:size=13,maxplies=40", "phantomgo:size=5,superko=true,komi=0,maxplies=60"))
}

// The counts of placements alone, as the referee sees them.
func TestPlacementCounts(t *testing.T) {
	list, _, err := rulestest.ReadCounts("testdata/perft.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, c := range list {
		if c.By != "placements" {
			continue
		}
		asked++
		b := open(t, c.Spec).New().(*phantomgo.State).Board()
		if got := placements(&b, phantomgo.Black, c.Depth); got != c.Leaves {
			t.Errorf("line %d: %d placements, want %d", c.Line, got, c.Leaves)
		}
	}
	if asked == 0 {
		t.Error("no counts")
	}
}

// placements counts sequences of placements by alternate colours, without passes, under
// simple ko; depth is above 0.
func placements(b *phantomgo.Board, colour uint8, depth int) uint64 {
	var n uint64
	for y := range b.Size() {
		for p := phantomgo.At(0, y); p < phantomgo.At(b.Size(), y); p++ {
			if b.Cell(p) == phantomgo.Empty && b.Legal(p, colour) {
				if depth == 1 {
					n++
					continue
				}
				next := *b
				next.Place(p, colour)
				n += placements(&next, 3-colour, depth-1)
			}
		}
	}
	return n
}

// testdata/scenes.txt: "spec | position | script | what comes of it". The script
// is attempts separated by blanks; the outcome lists what the last attempt told,
// as "audience:kind[points]" separated by blanks, then the winner if there is one.
func TestScenes(t *testing.T) {
	for n, c := range rulestest.Rows(t, "testdata/scenes.txt", 4) {
		if got := scene(t, n, c[0], c[1], strings.Fields(c[2])); got != c[3] {
			t.Errorf("line %d: %q: got %s", n, c, got)
		}
	}
}

func scene(t *testing.T, line int, spec, position string, script []string) string {
	t.Helper()
	r := open(t, spec)
	st := r.New()
	if position != "" {
		var err error
		if st, err = r.Position(position); err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
	}
	out := ""
	for _, text := range script {
		m, err := r.ParseMove(text)
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		before := st.Turn().Seat
		permits := st.(rules.Permitter).Permits(m)
		notices, err := st.Apply(m, nil)
		if err != nil {
			return "error"
		}
		out = tell(r, notices)
		if refused := strings.Contains(out, "refused"); refused == permits || refused != (st.Turn().Seat == before) {
			t.Errorf("line %d: %s: permitted %t, told %s, then %v", line, text, permits, out, st.Turn())
		}
	}
	if res, over := st.Result(); over {
		out += fmt.Sprintf(" %s %s %v", res.Winner(), res.Reason, res.Board)
	}
	return out
}

func tell(r rules.Rules, notices []game.Notice) string {
	var out []string
	for _, n := range notices {
		text := n.To.String() + ":" + n.Kind.String()
		if len(n.Points) > 0 {
			var points []string
			for _, p := range n.Points {
				points = append(points, r.FormatMove(game.PlaceAt(p)))
			}
			text += "[" + strings.Join(points, " ") + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// The play-through of another referee: boards of the referee and of both sides at
// every printed state, each attempt refused or not as there.
func TestOpenSpiel(t *testing.T) {
	states := rulestest.ReadSpiel(t, shared.Path(t, "data/openspiel/phantom_go.txt"))
	r := open(t, "phantomgo:maxplies=1000")
	st := r.New()
	compared := 0
	for i, s := range states {
		if s.Action != "" {
			who, at, _ := strings.Cut(s.Action, " ")
			m, err := r.ParseMove(at)
			if err != nil {
				t.Fatal(err)
			}
			if _, over := st.Result(); over {
				// There a refused attempt between two passes keeps the game alive.
				if st, err = r.Position(strings.Replace(st.Text(), " passes=2", "", 1)); err != nil {
					t.Fatal(err)
				}
			}
			if want := map[string]game.Seat{"B": game.First, "W": game.Second}[who]; st.Turn().Seat != want {
				t.Fatalf("state %d: %v is on turn for %s", i, st.Turn().Seat, s.Action)
			}
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
		if !s.Printed {
			continue
		}
		compared++
		if got, want := board(st.View(game.Arbiter)), spielBoard(s.Board, 1); got != want {
			t.Fatalf("state %d: board\n%s, want\n%s", i, got, want)
		}
		if s.Terminal {
			// There the game ended by its length; area decides.
			b := st.(*phantomgo.State).Board()
			black, white := b.Area()
			if (float64(black) > float64(white)+7.5) != (s.Returns[0] > 0) {
				t.Errorf("area %d to %d, returns %v", black, white, s.Returns)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d states compared", compared)
	}
}

func board(v game.View) string {
	text := ""
	for i, c := range v.Cells {
		switch c.Piece {
		case 'b':
			text += "X"
		case 'w':
			text += "O"
		default:
			text += "+"
		}
		if (i+1)%v.Width == 0 {
			text += "\n"
		}
	}
	return text
}

// spielBoard picks the nth board of the printed lines, from 1.
func spielBoard(lines []string, nth int) string {
	text, rows := "", 0
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if row, cells, ok := strings.Cut(l, " "); ok && len(cells) == 9 && len(row) == 1 && row[0] >= '1' && row[0] <= '9' {
			if rows++; (rows-1)/9 == nth-1 {
				text += cells + "\n"
			}
		}
	}
	return text
}

// A second Go, written with recursion over a plain array, agrees with the board
// at random positions: legality, captures, ko, area.
func TestAgainstPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	captures, kos, suicides := 0, 0, 0
	for game9 := range 24 {
		size := 2 + game9%8
		b := phantomgo.NewBoard(size)
		p := &plainGo{n: size, ko: -1}
		colour := phantomgo.Black
		for range 4 * size * size {
			var legal []int
			for i := range size * size {
				got := b.Legal(phantomgo.At(i%size, i/size), colour)
				want := p.legal(i, colour)
				if got != want {
					t.Fatalf("size %d: %v, colour %d at %d: legal %t, want %t", size, p.cell[:size*size], colour, i, got, want)
				}
				if want {
					legal = append(legal, i)
				} else if p.cell[i] == 0 && i != p.ko {
					suicides++
				}
			}
			if len(legal) == 0 {
				b.Pass()
				p.ko = -1
				colour = 3 - colour
				continue
			}
			at := legal[rng.IntN(len(legal))]
			n := b.Place(phantomgo.At(at%size, at/size), colour)
			if want := p.play(at, colour); n != want {
				t.Fatalf("%d captured, want %d", n, want)
			}
			captures += n
			ko := -1
			if k := b.Ko(); k != phantomgo.NoKo {
				x, y := phantomgo.XY(k)
				ko = y*size + x
				kos++
			}
			if ko != p.ko {
				t.Fatalf("ko at %d, want %d", ko, p.ko)
			}
			for i := range size * size {
				q := phantomgo.At(i%size, i/size)
				if b.Cell(q) != p.cell[i] {
					t.Fatalf("stone at %d is %d, want %d", i, b.Cell(q), p.cell[i])
				}
				if p.cell[i] != 0 {
					if got, want := b.Liberties(q, 400), len(p.liberties(i)); got != want || got == 0 {
						t.Fatalf("%d liberties, want %d", got, want)
					}
					last := 0
					if free := p.liberties(i); len(free) == 1 {
						for j := range free {
							last = phantomgo.At(j%size, j/size)
						}
					}
					if got := b.Atari(q); got != last {
						t.Fatalf("the only liberty is %d, want %d", got, last)
					}
				}
			}
			black, white := b.Area()
			if wb, ww := p.area(); black != wb || white != ww {
				t.Fatalf("area %d %d, want %d %d", black, white, wb, ww)
			}
			again := phantomgo.NewBoard(size)
			if again.Copy(&b); again != b {
				t.Fatal("a copy is not equal")
			}
			colour = 3 - colour
		}
	}
	if captures < 100 || kos < 20 || suicides < 100 {
		t.Errorf("only %d captures, %d kos, %d suicides were met", captures, kos, suicides)
	}
}

type plainGo struct {
	n    int
	cell [361]uint8
	ko   int
}

func (p *plainGo) around(i int) (list []int) {
	x, y := i%p.n, i/p.n
	for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if u, v := x+d[0], y+d[1]; u >= 0 && v >= 0 && u < p.n && v < p.n {
			list = append(list, v*p.n+u)
		}
	}
	return list
}

func (p *plainGo) chain(i int, seen map[int]bool) {
	seen[i] = true
	for _, j := range p.around(i) {
		if p.cell[j] == p.cell[i] && !seen[j] {
			p.chain(j, seen)
		}
	}
}

func (p *plainGo) liberties(i int) map[int]bool {
	seen, free := map[int]bool{}, map[int]bool{}
	p.chain(i, seen)
	for s := range seen {
		for _, j := range p.around(s) {
			if p.cell[j] == 0 {
				free[j] = true
			}
		}
	}
	return free
}

func (p *plainGo) legal(i int, colour uint8) bool {
	if p.cell[i] != 0 || i == p.ko {
		return false
	}
	c := *p
	c.play(i, colour)
	return len(c.liberties(i)) > 0
}

func (p *plainGo) play(i int, colour uint8) int {
	p.cell[i] = colour
	var gone []int
	for _, j := range p.around(i) {
		if p.cell[j] == 3-colour && len(p.liberties(j)) == 0 {
			seen := map[int]bool{}
			p.chain(j, seen)
			for s := range seen {
				if !slices.Contains(gone, s) {
					gone = append(gone, s)
				}
			}
		}
	}
	for _, s := range gone {
		p.cell[s] = 0
	}
	p.ko = -1
	alone := map[int]bool{}
	p.chain(i, alone)
	if len(gone) == 1 && len(alone) == 1 && len(p.liberties(i)) == 1 {
		p.ko = gone[0]
	}
	return len(gone)
}

func (p *plainGo) area() (black, white int) {
	for i := range p.n * p.n {
		reach := [3]bool{}
		if p.cell[i] == 0 {
			seen := map[int]bool{}
			p.chain(i, seen)
			for s := range seen {
				for _, j := range p.around(s) {
					reach[p.cell[j]] = true
				}
			}
		}
		switch {
		case p.cell[i] == 1, reach[1] && !reach[2]:
			black++
		case p.cell[i] == 2, reach[2] && !reach[1]:
			white++
		}
	}
	return black, white
}

func TestPositionErrors(t *testing.T) {
	r := open(t, "phantomgo:size=3")
	for text, want := range map[string]string{
		"":                         "write 3 rows",
		".../... b":                "2 rows instead of 3",
		".../../... b":             "has 2 points instead of 3",
		".../.x./... b":            "is not one of b w .",
		".../.b./... x":            "neither b nor w",
		"bw./w../... b":            "the stone on a3 has no liberty",
		".../.b./... w ko=b2":      "there is a stone on b2",
		".../.b./... w ko=e2":      "no column e on the 3x3 board",
		".../.b./... w passes=3":   "number from 0 to 2",
		".../.b./... w plies=-1":   "number from 0 to 400",
		".../.b./... w taken=1":    `"" is not a number`,
		".../.b./... w tried=a1,":  "is not a point",
		".../.b./... w ko":         `"" is not a point`,
		".../.b./... w wind=north": "known are ko passes plies taken tried",
	} {
		if _, err := r.Position(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, spec := range []string{"phantomgo:size=1", "phantomgo:size=20", "phantomgo:komi=x", "phantomgo:superko=maybe", "phantomgo:maxplies=0"} {
		if _, err := rules.Open([]rules.Game{phantomgo.Game()}, spec); err == nil {
			t.Errorf("%s is accepted", spec)
		}
	}
	for text, want := range map[string]game.Spec{
		"phantomgo":                          "phantomgo:size=9,komi=7.5",
		"phantomgo:komi=6.50,maxplies=400":   "phantomgo:size=9,komi=6.5",
		"phantomgo:maxplies=12,superko=true": "phantomgo:size=9,komi=7.5,superko=true,maxplies=12",
	} {
		if got := open(t, text).Spec(); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func FuzzPosition(f *testing.F) {
	r := open(f, "phantomgo:size=3")
	f.Add(".../.b./... w")
	f.Add("bw./.w./... b ko=a2 passes=1 plies=7 taken=1,2 tried=a1,c3")
	f.Fuzz(func(t *testing.T, text string) {
		st, err := r.Position(text)
		if err != nil {
			return
		}
		rulestest.Reread(t, r, st)
		for _, m := range st.Legal(nil) {
			if _, err := st.Clone().Apply(m, nil); err != nil {
				t.Fatalf("%q: %v: %v", text, m, err)
			}
		}
	})
}

func FuzzMove(f *testing.F) {
	rulestest.FuzzMoves(f, open(f, "phantomgo"), []string{"e5", "PASS", "J9", "i5", ""}, nil)
}

// A random game of placements on the fast board, as an engine plays it.
func BenchmarkPlayout(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	start := phantomgo.NewBoard(9)
	var points [81]int
	moves := 0
	b.ReportAllocs()
	for b.Loop() {
		board := start
		colour := phantomgo.Black
		for range 120 {
			n := 0
			for i := range 81 {
				if p := phantomgo.At(i%9, i/9); board.Cell(p) == phantomgo.Empty {
					points[n] = p
					n++
				}
			}
			for n > 0 {
				k := r.IntN(n)
				if p := points[k]; board.Legal(p, colour) {
					board.Place(p, colour)
					break
				}
				n--
				points[k] = points[n]
			}
			moves++
			colour = 3 - colour
		}
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
}
