package ponder

import (
	"slices"
	"strings"
	"testing"

	"kibitz/game"
)

func TestStart(t *testing.T) {
	fresh := start{board: initial(), ms: 900000}
	const tail = "1,2,2,2,2,2,5,1,2,2,2,2,2,5,0,900000"
	for _, old := range []bool{false, true} {
		want := "/start " + strings.Repeat("X,", 32) + tail
		if old {
			want = "/start " + strings.Repeat("8,", 32) + tail
		}
		if got := string(appendStart(nil, &fresh, old)); got != want {
			t.Errorf("old %t: %s", old, got)
		}
	}
	// Past plies, in both versions: squares count from a1 to the right and upwards.
	under := start{board: initial(), ms: 5}
	under.board.cell[6], under.board.cell[9] = 'K', 'p'
	under.history = [][]game.Move{flipped(6, 'K'), flipped(10, 'p'), {game.ShiftTo(at(10), at(9))}}
	under.board.cell[10] = empty
	for _, c := range []struct {
		old  bool
		tail string
	}{{false, "3,c2(K),c3(p),c3-b3,5"}, {true, "3,06(01),10(15),10-09,5"}} {
		got := string(appendStart(nil, &under, c.old))
		if !strings.HasSuffix(got, ",5,"+c.tail) {
			t.Errorf("%s", got)
		}
		s, err := parseStart(strings.TrimPrefix(got, "/start "), c.old)
		if err != nil || s.board != under.board || s.ms != 5 || !slices.EqualFunc(s.history, under.history, slices.Equal) {
			t.Errorf("%+v %v", s, err)
		}
	}
	text, err := under.board.text(game.Red)
	if err != nil || text != "XXXX/XXXX/XXXX/XXXX/XXXX/Xp-X/XXKX/XXXX r alive=1,2,2,2,2,2,5,1,2,2,2,2,2,5" {
		t.Errorf("%q %v", text, err)
	}
	for _, bad := range []string{
		"", "X,X", strings.Repeat("Q,", 32) + tail, strings.Repeat("X,", 32) + "9" + tail[1:],
		strings.Repeat("X,", 32) + strings.Replace(tail, ",0,", ",2,", 1), strings.Repeat("X,", 32) + strings.Replace(tail, "900000", "soon", 1),
		strings.Repeat("X,", 32) + strings.Replace(tail, ",0,", ",1,b7-b7,", 1),
	} {
		if s, err := parseStart(bad, false); err == nil {
			t.Errorf("%q is read as %+v", bad, s)
		}
	}
}

func TestPlies(t *testing.T) {
	for _, c := range []struct {
		text string
		old  bool
		ply  []game.Move
		ms   int64
		last bool
	}{
		{"/flip b4(P) 899964 0", false, flipped(13, 'P'), 899964, false},
		{"/move b4-b5 898642 1", false, []game.Move{game.ShiftTo(at(13), at(17))}, 898642, true},
		{"/flip 2 1 4 899965", true, flipped(6, 'R'), 899965, false},
		{"/move 3 7 3 6 899706", true, []game.Move{game.ShiftTo(at(31), at(27))}, 899706, false},
	} {
		ply, ms, last, err := parsePly(c.text, c.old)
		if err != nil || !slices.Equal(ply, c.ply) || ms != c.ms || last != c.last {
			t.Errorf("%q: %v %d %t %v", c.text, ply, ms, last, err)
			continue
		}
		if again := string(appendPly(nil, ply, ms, last, c.old)); again != c.text {
			t.Errorf("%q is written %q", c.text, again)
		}
	}
	for _, c := range []struct {
		text string
		old  bool
	}{{"/flip b4 100 0", false}, {"/move", false}, {"/flip 1 1 8 5", true}, {"/flip 9 9 1 5", true}, {"/move 1 1 1", true}, {"/move b4-b5 soon", false}} {
		if ply, _, _, err := parsePly(c.text, c.old); err == nil {
			t.Errorf("%q is read as %v", c.text, ply)
		}
	}
}

func TestRequests(t *testing.T) {
	for _, c := range []struct {
		text string
		old  bool
		want game.Move
		bad  bool
	}{
		{text: "/move a2-a3", want: game.ShiftTo(at(4), at(8))},
		{text: "/move a2 a3", want: game.ShiftTo(at(4), at(8))},
		{text: "/flip b6", want: game.FlipAt(at(21))},
		{text: "/flip b6-b6", want: game.FlipAt(at(21))},
		{text: "/move b6-b6", want: game.FlipAt(at(21))},
		{text: "/flip a0", want: game.ResignMove()},
		{text: "/move a0-a0", want: game.ResignMove()},
		{text: "/flip a1-a2", bad: true},
		{text: "/move z", bad: true},
		{text: "/flip 2 1", old: true, want: game.FlipAt(at(6))},
		{text: "/move 3 7 3 6", old: true, want: game.ShiftTo(at(31), at(27))},
		{text: "/flip 0 -1", old: true, want: game.ResignMove()},
		{text: "/flip 4 0", old: true, bad: true},
		{text: "/move 1 2", old: true, bad: true},
	} {
		m, is, err := parseRequest(c.text, c.old)
		if !is || c.bad != (err != nil) || m != c.want && !c.bad {
			t.Errorf("%q: %v %t %v", c.text, m, is, err)
			continue
		}
		if c.bad {
			continue
		}
		text, err := appendRequest(nil, m, c.old)
		if again, _, err2 := parseRequest(string(text), c.old); err != nil || err2 != nil || again != m {
			t.Errorf("%q is written %q: %v %v", c.text, text, err, err2)
		}
	}
	if _, is, _ := parseRequest("hello", false); is {
		t.Error("hello is a request")
	}
}

// Nothing that a client sends makes the reader panic, and what is understood is
// written back to the same.
func FuzzMessages(f *testing.F) {
	for _, s := range []string{"X,X", "/flip b4(P) 1 0", "/move 3 7 3 6 5", "/flip 0 -1", "06(01)", "/start " + strings.Repeat("8,", 46) + "0,1"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	fresh := start{board: initial(), ms: 900000, history: [][]game.Move{flipped(3, 'c')}}
	f.Add(strings.TrimPrefix(string(appendStart(nil, &fresh, true)), "/start "), true)
	f.Add(strings.TrimPrefix(string(appendStart(nil, &fresh, false)), "/start "), false)
	f.Fuzz(func(t *testing.T, text string, old bool) {
		if s, err := parseStart(text, old); err == nil {
			again, err := parseStart(strings.TrimPrefix(string(appendStart(nil, &s, old)), "/start "), old)
			if err != nil || again.board != s.board || !slices.EqualFunc(again.history, s.history, slices.Equal) {
				t.Fatalf("%q: %+v %v", text, again, err)
			}
		}
		if ply, ms, last, err := parsePly(text, old); err == nil {
			if again, ms2, last2, err := parsePly(string(appendPly(nil, ply, ms, last, old)), old); err != nil || !slices.Equal(again, ply) || ms2 != ms || last2 != (last && !old) {
				t.Fatalf("%q: %v %v", text, again, err)
			}
		}
		if m, is, err := parseRequest(text, old); is && err == nil {
			b, err := appendRequest(nil, m, old)
			if again, _, err2 := parseRequest(string(b), old); err != nil || err2 != nil || again != m {
				t.Fatalf("%q: %v, written %q, %v %v", text, m, b, err, err2)
			}
		}
	})
}
