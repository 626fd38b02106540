package movetext_test

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/movetext"
)

func text(t *testing.T, g *record.Game) string {
	t.Helper()
	b, err := movetext.Append(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestParse(t *testing.T) {
	tests := []struct{ in, want, comment string }{
		{"f5d6c3d3", "f5d6c3d3", ""},
		{"F5d6C3", "f5d6c3", ""},
		{" 1. f5 d6 2. c3, d3\n3. c4 f4 ", "f5d6c3d3c4f4", ""},
		{"1.f5 2.d6 3...c3", "f5d6c3", ""},
		{"f5-d6-c3", "f5d6c3", ""},
		{"f5 pa PASS -- ps d6", "f5d6", ""},
		{"f5padd6", "", ""},
		{"C4c3                                     Diagonal Opening", "c4c3", "Diagonal Opening"},
		{"C4c3D3 Bat (Piau Continuation 2)", "c4c3d3", "Bat (Piau Continuation 2)"},
		{"f5 d6 Cow", "f5d6", "Cow"},
		{"f5 d6x", "", ""},
		{"f5 d6 Parallel", "f5d6", "Parallel"},
		{"i5", "", ""},
		{"f9", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		g, err := movetext.Parse(tt.in)
		switch {
		case tt.want == "":
			if err == nil {
				t.Errorf("%q: read as %s", tt.in, text(t, g))
			}
		case err != nil:
			t.Errorf("%q: %v", tt.in, err)
		default:
			if got := text(t, g); got != tt.want || g.Comment != tt.comment {
				t.Errorf("%q: %s %q", tt.in, got, g.Comment)
			}
		}
	}
	g, err := movetext.Parse("f5 pa --")
	if err != nil || len(g.Steps) != 3 || g.Steps[1].Move != game.PassMove() || g.Steps[2].Column != 7 {
		t.Errorf("%+v %v", g, err)
	}
	if _, err := movetext.Parse("f5d6\nz1"); err == nil || !strings.HasPrefix(err.Error(), "line 2:1:") {
		t.Errorf("place: %v", err)
	}
}

func TestRead(t *testing.T) {
	const file = `# openings
f5d6c3 Tiger

1. f5 d6
2. c3 d3
1. f5 f6
---------------------------OX------XO--------------------------- X
+d3-c5+f6: +12 0
c4q9
`
	games, err := movetext.Read([]byte(file))
	if err == nil || !strings.Contains(err.Error(), "line 9:3") {
		t.Errorf("error %v", err)
	}
	if len(games) != 5 {
		t.Fatalf("%d games", len(games))
	}
	if games[0].Comment != "Tiger" || text(t, games[1]) != "f5d6c3d3" || text(t, games[2]) != "f5f6" {
		t.Errorf("%q %s %s", games[0].Comment, text(t, games[1]), text(t, games[2]))
	}
	if games[3].Start != "---------------------------OX------XO--------------------------- X" || games[3].Line != 7 {
		t.Errorf("%+v", games[3])
	}
	log := games[4]
	if log.Result == nil || log.Result.Board != [2]float64{38, 26} || log.Steps[1].By != game.Second {
		t.Errorf("%+v", log)
	}
}

// TestOpenings reads a published list of openings.
func TestOpenings(t *testing.T) {
	data := shared.Read(t, "data", "othello", "openings", "zebra-openings.txt")
	games, err := movetext.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	moves, named := 0, 0
	for _, g := range games {
		moves += len(g.Steps)
		if g.Comment != "" {
			named++
		}
	}
	if len(games) != 76 || named != 76 || moves != 645 {
		t.Errorf("%d openings, %d named, %d moves", len(games), named, moves)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("3\nf5d6 Name\n1. f5 d6\n2. pa c3\n+d3-c5: -2 x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, _ := movetext.Read(data)
		for _, g := range games {
			if g.Start != "" || len(g.Steps) == 0 {
				continue
			}
			one, err := movetext.Append(nil, g)
			if err != nil {
				t.Fatal(err)
			}
			if len(one) == 0 {
				continue
			}
			again, err := movetext.Parse(string(one))
			if err != nil {
				t.Fatalf("%q: %v", one, err)
			}
			two, err := movetext.Append(nil, again)
			if err != nil || string(two) != string(one) {
				t.Fatalf("%q %q %v", one, two, err)
			}
		}
	})
}
