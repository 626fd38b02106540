package renlib_test

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/renlib"
)

type totals struct{ nodes, leaves, comments, passes, depth, warnings int }

func count(lib *renlib.Library) totals {
	n := totals{nodes: len(lib.Nodes), warnings: len(lib.Warnings)}
	parents := map[int]bool{}
	for _, x := range lib.Nodes {
		parents[x.Parent] = true
		n.depth = max(n.depth, x.Depth)
		if x.Title+x.Comment != "" {
			n.comments++
		}
		if x.Move.Op == game.Pass {
			n.passes++
		}
	}
	for i := range lib.Nodes {
		if !parents[i] {
			n.leaves++
		}
	}
	return n
}

// walk counts the steps of a game with its variations.
func walk(steps []record.Step) int {
	n := 0
	for _, s := range steps {
		n++
		for _, v := range s.Variations {
			n += walk(v)
		}
	}
	return n
}

// TestFiles reads every library of the shared data. The files named pos_ are saved
// positions that stop without the mark of a leaf.
func TestFiles(t *testing.T) {
	for name, want := range map[string]totals{
		"examplefiles__example_for_science":      {nodes: 5, leaves: 2, comments: 5, depth: 3},
		"examplefiles__lib_3_is_pass":            {nodes: 4, leaves: 1, comments: 1, passes: 1, depth: 4},
		"examplefiles__lib_4_left_right_up_down": {nodes: 7, leaves: 4, depth: 4},
		"examplefiles__lib_comment":              {nodes: 2, leaves: 1, comments: 2, depth: 2, warnings: 1},
		"examplefiles__lib_documented":           {nodes: 13, leaves: 4, comments: 2, depth: 7},
		"examplefiles__lib_nocomment":            {nodes: 2, leaves: 1, depth: 2},
		"examplefiles__lib_single_stone_15xB":    {nodes: 2, leaves: 2, depth: 1},
		"examplefiles__lib_two_stone_15xB":       {nodes: 3, leaves: 2, depth: 2},
		"examplefiles__lib_two_top_rows":         {nodes: 31, leaves: 2, depth: 30},
		"examplefiles__nocomments":               {nodes: 21, leaves: 4, depth: 11},
		"examplefiles__pos_4_in_corner":          {nodes: 16, leaves: 1, depth: 16, warnings: 1},
		"examplefiles__pos_4th_is_a_pass":        {nodes: 5, leaves: 1, comments: 1, passes: 1, depth: 5},
		"examplefiles__pos_comment":              {nodes: 2, leaves: 1, comments: 2, depth: 2},
		"examplefiles__pos_nocomment":            {nodes: 2, leaves: 1, depth: 2},
		"examplefiles__pos_single_stone_15xB":    {nodes: 1, leaves: 1, depth: 1, warnings: 1},
		"examplefiles__pos_two_top_rows":         {nodes: 2, leaves: 1, depth: 2, warnings: 1},
		"tests__I7":                              {nodes: 2076, leaves: 262, comments: 93, depth: 37},
		"tests__one_move":                        {nodes: 1, leaves: 1, depth: 1},
		"tests__rps-fail":                        {nodes: 176, leaves: 8, comments: 9, depth: 50, warnings: 1},
	} {
		data := shared.Read(t, "data", "gomoku", "renlib", name+".lib")
		lib, err := renlib.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := count(lib); got != want {
			t.Errorf("%s: %+v, want %+v (%q)", name, got, want, lib.Warnings)
		}
		if lib.Major != 3 {
			t.Errorf("%s: version %d.%d", name, lib.Major, lib.Minor)
		}
		if n := walk(lib.Game().Steps); n != want.nodes {
			t.Errorf("%s: the game has %d steps", name, n)
		}
	}
}

func TestTree(t *testing.T) {
	g, err := renlib.Read(shared.Read(t, "data", "gomoku", "renlib", "tests__I7.lib"))
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }
	if s := g.Steps[0]; s.Move != at(7, 7) || s.Comment != "Welcome to RenLib" || s.By != game.First {
		t.Errorf("%+v", s)
	}
	if s := g.Steps[2]; s.Move != at(8, 8) || s.Comment != "Sure win for black" || s.By != game.First {
		t.Errorf("%+v", s)
	}
	// 57 80, 67 c8: the fourth move has a sibling, the fifth is a leaf with one.
	if s := g.Steps[4]; s.Move != at(6, 6) || s.Comment != "SEE 3-5,4-4,5-3" || len(g.Steps) != 5 || len(s.Variations) != 1 {
		t.Errorf("%+v, %d steps", s, len(g.Steps))
	} else if v := s.Variations[0]; len(v) != 2 || v[0].Move != at(9, 7) || v[1].Move != at(6, 6) || v[1].Comment != "SEE 4-6,6-4" {
		t.Errorf("%+v", v)
	}
	if n := len(g.Steps[3].Variations); n < 3 {
		t.Errorf("the fourth move has %d variations", n)
	}
}

func lib(nodes string) []byte {
	return []byte("\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" + nodes)
}

func TestNodes(t *testing.T) {
	l, err := renlib.Parse(lib("\x00\x08root\b\xe4 text\x00\x78\x59\x01\x00one\x00AB\x00\x00\x00\x42"))
	if err != nil {
		t.Fatal(err)
	}
	if l.Title != "root" || l.Comment != "\u00e4 text" {
		t.Errorf("%q %q", l.Title, l.Comment)
	}
	if len(l.Nodes) != 1 || l.Nodes[0].Title != "one" || l.Nodes[0].Text != "AB" || !l.Nodes[0].Marked {
		t.Errorf("%+v", l)
	}
	if g := l.Game(); g.Comment != "root\n\u00e4 text" || g.Steps[0].Comment != "one\nAB" {
		t.Errorf("%+v", g)
	}
	for data, want := range map[string]string{
		"":                              "no RenLib library",
		"RenLib":                        "no RenLib library",
		string(lib("\x78\x00\x10\x00")): "byte 22: 0x10 is no point",
		string(lib("\xf1\x00")):         "byte 20: 0xf1 is no point",
		string(lib(strings.Repeat("\x78\x00", 1001))): "more than 1000 moves",
	} {
		if _, err := renlib.Parse([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(lib("\x78\x08Welcome\x00\x69\x80\x70\x40\x68\x40"))
	f.Add(lib("\x00\x00\x78\xc0\x79\x40"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := renlib.Parse(data)
		if err != nil {
			return
		}
		for i, n := range l.Nodes {
			if n.Parent >= i || n.Move.Op == game.Place && !n.Move.To.On(renlib.Size, renlib.Size) {
				t.Fatalf("node %d: %+v", i, n)
			}
		}
		if n := walk(l.Game().Steps); n != len(l.Nodes) {
			t.Fatalf("%d steps of %d nodes", n, len(l.Nodes))
		}
	})
}
