package pos_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/pos"
	"kibitz/rules"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want []game.Point
		err  string
	}{
		{"h8i9g7", []game.Point{game.Pt(7, 7), game.Pt(8, 8), game.Pt(6, 6)}, ""},
		{"H8 i9, G7;a1", []game.Point{game.Pt(7, 7), game.Pt(8, 8), game.Pt(6, 6), game.Pt(0, 0)}, ""},
		{"z26", []game.Point{game.Pt(25, 25)}, ""},
		{"", nil, ""},
		{"h8x", nil, `"x" is no point`},
		{"h0", nil, "the row must be 1 to 26"},
		{"h27", nil, "the row must be 1 to 26"},
		{"h8 8h", nil, `"8" is no column letter`},
		{"h1234", nil, "the row must be"},
	}
	for _, tt := range tests {
		got, err := pos.Parse(tt.text)
		if (tt.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if err == nil && cmp.Diff(tt.want, got) != "" {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
	if s := pos.Format([]game.Point{game.Pt(7, 7), game.Pt(26, 0)}); s != "h8?" {
		t.Error(s)
	}
	if _, err := pos.Append(nil, []game.Point{game.NoPoint}); err == nil {
		t.Error("a point off the board is written")
	}
}

// plain compares files whatever their line ends.
func plain(b []byte) string {
	return strings.TrimRight(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
}

func sizes(n int, points func(i int) int) map[int]int {
	m := map[int]int{}
	for i := range n {
		m[points(i)]++
	}
	return m
}

func TestPosFile(t *testing.T) {
	data := shared.Read(t, "data", "gomoku", "openings", "c-gomoku-cli-pos_freestyle_20x20.txt")
	list, faults := pos.Read(data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if d := cmp.Diff(map[int]int{18: 1, 4: 1, 5: 2}, sizes(len(list), func(i int) int { return len(list[i].Points) })); d != "" {
		t.Error(d)
	}
	if again := write(t, list); plain(again) != plain(data) {
		t.Errorf("%s", again)
	}
}

func TestOffsetFiles(t *testing.T) {
	for name, want := range map[string]map[int]int{
		"piskvork-openings.txt":                   {3: 22, 5: 19},
		"gomocup-online-openings.txt":             {4: 1, 5: 2},
		"gomocup-judge-openings_20.txt":           {3: 4, 41: 1, 7: 1},
		"c-gomoku-cli-offset_freestyle_20x20.txt": {20: 1, 5: 1, 6: 2},
	} {
		data := shared.Read(t, "data", "gomoku", "openings", name)
		list, faults := pos.ReadOffsets(data)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", name, faults)
		}
		if d := cmp.Diff(want, sizes(len(list), func(i int) int { return len(list[i].Stones) })); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for _, o := range list {
			points, err := o.Place(20, 20)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if d := cmp.Diff(o.Stones, pos.OffsetsOf(points, 20, 20)); d != "" {
				t.Errorf("%s line %d: %s", name, o.Line, d)
			}
			if over(t, "gomoku:size=20", points) {
				t.Errorf("%s line %d: the opening ends the game", name, o.Line)
			}
		}
		again, err := pos.WriteOffsets(list)
		dense := func(b []byte) string { return strings.ReplaceAll(plain(b), " ", "") }
		if err != nil || dense(again) != dense(data) {
			t.Errorf("%s: %v\n%s", name, err, again)
		}
	}
}

// over replays stones and reports whether the game has ended.
func over(t *testing.T, spec string, points []game.Point) bool {
	t.Helper()
	r, err := rules.Open([]rules.Game{gomoku.Game()}, spec)
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	for i, p := range points {
		if _, err := s.Apply(game.PlaceAt(p), nil); err != nil {
			t.Fatalf("stone %d: %v", i+1, err)
		}
	}
	_, ended := s.Result()
	return ended
}

// TestGameList reads whole games, one a line, with blanks between the points.
func TestGameList(t *testing.T) {
	list, faults := pos.Read(shared.Read(t, "data", "gomoku", "playok", "eva-moves-1-200.txt"))
	if len(list) != 200 || len(faults) > 0 {
		t.Fatalf("%d games, %v", len(list), faults)
	}
	fives := 0
	for _, o := range list {
		if over(t, "gomoku:rule=standard", o.Points) {
			fives++
		}
	}
	if fives != 189 {
		t.Errorf("%d games end with exactly five", fives)
	}
}

func TestPlace(t *testing.T) {
	o := pos.Offsets{Stones: []pos.Offset{{0, 0}, {-7, 7}}, Line: 4}
	got, err := o.Place(15, 15)
	if err != nil || cmp.Diff([]game.Point{game.Pt(7, 7), game.Pt(0, 14)}, got) != "" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = o.Place(20, 20); err != nil || got[0] != game.Pt(10, 10) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err = o.Place(15, 14); err == nil || err.Error() != "line 4: stone 2, at -7,7 from the centre, lies outside the board of 15x14" {
		t.Error(err)
	}
}

func TestFaultyLines(t *testing.T) {
	list, faults := pos.ReadOffsets([]byte("# a remark\n0,0, 1,1\n1,2,3\n\n1,x\n50,0\n2,2,2,2\n-49,49"))
	if len(list) != 2 || list[0].Line != 2 || list[1].Line != 8 {
		t.Errorf("%+v", list)
	}
	check(t, faults, []string{
		"line 3: 3 numbers make no pairs", `line 5:3: "x" is no whole number`, "line 6:1: 50 is too far", "line 7: stone 2 is on a point that is taken",
	})
	games, faults := pos.Read([]byte("\ufeffh8\nh8h8\n?\ni9\n"))
	if len(games) != 2 || games[1].Line != 4 {
		t.Errorf("%+v", games)
	}
	check(t, faults, []string{"line 2: stone 2", `line 3:1: "?"`})
	if _, err := pos.WriteOffsets([]pos.Offsets{{Stones: []pos.Offset{{0, -50}}}}); err == nil {
		t.Error("50 is written")
	}
}

func check(t *testing.T, faults []*record.Error, want []string) {
	t.Helper()
	if len(faults) != len(want) {
		t.Fatalf("%v", faults)
	}
	for i, f := range faults {
		if !strings.Contains(f.Error(), want[i]) {
			t.Errorf("%v instead of %q", f, want[i])
		}
	}
}

func TestBinary(t *testing.T) {
	for name, want := range map[string]struct{ moves, passes int }{
		"examplefiles__4th_is_a_pass.pos":    {5, 1},
		"examplefiles__example.pos":          {30, 0},
		"examplefiles__pos_two_top_rows.pos": {30, 0},
	} {
		data := shared.Read(t, "data", "gomoku", "pos", name)
		moves, err := pos.ReadBinary(data)
		if err != nil {
			t.Fatal(err)
		}
		passes := 0
		for _, m := range moves {
			if m.Op == game.Pass {
				passes++
			}
		}
		if len(moves) != want.moves || passes != want.passes {
			t.Errorf("%s: %d moves, %d passes", name, len(moves), passes)
		}
		if again := binary(moves); !bytes.Equal(again, data) {
			t.Errorf("%s: %x", name, again)
		}
	}
	moves, err := pos.ReadBinary([]byte{2, 112, 240})
	if err != nil || moves[0] != game.PlaceAt(game.Pt(7, 7)) || moves[1] != game.PassMove() {
		t.Errorf("%v, %v", moves, err)
	}
	for _, bad := range [][]byte{nil, {3, 1}, {1, 225}, {1, 255}} {
		if _, err := pos.ReadBinary(bad); err == nil {
			t.Errorf("%v is read", bad)
		}
	}
}

func FuzzPos(f *testing.F) {
	for _, s := range []string{"h8i9g7", "A1 b2", "h8x", "0,0, 1,-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if points, err := pos.Parse(text); err == nil {
			again, err := pos.Parse(pos.Format(points))
			if err != nil || cmp.Diff(points, again) != "" {
				t.Fatalf("%v %v", again, err)
			}
		}
		list, _ := pos.ReadOffsets([]byte(text))
		out, err := pos.WriteOffsets(list)
		if err != nil {
			t.Fatal(err)
		}
		again, faults := pos.ReadOffsets(out)
		if len(faults) > 0 || len(again) > len(list) {
			t.Fatalf("%q: %v", out, faults)
		}
		for _, o := range list {
			_, _ = o.Place(15, 15)
		}
		if moves, err := pos.ReadBinary([]byte(text)); err == nil {
			if b := binary(moves); string(b) != text {
				t.Fatalf("%x", b)
			}
		}
	})
}

// write returns a file with one pos string in each line.
func write(t *testing.T, openings []pos.Opening) (b []byte) {
	t.Helper()
	for i, o := range openings {
		var err error
		if b, err = pos.Append(b, o.Points); err != nil {
			t.Fatalf("opening %d: %v", i+1, err)
		}
		b = append(b, '\n')
	}
	return b
}

// binary is the .pos file of moves that were read from one.
func binary(moves []game.Move) []byte {
	b := []byte{byte(len(moves))}
	for _, m := range moves {
		if m.Op == game.Pass {
			b = append(b, 240)
		} else {
			b = append(b, byte(m.To.Index(15)))
		}
	}
	return b
}
