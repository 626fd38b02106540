package files_test

import (
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/opening/files"
	"kibitz/record/formats"
)

// The same openings are read from every form in which people keep them; what is wrong
// names its line.
func TestRead(t *testing.T) {
	x := files.Files{Set: formats.New(games.OpenSpec)}
	for _, c := range []struct{ spec, name, text, want string }{
		{"othello", "a.txt", "f5d6c3\nf5f6\n", "f5 d6 c3|f5 f6"},
		{"othello", "a.moves", "f5d6c3\n", "f5 d6 c3"},
		{"gomoku", "a.pos", "h8i9\n", "h8 i9"},
		{"gomoku", "a.offset", "0,0, 1,1\n", "h8 i9"},
		{"gomoku", "a.txt", "h8i9\n", "h8 i9"},
		{"gomoku", "a.sgf", "(;GM[4]SZ[15];B[hh];W[ii])", "h8 i9"},
		{"othello", "a.moves", "f5d6\nf5a1\n", "! a.moves:2"},
		{"gomoku", "a.xot", "f5d6\n", "! XOT lists are openings of othello"},
		{"gomoku:size=20", "a.sgf", "(;GM[4]SZ[15];B[hh])", "! 15x15 points, that of the match 20x20"},
		{"gomoku", "a.pos", "", "! holds no opening"},
	} {
		r, err := games.Open(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.Read(c.name, []byte(c.text), r, 0)
		if fault, bad := strings.CutPrefix(c.want, "! "); bad {
			if err == nil || !strings.Contains(err.Error(), fault) {
				t.Errorf("%s %q: %v, want %s", c.name, c.text, err, fault)
			}
			continue
		}
		var got []string
		for _, o := range list {
			var moves []string
			for _, m := range o.Steps {
				moves = append(moves, r.FormatMove(m))
			}
			got = append(got, strings.Join(moves, " "))
		}
		if strings.Join(got, "|") != c.want || err != nil {
			t.Errorf("%s %q: %q, %v", c.name, c.text, got, err)
		}
	}
}
