package board_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/report/board"
)

// TestEveryGame plays each game some way and wants a picture that is well-formed,
// with an element for each piece, and whose symbols are all defined.
func TestEveryGame(t *testing.T) {
	for _, g := range games.All() {
		r, err := games.Open(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		s := r.New()
		for n := 0; n < 20; n++ {
			legal := s.Legal(nil)
			if len(legal) == 0 {
				break
			}
			if _, err := s.Apply(legal[n*7%len(legal)], nil); err != nil {
				t.Fatal(err)
			}
		}
		v := s.View(game.Arbiter)
		svg := board.SVG(&v, board.StyleOf(r.Spec()))
		uses, defined := parse(t, g.ID, svg)
		marks := map[game.Point]bool{}
		for _, at := range v.Marks {
			marks[at] = true
		}
		pieces := len(v.Lines) + len(marks) + len(v.Attempts)
		for _, c := range v.Cells {
			if c.Piece != 0 {
				pieces++
			}
		}
		if len(uses) != pieces || pieces == 0 {
			t.Errorf("%s: %d things drawn, %d on the board", g.ID, len(uses), pieces)
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
