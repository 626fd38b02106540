package gomoku_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
)

// readTable reads the lines of a data file, cut at "|".
func readTable(t *testing.T, path string, cells int) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	in := bufio.NewScanner(strings.NewReader(string(data)))
	for n := 1; in.Scan(); n++ {
		if strings.HasPrefix(in.Text(), "#") || strings.TrimSpace(in.Text()) == "" {
			continue
		}
		row := strings.Split(in.Text(), "|")
		if len(row) != cells {
			t.Fatalf("%s:%d: %d cells instead of %d", path, n, len(row), cells)
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		rows = append(rows, row)
	}
	return rows
}

func readPoint(t *testing.T, text string) xy {
	t.Helper()
	var p xy
	if _, err := fmt.Sscanf(text, "%d,%d", &p.x, &p.y); err != nil {
		t.Fatalf("point %q: %v", text, err)
	}
	return p
}

// verdictText is the name of a verdict in the data files.
func verdictText(v gomoku.Verdict) string {
	if v == gomoku.Quiet {
		return "legal"
	}
	return v.String()
}

// fastBoard copies a slow board.
func fastBoard(rule gomoku.Rule, b slowBoard) *gomoku.Board {
	f := gomoku.NewBoard(rule, len(b[0]), len(b))
	for y, row := range b {
		for x, c := range row {
			switch c {
			case 'X':
				f.Put(f.Index(game.Pt(x, y)), gomoku.Black)
			case 'O':
				f.Put(f.Index(game.Pt(x, y)), gomoku.White)
			}
		}
	}
	return f
}

// The table of single verdicts, through both judges and through a whole state.
func TestRenjuVectors(t *testing.T) {
	rows := readTable(t, "testdata/renju.txt", 6)
	if len(rows) < 29 {
		t.Fatalf("only %d rows", len(rows))
	}
	r, err := gomoku.New("gomoku:rule=renju,size=15")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		b := newSlowBoard(15, 15)
		for w := range strings.FieldsSeq(row[1]) {
			b.set(readPoint(t, w), 'X')
		}
		for w := range strings.FieldsSeq(row[2]) {
			b.set(readPoint(t, w), 'O')
		}
		p, want := readPoint(t, row[3]), row[4]
		if got := b.foul(p); got != want {
			t.Errorf("%s: the slow judge says %s instead of %s", row[0], got, want)
		}
		at := game.Pt(p.x, p.y)
		f := fastBoard(gomoku.Renju, b)
		if got := verdictText(f.Judge(f.Index(at), gomoku.Black)); got != want {
			t.Errorf("%s: the judge says %s instead of %s", row[0], got, want)
		}
		var rows []string
		for _, r := range b {
			rows = append(rows, string(r))
		}
		s, err := r.Position(strings.Join(rows, "/") + " black")
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		if _, err := s.Apply(game.PlaceAt(at), nil); err != nil {
			t.Errorf("%s: %v", row[0], err)
		}
		res, over := s.Result()
		reason := map[string]game.Reason{
			"win": gomoku.ByFive, "3-3": gomoku.ByDoubleThree, "4-4": gomoku.ByDoubleFour, "overline": gomoku.ByOverline,
		}[want]
		if over != (want != "legal") || res.Reason != reason {
			t.Errorf("%s: the game ends %t by %q", row[0], over, res.Reason)
		}
		if over && (res.Winner() == game.First) != (want == "win") {
			t.Errorf("%s: %s wins", row[0], res.Winner())
		}
	}
}

// The win table: each line is laid in all four directions and both ways round.
func TestWinVectors(t *testing.T) {
	columns := []struct {
		rule   string
		colour byte
	}{{"freestyle", 'X'}, {"standard", 'X'}, {"renju", 'X'}, {"renju", 'O'}, {"caro6", 'X'}, {"caro", 'X'}}
	rows := readTable(t, "testdata/wins.txt", 8)
	if len(rows) < 7 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		for i, col := range columns {
			for _, d := range slowDirections {
				winVector(t, row[0], row[1], row[2+i], col.rule, col.colour, d)
			}
		}
	}
}

// layLine lays a line along d on a board where the edges fit. It returns the board
// and the point of the star.
func layLine(line string, colour byte, d xy) (slowBoard, xy) {
	leftEdge, rightEdge := line[0] == '!', line[len(line)-1] == '!'
	line = strings.Trim(line, "!")
	size := 15
	if leftEdge && rightEdge {
		size = len(line)
	}
	b := newSlowBoard(size, size)
	start := xy{(size - len(line)) / 2, (size - len(line)) / 2}
	if leftEdge {
		start = xy{0, 0}
	}
	if d.y < 0 {
		start.y = size - 1 - start.y
	}
	var star xy
	foe := 'X' + 'O' - colour
	for i := range len(line) {
		p := start.plus(d, i)
		switch line[i] {
		case 'X':
			b.set(p, colour)
		case 'O':
			b.set(p, foe)
		case '*':
			star = p
		}
	}
	return b, star
}

func winVector(t *testing.T, id, line, want, rule string, colour byte, d xy) {
	t.Helper()
	b, star := layLine(line, colour, d)
	kind := map[string]gomoku.Rule{
		"freestyle": gomoku.Freestyle, "standard": gomoku.Standard, "renju": gomoku.Renju, "caro": gomoku.Caro, "caro6": gomoku.Caro6,
	}[rule]
	c := gomoku.Black
	if colour == 'O' {
		c = gomoku.White
	}
	slow := "no"
	if rule == "renju" && colour == 'X' {
		if v := b.foul(star); v == "win" {
			slow = "win"
		} else if v != "legal" {
			slow = "foul"
		}
	} else {
		b.set(star, colour)
		if b.wins(rule, star) {
			slow = "win"
		}
		b.set(star, '.')
	}
	f := fastBoard(kind, b)
	fast := "no"
	switch v := f.Judge(f.Index(game.Pt(star.x, star.y)), c); {
	case v == gomoku.Win:
		fast = "win"
	case v.Foul():
		fast = "foul"
	}
	if slow != want || fast != want {
		t.Errorf("%s %s, %s %c along %v: slow judge %s, judge %s, want %s", id, line, rule, colour, d, slow, fast, want)
	}
}

// W8: six in a row and an exact five in another direction by one stone wins by
// every rule. W11: a five on the last empty point wins, it is not a draw.
func TestSixAndFive(t *testing.T) {
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		for _, c := range []gomoku.Stone{gomoku.Black, gomoku.White} {
			b := gomoku.NewBoard(rule, 15, 15)
			for i := range 5 {
				b.Put(b.Index(game.Pt(3+i, 7)), c) // d..h of row 8; i is the star
				if i < 4 {
					b.Put(b.Index(game.Pt(8, 3+i)), c)
				}
			}
			b.Put(b.Index(game.Pt(9, 7)), gomoku.Empty)
			if v := b.Judge(b.Index(game.Pt(8, 7)), c); v != gomoku.Win {
				t.Errorf("%s, colour %d: six and five are %s", rule, c, v)
			}
		}
	}
}

func TestFiveOnLastPoint(t *testing.T) {
	const rows = "XXXX./OOXOO/XXOXX/OOXOO/XOOXX"
	for _, rule := range []string{"freestyle", "standard", "renju", "caro", "caro6"} {
		r, err := gomoku.New(game.Spec("gomoku:rule=" + rule + ",size=5"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Position(rows + " black")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Apply(game.PlaceAt(game.Pt(4, 0)), nil); err != nil {
			t.Fatal(err)
		}
		if res, over := s.Result(); !over || res.Reason != gomoku.ByFive || res.Winner() != game.First {
			t.Errorf("%s: the last point gives %+v", rule, res)
		}
	}
}

// randomPosition fills a board, more densely within a window, with more or fewer
// black stones than white ones.
func randomPosition(r *rand.Rand, size int) slowBoard {
	b := newSlowBoard(size, size)
	window := 5 + r.IntN(size-4)
	x0, y0 := r.IntN(size-window+1), r.IntN(size-window+1)
	stones := 4 + r.IntN(window*window*3/5)
	share := 35 + r.IntN(45)
	for range stones {
		c := byte('O')
		if r.IntN(100) < share {
			c = 'X'
		}
		b.set(xy{x0 + r.IntN(window), y0 + r.IntN(window)}, c)
	}
	return b
}

// Both judges agree on every empty point of 5,000 random positions.
func TestJudgesAgree(t *testing.T) {
	t.Parallel()
	positions := 5_000
	if testing.Short() {
		positions = 500
	}
	r := rand.New(rand.NewPCG(15, 5))
	seen := map[string]int{}
	for range positions {
		size := 15
		if r.IntN(4) == 0 {
			size = 5 + r.IntN(16)
		}
		b := randomPosition(r, size)
		f := fastBoard(gomoku.Renju, b)
		for y := range b {
			for x := range b[y] {
				if b[y][x] != '.' {
					continue
				}
				want := b.foul(xy{x, y})
				got := verdictText(f.Judge(f.Index(game.Pt(x, y)), gomoku.Black))
				seen[want]++
				if got != want {
					var rows []string
					for _, row := range b {
						rows = append(rows, string(row))
					}
					t.Fatalf("%d,%d is %s, the slow judge says %s in %s", x, y, got, want, strings.Join(rows, "/"))
				}
			}
		}
	}
	t.Logf("%d positions: %v", positions, seen)
	for _, v := range []string{"legal", "win", "overline", "4-4", "3-3"} {
		if seen[v] < positions/20 {
			t.Errorf("only %d points were %s", seen[v], v)
		}
	}
}

// The wins of every rule and colour agree too.
func TestWinsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 6))
	won := map[string]int{}
	for range 300 {
		b := randomPosition(r, 9)
		for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
			f := fastBoard(rule, b)
			for y := range b {
				for x := range b[y] {
					for _, c := range []gomoku.Stone{gomoku.Black, gomoku.White} {
						if b[y][x] != '.' || rule == gomoku.Renju && c == gomoku.Black {
							continue
						}
						b[y][x] = "?XO"[c]
						want := b.wins(rule.String(), xy{x, y})
						b[y][x] = '.'
						if got := f.Judge(f.Index(game.Pt(x, y)), c) == gomoku.Win; got != want {
							t.Fatalf("%s %d at %d,%d: %t instead of %t", rule, c, x, y, got, want)
						}
						if want {
							won[rule.String()]++
						}
					}
				}
			}
		}
	}
	t.Log(won)
	if len(won) != 5 {
		t.Errorf("wins only by %v", won)
	}
}
