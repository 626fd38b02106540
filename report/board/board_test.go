package board_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/report/board"
)

var update = flag.Bool("update", false, "write the golden picture anew")

// TestEveryGame plays each game some way and wants a picture that is well-formed,
// with an element for each piece, and whose symbols are all defined.
func TestEveryGame(t *testing.T) {
	for _, g := range games.All() {
		r, err := games.Open(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		s := r.New()
		for n := range 20 {
			legal := s.Legal(nil)
			if len(legal) == 0 {
				break
			}
			if _, err := s.Apply(legal[n*7%len(legal)], nil); err != nil {
				t.Fatal(err)
			}
		}
		v := s.View(game.Arbiter)
		svg := board.SVG(&v, board.Style{})
		uses, defined := parse(t, g.ID, svg)
		pieces, drawn := len(v.Lines)+len(v.Attempts)+len(v.Barred)+len(v.Won), 0
		for _, c := range v.Cells {
			if c.Piece != 0 {
				pieces++
			}
		}
		for _, u := range uses { // all but how the last move went, and rows
			if !regexp.MustCompile(`^#kb-(came|gone|last|walk|way|row)`).MatchString(u) {
				drawn++
			}
		}
		if drawn != pieces || pieces == 0 {
			t.Errorf("%s: %d things drawn, %d on the board: %v", g.ID, drawn, pieces, uses)
		}
		for _, u := range uses {
			if !defined[strings.TrimPrefix(u, "#")] {
				t.Errorf("%s: symbol %s is not defined", g.ID, u)
			}
		}
	}
}

// parse returns what a picture uses and defines.
func parse(t *testing.T, name, svg string) (uses []string, defined map[string]bool) {
	t.Helper()
	defined = map[string]bool{}
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return uses, defined
		}
		if err != nil {
			t.Fatalf("%s: %v in %s", name, err, svg)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			switch {
			case a.Name.Local == "id":
				defined[a.Value] = true
			case e.Name.Local == "use" && a.Name.Local == "href":
				uses = append(uses, a.Value)
			}
		}
	}
}

// TestHostile shows that texts of a view cannot leave their place, and that odd
// pieces are drawn.
func TestHostile(t *testing.T) {
	v := game.View{
		Width: 2, Height: 1, Columns: []string{"<b>", `"&`}, Rows: []string{"</svg>"},
		Cells: []game.Cell{{Piece: '<', Owner: game.First}, {Piece: 0xff}},
	}
	svg := board.SVG(&v, board.Style{Title: `"><script>`})
	uses, defined := parse(t, "hostile", svg)
	if len(uses) != 2 || !defined["kb-p3c"] || !defined["kb-pff"] {
		t.Errorf("%v, %v", uses, defined)
	}
	if strings.Contains(svg, "<script") || strings.Contains(svg, "<b>") || strings.Count(svg, "</svg>") != 1 {
		t.Error(svg)
	}
}

// TestEmptyView wants no panic for a view of nothing.
func TestEmptyView(t *testing.T) {
	parse(t, "empty", board.SVG(&game.View{}, board.Style{}))
}

// TestMarks wants what decided a game, what is barred and how a piece ran in the picture.
func TestMarks(t *testing.T) {
	at := game.Pt
	row := game.View{Shape: game.Crossings, Width: 9, Height: 9, Cells: make([]game.Cell, 81), Won: []game.Point{at(1, 1), at(2, 2), at(3, 3), at(4, 4), at(5, 5)}, Barred: []game.Point{at(8, 0)}}
	row.Cells[at(5, 5).Index(9)] = game.Cell{Piece: 'B'}
	row.Marks = []game.Point{at(5, 5)}
	loop := game.View{Shape: game.Crossings, Width: 6, Height: 6, Cells: make([]game.Cell, 36), Marks: []game.Point{at(0, 1), at(3, 0)}, Path: []game.Point{at(0, 1), at(1, 0), at(3, 0)}}
	loop.Cells[3] = game.Cell{Piece: 'w'}
	fell := game.View{Shape: game.Crossings, Width: 9, Height: 9, Cells: make([]game.Cell, 81), Won: []game.Point{at(0, 0), at(1, 0)}}
	walk := game.View{Shape: game.Cells, Width: 10, Height: 10, Cells: make([]game.Cell, 100), Marks: []game.Point{at(3, 0), at(3, 6), at(3, 0)}}
	walk.Cells[3], walk.Cells[63] = game.Cell{Piece: '#'}, game.Cell{Piece: 'B'}
	dead := game.View{Shape: game.Crossings, Width: 3, Height: 1, Cells: []game.Cell{{Piece: 'b'}, {Piece: 'B'}, {Piece: 'w'}}}
	for name, x := range map[string]struct {
		v    *game.View
		want []string
	}{
		"row":  {&row, []string{"black", "lastb", "bar", "row4.4", "won", "won", "won", "won", "won"}},
		"loop": {&loop, []string{"way6x6-0.1-1.0-3.0", "gone", "white", "lastw"}},
		"fell": {&fell, []string{"fell", "fell"}},
		"dead": {&dead, []string{"deadb", "black", "deadw"}},
		"walk": {&walk, []string{"came", "came", "walk0.6", "burnt", "black"}},
	} {
		var got []string
		for _, it := range board.Items(x.v) {
			got = append(got, it.Kind)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
	loop.Loops = 2
	svg := board.SVG(&loop, board.Style{})
	if want := `d="M0 40A40 40 0 1 1 40 0L120 0"`; !strings.Contains(svg, want) {
		t.Errorf("no %s in %s", want, svg)
	}
}

// TestFaces wants the characters of all pieces of dark chess as outlines, or their letters.
func TestFaces(t *testing.T) {
	v := game.View{Shape: game.Cells, Width: 7, Height: 2}
	for _, c := range "KGMRNCPkgmrncp" {
		v.Cells = append(v.Cells, game.Cell{Piece: byte(c)})
	}
	if svg := board.SVG(&v, board.Style{Chinese: true}); strings.Count(svg, "scale(") != 14 || strings.Contains(svg, "<text") {
		t.Error(svg)
	}
	if svg := board.SVG(&v, board.Style{}); strings.Count(svg, "<text") != 14 {
		t.Error(svg)
	}
}

// TestGolden keeps a picture as it is: go test ./report/board -update writes it anew.
func TestGolden(t *testing.T) {
	r, err := games.Open("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	for n := range 5 {
		if _, err := s.Apply(s.Legal(nil)[n*31], nil); err != nil {
			t.Fatal(err)
		}
	}
	v := s.View(game.Arbiter)
	got := board.SVG(&v, board.Style{})
	const name = "testdata/gomoku.svg"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || got != string(want) {
		t.Errorf("%s is not current (%v)", name, err)
	}
}
