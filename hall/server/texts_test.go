package server

import (
	"strings"
	"testing"

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
