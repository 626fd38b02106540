package phantomgo_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/rules"
)

// Go games of other programs, main lines: every stone stands, captures and area
// are those of the index, and superko refuses what repeats a board.
func TestGoRecords(t *testing.T) {
	index := readIndex(t, shared.Path(t, "data/README.md"))
	dir := filepath.Dir(shared.Path(t, "data/go9x9/fuego"))
	played, repeated, scored := 0, 0, 0
	for name, want := range index {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g := readSGF(string(text))
		if g.size < phantomgo.MinSize || g.size > phantomgo.MaxSize || len(g.moves) == 0 {
			continue
		}
		played++
		r := open(t, fmt.Sprintf("phantomgo:size=%d,komi=0,maxplies=2000", g.size))
		captured, black, white := replay(t, name, g, r)
		if captured != want.captured || black != want.black || white != want.white {
			t.Errorf("%s: %d captured, area %d-%d; want %+v", name, captured, black, white, want)
		}
		if m := points.FindStringSubmatch(g.result); m != nil && g.komi == "7.5" {
			scored++
			if got := fmt.Sprintf("%.1f", float64(white)+7.5-float64(black)); m[1] == "W" && m[2] != got {
				t.Errorf("%s: the server says %s, area gives W+%s", name, g.result, got)
			}
		}
		repeated += superko(t, name, g, want.repeats)
	}
	if played < 45 || repeated < 4 || scored < 3 {
		t.Errorf("only %d games, %d with repetitions, %d with a score", played, repeated, scored)
	}
}

var points = regexp.MustCompile(`^([BW])\+([0-9.]+)$`)

// replay plays the main line on the referee's board; passes beyond two in a row
// and moves out of turn are allowed there.
func replay(t *testing.T, name string, g sgf, r rules.Rules) (captured, black, white int) {
	t.Helper()
	st, err := r.Position(g.position())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	b := st.(*phantomgo.State).Board()
	for i, m := range g.moves {
		if m.at == game.NoPoint {
			b.Pass()
			continue
		}
		p := phantomgo.At(int(m.at.X), int(m.at.Y))
		if !b.Legal(p, m.colour) {
			if !strings.Contains(name, "Illegal") {
				t.Errorf("%s: move %d at %v is refused", name, i+1, m.at)
			}
			continue
		}
		captured += b.Place(p, m.colour)
	}
	black, white = b.Area()
	return captured, black, white
}

// superko plays the game under superko: if the index knows repetitions, one must
// be refused, else none.
func superko(t *testing.T, name string, g sgf, repeats int) int {
	t.Helper()
	if strings.Contains(name, "Illegal") && repeats == 0 {
		return 0
	}
	r := open(t, fmt.Sprintf("phantomgo:size=%d,superko=true,maxplies=2000", g.size))
	st, err := r.Position(g.position())
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, m := range g.moves {
		mv := game.PlaceAt(m.at)
		if m.at == game.NoPoint {
			mv = game.PassMove()
		}
		if st.Turn().Seat != game.Seat(m.colour-1) {
			return 0 // out of turn or over: not a game of this referee
		}
		if !st.(rules.Permitter).Permits(mv) {
			refused++
			break
		}
		if _, err := st.Apply(mv, nil); err != nil {
			t.Fatal(err)
		}
	}
	if (refused > 0) != (repeats > 0) && !strings.Contains(name, "suicide") {
		t.Errorf("%s: superko refused %d moves, the index knows %d repetitions", name, refused, repeats)
	}
	return refused
}

type indexed struct{ captured, repeats, black, white int }

var indexLine = regexp.MustCompile("^\\| `((?:fuego|littlego)/[^`]*)`.* (\\d+) stones captured .*whole-board repetitions (\\d+),.*area score on the final board (\\d+)-(\\d+)")

func readIndex(t *testing.T, path string) map[string]indexed {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	index := map[string]indexed{}
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		m := indexLine.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		var e indexed
		for i, p := range []*int{&e.captured, &e.repeats, &e.black, &e.white} {
			if _, err := fmt.Sscan(m[i+2], p); err != nil {
				t.Fatal(err)
			}
		}
		index[m[1]] = e
	}
	return index
}

// sgf is the main line of a game file, as far as these tests need it.
type sgf struct {
	size         int
	komi, result string
	setup        map[game.Point]byte
	side         byte
	moves        []sgfMove
}

type sgfMove struct {
	colour uint8
	at     game.Point
}

func (g *sgf) position() string {
	rows := make([]string, g.size)
	for y := range g.size {
		for x := range g.size {
			c := cmp.Or(g.setup[game.Pt(x, y)], '.')
			rows[y] += string(rune(c))
		}
	}
	return strings.Join(rows, "/") + " " + string(rune(g.side))
}

// readSGF follows the first branch of every fork.
func readSGF(text string) sgf {
	g := sgf{size: 19, setup: map[game.Point]byte{}, side: 'b'}
	key := ""
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ')':
			return g
		case c >= 'A' && c <= 'Z':
			if i == 0 || text[i-1] < 'A' || text[i-1] > 'Z' {
				key = ""
			}
			key += string(rune(c))
		case c == '[':
			value := ""
			for i++; i < len(text) && text[i] != ']'; i++ {
				if text[i] == '\\' {
					i++
				}
				value += text[i : i+1]
			}
			g.property(key, value)
		}
	}
	return g
}

func (g *sgf) property(key, value string) {
	at := game.NoPoint
	if len(value) == 2 {
		at = game.Pt(int(value[0]-'a'), int(value[1]-'a'))
	}
	switch key {
	case "SZ":
		_, _ = fmt.Sscan(value, &g.size)
	case "KM":
		g.komi = value
	case "RE":
		g.result = value
	case "AB", "AW":
		g.setup[at] = map[string]byte{"AB": 'b', "AW": 'w'}[key]
	case "PL":
		g.side = strings.ToLower(value)[0]
	case "B", "W":
		if len(g.moves) == 0 {
			g.side = strings.ToLower(key)[0]
		}
		g.moves = append(g.moves, sgfMove{map[string]uint8{"B": phantomgo.Black, "W": phantomgo.White}[key], at})
	}
}

// The history that one entrant kept of a whole game, refused attempts noted as RF
// without their points. Of the points named for a turn exactly one stands, and the
// captures are those of the record.
func TestEntrantRecord(t *testing.T) {
	text, err := os.ReadFile(shared.Path(t, "data/phantomgo/dadamrx-record.txt"))
	if err != nil {
		t.Fatal(err)
	}
	st := open(t, "phantomgo").New()
	turns, captures := 0, 0
	for line := range strings.Lines(string(text)) {
		who, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		seat, known := map[string]game.Seat{"Black": game.First, "White": game.Second}[who]
		if !ok || !known {
			continue
		}
		tries, list, _ := strings.Cut(rest, " take")
		want := sauPoints(list)
		var took []game.Point
		turns++
		for _, p := range sauPoints(tries) {
			if st.Turn().Seat != seat {
				continue // a second point on the line, after the one that stood
			}
			notices, err := st.Apply(game.PlaceAt(p), nil)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			for _, n := range notices {
				if n.Kind == game.Took {
					took = n.Points
				}
			}
		}
		if st.Turn().Seat == seat {
			t.Fatalf("%q: nothing stands in %s", line, st.Text())
		}
		if !slices.Equal(took, want) {
			t.Errorf("%q: captured %v, want %v", line, took, want)
		}
		captures += len(took)
	}
	if turns < 78 || captures != 9 {
		t.Errorf("%d turns and %d captures were read", turns, captures)
	}
}

// sauPoints reads points of two letters, sorted column by column.
func sauPoints(text string) (list []game.Point) {
	for w := range strings.FieldsSeq(text) {
		if len(w) == 2 && w != "RF" && w != "OK" && w[0] >= 'A' && w[0] <= 'I' && w[1] >= 'A' && w[1] <= 'I' {
			list = append(list, game.Pt(int(w[0]-'A'), int(w[1]-'A')))
		}
	}
	if len(list) > 1 && strings.HasPrefix(text, " ") {
		slices.SortFunc(list, func(a, b game.Point) int { return int(a.X)*100 + int(a.Y) - int(b.X)*100 - int(b.Y) })
	}
	return list
}
