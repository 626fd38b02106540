package board

import (
	"bytes"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
	"kibitz/term"
)

// draw plays moves of a game and draws the position for an audience.
func draw(t *testing.T, p Painter, spec, moves string, to game.Audience) string {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r, nil })
	if err := b.Reset(r.Spec(), ""); err != nil {
		t.Fatal(err)
	}
	for text := range strings.FieldsSeq(moves) {
		m, err := r.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Apply(m); err != nil {
			t.Fatal(err)
		}
	}
	v := b.View(to)
	var out bytes.Buffer
	p.W = &out
	p.Draw(&v)
	return out.String()
}

// TestBoards pins drawings, without the notes below them.
func TestBoards(t *testing.T) {
	tests := []struct {
		name, spec, moves string
		to                game.Audience
		want              string
	}{
		{"amazons", "amazons", "d1-d7 /g7", game.Public, `
   a b c d e f g h i j
10 . . . w . . w . . . 10
 9 . . . . . . . . . . 9
 8 . . . . . . . . . . 8
 7 w . .(b). .(#). . w 7
 6 . . . . . . . . . . 6
 5 . . . . . . . . . . 5
 4 b . . . . . . . . b 4
 3 . . . . . . . . . . 3
 2 . . . . . . . . . . 2
 1 . . .(.). . b . . . 1
   a b c d e f g h i j`},
		{"attempts for the arbiter", "phantomgo:size=5", "c3 d4 e4 c3", game.Arbiter, `
   a b c d e
 5 . . . . . 5
 4 . . .(w(b)4
 3 . .?b . . 3
 2 . . . . . 2
 1 . . . . . 1
   a b c d e`},
		{"surakarta", "surakarta", "b5-b4 a2-b3 b4-c4 b3-c3 c4-b5", game.Public, `
           a   b   c   d   e   f
     .-------------.   .-------------.
     |  .------.   |   |   .------.  |
 6   |  |  b---b---b---b---b---b  |  |   6
     |  |  |   |   |   |   |   |  |  |
 5   |  '--b--(b)--b---b---b---b--'  |   5
     |     |   |   |   |   |   |     |
 4   '-----+---+--(+)--+---+---+-----'   4
           |   |   |   |   |   |
 3   .-----+---+---w---+---+---+-----.   3
     |     |   |   |   |   |   |     |
 2   |  .--+---w---w---w---w---w--.  |   2
     |  |  |   |   |   |   |   |  |  |
 1   |  |  w---w---w---w---w---w  |  |   1
     |  '------'   |   |   '------'  |
     '-------------'   '-------------'
           a   b   c   d   e   f`},
	}
	for _, tt := range tests {
		got := draw(t, Painter{}, tt.spec, tt.moves, tt.to)
		if want := strings.TrimPrefix(tt.want, "\n"); !strings.HasPrefix(got, want+"\n") {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, want)
		}
	}
	if got := draw(t, Painter{}, "connect6", "j10 i9 k11", game.Public); !strings.Contains(got, "\n10 . . . . . . . . . b . ") || !strings.Contains(got, ". .(w). . ") {
		t.Error(got)
	}
}

// TestDotsBoard draws lines, their newest, and boxes with their owners.
func TestDotsBoard(t *testing.T) {
	v := game.View{
		Shape: game.Dots, Width: 3, Height: 3, Columns: []string{"a", "b", "c"}, Rows: []string{"3", "2", "1"},
		Cells: make([]game.Cell, 9), Marks: []game.Point{game.Pt(1, 0), game.Pt(1, 1)},
		Lines: []game.Line{
			{At: game.Pt(0, 0), By: game.First},
			{At: game.Pt(0, 1), By: game.Second},
			{At: game.Pt(0, 0), Vertical: true, By: game.First},
			{At: game.Pt(1, 0), Vertical: true, By: game.Second},
			{At: game.Pt(2, 1), Vertical: true, By: game.First},
			{At: game.Pt(1, 2), By: game.Nobody},
		},
	}
	v.Cells[0] = game.Cell{Piece: 'w', Owner: game.Second}
	for i := range v.Cells[1:] {
		v.Cells[i+1].Owner = game.Nobody
	}
	var out bytes.Buffer
	Painter{W: &out}.Draw(&v)
	want := `   a   b   c
 3 +---o   + 3
   | w |
 2 +---o   + 2
           |
 1 +   +---+ 1
   a   b   c
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	Painter{W: &out, Colour: true}.Draw(&v)
	for _, part := range []string{term.First + "---" + term.Off, term.Second + "|" + term.Off, term.Second + "w" + term.Off, "+---+"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in the coloured board %q", part, out.String())
		}
	}
}

// TestColours marks the pieces of both seats of every board, and nothing without
// colours.
func TestColours(t *testing.T) {
	for spec, moves := range map[string]string{"amazons": "", "surakarta": "", "connect6": "j10 i9", "nogo": "e5 d4", "dotsandboxes": "a6h b6h a5v a5h b5v f1v e1h e2h e1v"} {
		if got := draw(t, Painter{Colour: true}, spec, moves, game.Public); !strings.Contains(got, term.First+"b"+term.Off) || !strings.Contains(got, term.Second+"w"+term.Off) {
			t.Errorf("%s:\n%q", spec, got)
		}
		if got := draw(t, Painter{}, spec, moves, game.Public); strings.Contains(got, "\x1b") {
			t.Errorf("%s:\n%q", spec, got)
		}
	}
}
