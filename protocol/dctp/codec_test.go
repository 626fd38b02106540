package dctp

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/game/grid"
)

func TestReadPly(t *testing.T) {
	for _, c := range []struct {
		text string
		want game.Move
		bad  string
	}{
		{text: "c5 c6", want: game.ShiftTo(dark("c5"), dark("c6"))},
		{text: "c5-c6", want: game.ShiftTo(dark("c5"), dark("c6"))},
		{text: "C5  C6", want: game.ShiftTo(dark("c5"), dark("c6"))},
		{text: "c5c6", want: game.ShiftTo(dark("c5"), dark("c6"))},
		{text: "a1 a1", want: game.FlipAt(game.Pt(0, 7))},
		{text: "d8-d8 score 3", want: game.FlipAt(game.Pt(3, 0))},
		{text: "a0 a0", want: game.ResignMove()},
		{text: "a0-a0", want: game.ResignMove()},
		{text: "e1 e1", bad: "beyond"},
		{text: "a0 a1", bad: "beyond"},
		{text: "a1 a9", bad: "beyond"},
		{text: "a1", bad: "two squares"},
		{text: "", bad: "two squares"},
		{text: "a1 a2x", bad: "two squares"},
		{text: "pass", bad: "two squares"},
	} {
		m, err := ReadPly([]byte(c.text))
		if c.bad != "" {
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%q: %v %v", c.text, m, err)
			}
			continue
		}
		if err != nil || m != c.want {
			t.Errorf("%q: %v %v", c.text, m, err)
		}
	}
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		line string
		is   bool
		ok   bool
		n    int
		text string
	}{
		{"=7", true, true, 7, ""},
		{"=7 ", true, true, 7, ""},
		{"=12   c5 c6  ", true, true, 12, "c5 c6"},
		{"?12 what", true, false, 12, "what"},
		{"=12c5 c6", false, false, 0, ""},
		{"= 12 c5", false, false, 0, ""},
		{"=", false, false, 0, ""},
		{"get= 7 reset_board", false, false, 0, ""},
		{"=12345 x", false, false, 0, ""},
	} {
		ok, n, text, is := splitReply([]byte(c.line))
		if is != c.is || ok != c.ok || is && n != c.n || string(text) != c.text {
			t.Errorf("%q: %v %v %d %q", c.line, is, ok, n, text)
		}
	}
}

func TestRequests(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"12 genmove red", "12 [red]"},
		{"15 time_setting 900000", "15 [900000]"},
		{"  7", "7 []"},
		{"19 launch", "no number of a command"},
		{"genmove red", "no number of a command"},
		{"-1 x", "no number of a command"},
		{"", "empty"},
	} {
		r, err := ParseRequest(c.line)
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v", c.line, err)
			}
		default:
			if got := string(AppendRequest(nil, r.Number, r.Args...)); !strings.HasPrefix(c.want, strings.Fields(got)[0]+" ") {
				t.Errorf("%q: %q", c.line, got)
			}
		}
	}
}

func FuzzReadPly(f *testing.F) {
	for _, s := range []string{"c5 c6", "a0-a0", "d8 d8", "e9", "\xff\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadPly(b)
		if err != nil {
			return
		}
		text, err := AppendPly(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ReadPly(text); err != nil || again != m {
			t.Fatalf("%q: %v, %q: %v %v", b, m, text, again, err)
		}
	})
}

func FuzzParseRequest(f *testing.F) {
	f.Add("12 genmove red")
	f.Add("11 flip a1 K")
	f.Fuzz(func(t *testing.T, line string) {
		r, err := ParseRequest(line)
		if err != nil {
			return
		}
		again, err := ParseRequest(string(AppendRequest(nil, r.Number, r.Args...)))
		if err != nil || again.Number != r.Number || strings.Join(again.Args, " ") != strings.Join(r.Args, " ") {
			t.Fatalf("%q: %+v, then %+v %v", line, r, again, err)
		}
	})
}

// dark returns the point of a square.
func dark(text string) game.Point {
	p, _, _ := grid.ReadDarkSquare([]byte(text))
	return p
}
