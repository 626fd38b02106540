package gtp

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
)

func TestParseCommand(t *testing.T) {
	tests := []struct {
		line string
		want Command
		ok   bool
	}{
		{"genmove b", Command{Name: "genmove", Args: []string{"b"}}, true},
		{"  12   play\tW  d4 # best", Command{ID: 12, HasID: true, Name: "play", Args: []string{"W", "d4"}}, true},
		{"0 name", Command{ID: 0, HasID: true, Name: "name", Args: []string{}}, true},
		{"na\x01me\x7f\r", Command{Name: "name", Args: []string{}}, true},
		{"99999999999 name", Command{Name: "99999999999", Args: []string{"name"}}, true},
		{"-1 name", Command{Name: "-1", Args: []string{"name"}}, true},
		{"5", Command{}, false},
		{"# only a comment", Command{}, false},
		{" \t ", Command{}, false},
	}
	for _, tt := range tests {
		got, ok := ParseCommand(tt.line)
		if ok != tt.ok || ok && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %+v %v, want %+v %v", tt.line, got, ok, tt.want, tt.ok)
		}
	}
}

func TestParseReply(t *testing.T) {
	tests := []struct {
		line string
		want Reply
		ok   bool
	}{
		{"= f5", Reply{OK: true, Text: "f5"}, true},
		{"=", Reply{OK: true}, true},
		{"=12 f5 ", Reply{OK: true, ID: 12, HasID: true, Text: "f5"}, true},
		{"=12", Reply{OK: true, ID: 12, HasID: true}, true},
		{"=f5", Reply{OK: true, Text: "f5"}, true},
		{"? [ERROR] command not found", Reply{Text: "[ERROR] command not found"}, true},
		{"?3 no", Reply{ID: 3, HasID: true, Text: "no"}, true},
		{" = f5", Reply{}, false},
		{"f5", Reply{}, false},
		{"", Reply{}, false},
	}
	for _, tt := range tests {
		if got, ok := ParseReply([]byte(tt.line)); ok != tt.ok || got != tt.want {
			t.Errorf("%q: %+v %v, want %+v %v", tt.line, got, ok, tt.want, tt.ok)
		}
	}
	if got := string(AppendReply(nil, Reply{OK: true, ID: 4, HasID: true, Text: "a\n\n  b  \n"})); got != "=4 a\n  b\n\n" {
		t.Errorf("written %q", got)
	}
}

func TestVertices(t *testing.T) {
	tests := []struct {
		n    grid.Names
		text string
		want game.Point
		ok   bool
	}{
		{grid.Names{Width: 8, Height: 8, FromTop: true}, "a1", game.Pt(0, 0), true},
		{grid.Names{Width: 8, Height: 8, FromTop: true}, "H8", game.Pt(7, 7), true},
		{grid.Names{Width: 8, Height: 8, FromTop: true}, "i1", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15, NoI: true}, "a1", game.Pt(0, 14), true},
		{grid.Names{Width: 15, Height: 15, NoI: true}, "J8", game.Pt(8, 7), true},
		{grid.Names{Width: 15, Height: 15, NoI: true}, "i8", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15, NoI: true}, "p15", game.Pt(14, 0), true},
		{grid.Names{Width: 15, Height: 15, NoI: true}, "q1", game.NoPoint, false},
		{grid.Names{Width: 25, Height: 25, NoI: true}, "z25", game.Pt(24, 0), true},
		{grid.Names{Width: 15, Height: 15}, "i8", game.Pt(8, 7), true},
		{grid.Names{Width: 15, Height: 15}, "a0", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15}, "a16", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15}, "a", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15}, "a1b", game.NoPoint, false},
		{grid.Names{Width: 15, Height: 15}, "", game.NoPoint, false},
	}
	for _, tt := range tests {
		got, err := readVertex(tt.n, []byte(tt.text))
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("%q on %+v: %v, %v", tt.text, tt.n, got, err)
			continue
		}
		if err == nil {
			if text, ok := appendVertex(nil, tt.n, got); !ok || !strings.EqualFold(string(text), tt.text) {
				t.Errorf("%v is written %q, want %q", got, text, tt.text)
			}
		}
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	n := grid.Names{Width: 15, Height: 15, NoI: true}
	out, in := make([]byte, 0, 64), make([]game.Move, 0, 4)
	m := []game.Move{game.PlaceAt(game.Pt(9, 3))}
	if a := testing.AllocsPerRun(100, func() {
		out, _ = OnePoint.write(out[:0], n, m)
		in, _ = OnePoint.read(in[:0], n, out, nil)
	}); a != 0 {
		t.Errorf("%v allocations to write and read a move", a)
	}
	if in[0] != m[0] {
		t.Errorf("read %v", in)
	}
}

func TestTime(t *testing.T) {
	s := time.Second
	tests := []struct {
		c     clock.Control
		kgs   bool
		want  string
		exact bool
	}{
		{clock.Control{}, false, "time_settings 0 1 0", true},
		{clock.Control{}, true, "kgs-time_settings none", true},
		{clock.Control{Main: 90 * s}, false, "time_settings 90 0 0", true},
		{clock.Control{Main: 90 * s}, true, "kgs-time_settings absolute 90", true},
		{clock.Control{Main: 500 * time.Millisecond}, false, "time_settings 1 0 0", true},
		{clock.Control{Main: 90 * s, Increment: s}, false, "time_settings 90 0 0", false},
		{clock.Control{Increment: 2 * s}, false, "time_settings 2 0 0", false},
		{clock.Control{Main: 60 * s, Moves: 40}, false, "time_settings 0 60 40", true},
		{clock.Control{Main: 60 * s, Canadian: 30 * s, CanadianMoves: 5}, false, "time_settings 60 30 5", true},
		{clock.Control{Main: 60 * s, Canadian: 30 * s, CanadianMoves: 5}, true, "kgs-time_settings canadian 60 30 5", true},
		{clock.Control{Main: 60 * s, Periods: 3, Period: 10 * s}, true, "kgs-time_settings byoyomi 60 10 3", true},
		{clock.Control{Main: 60 * s, Periods: 3, Period: 10 * s}, false, "time_settings 60 10 1", false},
		{clock.Control{Turn: 1500 * time.Millisecond}, false, "time_settings 0 2 1", true},
		{clock.Control{Hourglass: 30 * s}, false, "time_settings 30 0 0", false},
	}
	for _, tt := range tests {
		if got, exact := settings(tt.c, tt.kgs); got != tt.want || exact != tt.exact {
			t.Errorf("%+v kgs=%v: %q %v, want %q %v", tt.c, tt.kgs, got, exact, tt.want, tt.exact)
		}
	}
	left := []struct {
		k    clock.Clock
		kgs  bool
		want string
	}{
		{clock.New(clock.Control{Main: 90 * s}).Spend(10500 * time.Millisecond), false, "79 0"},
		{clock.New(clock.Control{Main: s, Canadian: 30 * s, CanadianMoves: 5}).Spend(2 * s).EndTurn(), false, "29 4"},
		{clock.New(clock.Control{Main: s, Period: 10 * s, Periods: 3}).Spend(12 * s), true, "9 2"},
		{clock.New(clock.Control{Main: s, Period: 10 * s, Periods: 3}).Spend(12 * s), false, "9 1"},
		{clock.New(clock.Control{Turn: 5 * s}), false, "5 1"},
		{clock.New(clock.Control{Main: 60 * s, Turn: 5 * s}), false, "5 0"},
		{clock.New(clock.Control{Main: 60 * s, Moves: 40}), false, "60 40"},
	}
	for _, tt := range left {
		if got := string(appendLeft(nil, tt.k, tt.kgs)); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.k, got, tt.want)
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"1 play b d4", "genmove w # c", "\x00\t", "5", "time_left b 10 0", strings.Repeat("\x9d", MaxLine/2)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := ParseCommand(line)
		if !ok {
			return
		}
		again, ok := ParseCommand(c.String())
		if !ok || again.String() != c.String() {
			t.Fatalf("%q was read as %+v, and that as %+v", line, c, again)
		}
	})
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{"= f5", "=12 pass", "? no", "=1", "=resign", "chatter", "= i9", "= Z99"} {
		f.Add([]byte(s))
	}
	n := grid.Names{Width: 15, Height: 15, NoI: true}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, ok := ParseReply(line)
		if !ok {
			return
		}
		steps, err := OnePoint.read(nil, n, []byte(r.Text), nil)
		if err != nil {
			return
		}
		text, ok := OnePoint.write(nil, n, steps)
		back, err := OnePoint.read(nil, n, text, nil)
		if !ok || err != nil || back[0] != steps[0] {
			t.Fatalf("%q was read as %v, written as %q", line, steps, text)
		}
	})
}

// TestTurns reads what engines write for a turn, and writes it as the game does.
func TestTurns(t *testing.T) {
	go19 := grid.Names{Width: 19, Height: 19, NoI: true}
	ten := grid.Names{Width: 10, Height: 10}
	pt := func(n grid.Names, text string) game.Point {
		p, err := n.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	place := func(list ...string) (m []game.Move) {
		for _, text := range list {
			m = append(m, game.PlaceAt(pt(go19, text)))
		}
		return m
	}
	shift := game.ShiftTo(pt(ten, "d1"), pt(ten, "d7"))
	whole := []game.Move{shift, game.ShootAt(pt(ten, "g7"))}
	tests := []struct {
		form  TurnForm
		n     grid.Names
		begun []game.Move
		text  string
		want  []game.Move
		wrote string
		bad   string
	}{
		{TwoStones, go19, nil, "K10,L11", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, " k10 , l11 ", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, "k10 L11", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, "k10-l11", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, "k10l11", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, "(K10)(L11)", place("k10", "l11"), "k10,l11", ""},
		{TwoStones, go19, nil, "j10", place("j10"), "j10", ""},
		{TwoStones, go19, nil, "j10,", place("j10"), "j10", ""},
		{TwoStones, go19, place("k10"), "l11", place("l11"), "l11", ""},
		{TwoStones, go19, nil, "k10,pass", append(place("k10"), game.PassMove()), "k10,pass", ""},
		{TwoStones, go19, nil, "pass", []game.Move{game.PassMove()}, "pass", ""},
		{TwoStones, go19, nil, "k10,l11,m12", nil, "", "one point too many"},
		{TwoStones, go19, nil, "k10,i11", nil, "", "there is no column i"},
		{TwoStones, go19, nil, "k10,l20", nil, "", "there is no row 20 on the 19x19 board"},
		{TwoStones, go19, nil, "", nil, "", "is not a point"},
		{TwoStones, go19, nil, ",", nil, "", "is not a point"},
		{TwoStones, go19, nil, "k10 = l11", nil, "", "is not a point"},
		{OnePoint, go19, nil, "k10 l11", nil, "", "one point too many"},
		{ShiftAndArrow, ten, nil, "d1-d7-g7", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "D1-D7/G7", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "d1-d7(g7)", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "d1 d7 g7", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "d1,d7,g7", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "d1d7g7", whole, "d1-d7-g7", ""},
		{ShiftAndArrow, ten, nil, "d1-d7", whole[:1], "d1-d7", ""},
		{ShiftAndArrow, ten, whole[:1], "g7", whole[1:], "g7", ""},
		{ShiftAndArrow, ten, whole[:1], "d1-d7-g7", whole[1:], "g7", ""},
		{ShiftAndArrow, ten, whole[:1], "d1-d8-g7", nil, "", "only the arrow"},
		{ShiftAndArrow, ten, nil, "d1", nil, "", "three points"},
		{ShiftAndArrow, ten, nil, "d1-d7-pass", nil, "", "a pass is no part"},
		{ShiftAndArrow, ten, nil, "d1-d7-g7-g8", nil, "", "one point too many"},
		{ShiftAndArrow, ten, nil, "pass", []game.Move{game.PassMove()}, "pass", ""},
	}
	for _, tt := range tests {
		got, err := tt.form.read(nil, tt.n, []byte(tt.text), tt.begun)
		if tt.bad != "" {
			if err == nil || !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%q: %v, %v, want %q", tt.text, got, err, tt.bad)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %v, %v, want %v", tt.text, got, err, tt.want)
			continue
		}
		if text, ok := tt.form.write(nil, tt.n, got); !ok || string(text) != tt.wrote {
			t.Errorf("%q is written %q, want %q", tt.text, text, tt.wrote)
		}
	}
	for _, bad := range [][]game.Move{nil, {game.ChooseArg(1)}, {game.PlaceAt(game.Pt(30, 2))}, place("a1", "b1", "c1")} {
		if text, ok := TwoStones.write(nil, go19, bad); ok {
			t.Errorf("%v is written %q", bad, text)
		}
	}
}

// FuzzTurn reads turns of every form, and reads again what was written.
func FuzzTurn(f *testing.F) {
	for _, s := range []string{"K10,L11", "d1-d7-g7", "d1-d7(g7)", "k10 pass", "pass", "a1b2c3", "k10 = l11", ",,", "d1>d7>g7"} {
		f.Add(s, uint8(3), false)
	}
	f.Add("g7", uint8(4), true)
	f.Fuzz(func(t *testing.T, text string, row uint8, begun bool) {
		form := forms[int(row)%len(forms)]
		n, err := form.lettering(form.Size, form.Size, "", "")
		if err != nil {
			t.Fatal(err)
		}
		var before []game.Move
		if begun && !form.Turn.Stepwise {
			before = []game.Move{game.ShiftTo(game.Pt(3, 9), game.Pt(3, 3))}
		}
		steps, err := form.Turn.read(nil, n, []byte(text), before)
		if err != nil {
			return
		}
		out, ok := form.Turn.write(nil, n, steps)
		if !ok {
			t.Fatalf("%q was read as %v, which cannot be written", text, steps)
		}
		again, err := form.Turn.read(nil, n, out, before)
		if err != nil || !reflect.DeepEqual(again, steps) {
			t.Fatalf("%q was read as %v, written as %q and read as %v, %v", text, steps, out, again, err)
		}
	})
}
