package server

import (
	"fmt"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/hall/records"
)

// A text in any form is read, with its variations and comments; what none fits is refused with the
// nearest form and why. What was read is written again, and no variation or comment of it is lost.
func TestTexts(t *testing.T) {
	s := newSite(t, func(cfg *Config) {
		full(cfg)
		cfg.Converter = cfg.Texts.(records.Converter)
	})
	c := s.client()
	read := func(text string) (p records.Pasted) {
		c.do("POST", "/api/v1/boards/read", map[string]any{"text": text}).want(200).into(&p)
		return p
	}
	for text, want := range map[string]string{
		"F5 d6 C3":                         "Othello move strings (f5d6c3) f5 d6 c3",
		"1. f5 d6\n2. c3 d3":               "Othello move strings (f5d6c3) f5 d6 c3 d3",
		"f5d6c3d3c4":                       "Othello move strings (f5d6c3) f5 d6 c3 d3 c4",
		"(;GM[2]FF[4];B[f5];W[d6];B[c3])":  "Smart Game Format f5 d6 c3",
		"white plays d6? no: black f5, d6": "",
	} {
		if want == "" {
			if said := c.do("POST", "/api/v1/boards/read", map[string]any{"text": text}).want(422).body; !strings.Contains(said, "no form fits; the nearest is Othello move strings") {
				t.Errorf("%q: %s", text, said)
			}
			continue
		}
		p := read(text)
		got := p.Form
		for _, x := range p.Games[0].Steps {
			got += " " + x.Name
		}
		if got != want || p.Count != 1 {
			t.Errorf("%q: %s, %d games, want %s", text, got, p.Count, want)
		}
	}
	p := read("(;GM[2]FF[4]PB[Ann];B[f5];W[d6]C[solid](;B[c3];W[d3])(;B[c4]C[why not?](;W[d3])(;W[f4])))")
	g := p.Games[0]
	if g.Names[0] != "Ann" || g.Steps[1].Comment != "solid" || len(g.Steps) != 4 || len(g.Steps[2].Variations) != 1 {
		t.Fatalf("read %+v", g)
	}
	side := g.Steps[2].Variations[0]
	if side[0].Name != "c4" || side[0].Comment != "why not?" || len(side) != 2 || len(side[1].Variations) != 1 {
		t.Fatalf("variation %+v", side)
	}
	var wish func(list []records.TreeStepView) []map[string]any
	wish = func(list []records.TreeStepView) (out []map[string]any) {
		for _, x := range list {
			var v [][]map[string]any
			for _, line := range x.Variations {
				v = append(v, wish(line))
			}
			out = append(out, map[string]any{"move": x.Steps[0], "comment": x.Comment, "variations": v})
		}
		return out
	}
	for _, format := range []string{"sgf", "json"} {
		data := c.do("POST", "/api/v1/boards/record", map[string]any{"spec": g.Spec, "names": g.Names, "steps": wish(g.Steps), "format": format}).want(200).body
		for _, word := range []string{"Ann", "solid", "why not?"} {
			if !strings.Contains(data, word) {
				t.Errorf("%s lost %q: %s", format, word, data)
			}
		}
		again := read(data).Games[0]
		if got := again.Steps[2].Variations; len(got) != 1 || got[0][1].Variations[0][0].Name != "f4" {
			t.Errorf("%s lost a variation: %s", format, data)
		}
	}

	// A file that begins in the middle of a game.
	half := map[string]any{"spec": "othello", "steps": wish(g.Steps), "from": 2, "format": "sgf"}
	mid := read(c.do("POST", "/api/v1/boards/record", half).want(200).body).Games[0]
	if mid.Position == "" || len(mid.Steps) != 2 || mid.Steps[0].Name != "c3" {
		t.Errorf("from the middle: %+v", mid)
	}
	var flips []map[string]any
	for _, m := range []string{"f0,0", "d0,0:1"} {
		flips = append(flips, map[string]any{"move": m})
	}
	board := map[string]any{"spec": "darkchess", "steps": flips, "from": 2, "format": "board"}
	if mid := read(c.do("POST", "/api/v1/boards/record", board).want(200).body).Games[0]; !strings.HasPrefix(mid.Spec, "darkchess") || mid.Position == "" || len(mid.Steps) != 0 {
		t.Errorf("a position of dark chess as a file: %+v", mid)
	}
	board["from"] = 1
	c.do("POST", "/api/v1/boards/record", board).want(422)
	c.do("POST", "/api/v1/boards/record", map[string]any{"spec": "othello", "steps": []map[string]any{{"move": "a1"}}}).want(422)
	c.do("POST", "/api/v1/boards/record", map[string]any{"spec": "othello", "format": "psq"}).want(422)
}

// Each game's first position is composed of its board; what the rules refuse is refused with the
// reason, and what no game leads to is marked.
func TestSetUp(t *testing.T) {
	s := newSite(t, func(cfg *Config) {
		full(cfg)
		cfg.Lines = cfg.Texts.(records.LineReader)
	})
	c := s.client()
	type board struct{ Pieces, Seat string }
	type setup struct {
		Position, Doubt string
		Count           int
		View            board
	}
	for _, g := range games.All() {
		var l struct{ Views []board }
		c.do("POST", "/api/v1/boards/line", map[string]any{"spec": g.ID}).want(200).into(&l)
		v, got := l.Views[0], setup{}
		body := map[string]any{"spec": g.ID, "pieces": v.Pieces, "seat": v.Seat}
		c.do("POST", "/api/v1/boards/setup", body).want(200).into(&got)
		if got.View != v || got.Doubt != "" || got.Position == "" {
			t.Errorf("%s: %+v was set up as %+v", g.ID, v, got)
		}
	}
	othello := strings.Repeat(".", 27) + "WB......BW" + strings.Repeat(".", 27)
	dark := "KX.." + strings.Repeat(".", 28)
	for _, tt := range []struct {
		name string
		body map[string]any
		want string
	}{
		{"othello without a disc in the middle", map[string]any{"spec": "othello", "pieces": strings.Replace(othello, "B", ".", 1)}, "missing 0"},
		{"gomoku", map[string]any{"spec": "gomoku:size=5", "pieces": strings.Repeat("B", 3) + "W" + strings.Repeat(".", 21), "seat": "second"}, "count 1"},
		{"connect6", map[string]any{"spec": "connect6:size=6", "pieces": "b" + strings.Repeat(".", 35)}, "count 1"},
		{"a wrong size", map[string]any{"spec": "gomoku:size=5", "pieces": "..."}, "pieces: 3 letters, the board has 25 points"},
		{"five in a row", map[string]any{"spec": "gomoku:size=5", "pieces": "BBBBB" + strings.Repeat(".", 20)}, "black has already a line"},
		{"too many kings", map[string]any{"spec": "darkchess", "pieces": "KK" + dark[2:]}, "2 pieces K are face up, the set has 1"},
		{"a sum", map[string]any{"spec": "darkchess", "pieces": dark, "taken": "PPPPPp"}, "1 squares are face down, but 32 pieces less 1 face up and 6 taken leave 25"},
		{"a board of dots", map[string]any{"spec": "dotsandboxes:size=3", "pieces": strings.Repeat(".", 16), "lines": [][4]int{{0, 0, 0, 0}, {0, 0, 1, 1}}}, " 0"},
		{"a closed box of nobody", map[string]any{
			"spec": "dotsandboxes:size=3", "pieces": strings.Repeat(".", 16), "lines": [][4]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 1}},
		}, "is closed: write b or w into it"},
	} {
		var got setup
		if r := c.do("POST", "/api/v1/boards/setup", tt.body); r.status == 200 {
			r.into(&got)
			if said := fmt.Sprintf("%s %d", got.Doubt, got.Count); said != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, said, tt.want)
			}
		} else if !strings.Contains(r.body, tt.want) {
			t.Errorf("%s: %d %s, want %q", tt.name, r.status, r.body, tt.want)
		}
	}
	// What lies face down is all that is neither up nor taken, and either colour may be to move.
	var got setup
	body := map[string]any{"spec": "darkchess", "pieces": strings.Repeat("X", 30) + "k.", "seat": "second", "colours": [2]string{"red", "black"}, "taken": "P"}
	c.do("POST", "/api/v1/boards/setup", body).want(200).into(&got)
	if !strings.HasSuffix(got.Position, " b first=r hidden=KGGMMRRNNCCPPPPggmmrrnnccppppp") {
		t.Errorf("dark chess was set up as %q", got.Position)
	}
}
