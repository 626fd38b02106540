package ggf_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/record/ggf"
)

// TestValues reads the table of tag values.
func TestValues(t *testing.T) {
	data, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]func(*testing.T, string) string{
		"clock": readClock, "result": readResult, "type": readType, "date": readDate, "board": readBoard,
	}
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || read[f[0]] == nil {
			t.Fatalf("testdata: %q", line)
		}
		n++
		if got := read[f[0]](t, f[1]); got != f[2] {
			t.Errorf("%s %q: got %q, want %q", f[0], f[1], got, f[2])
		}
	}
	if n < 40 {
		t.Errorf("only %d values", n)
	}
}

func readClock(t *testing.T, v string) string {
	c, err := ggf.ParseClock(v)
	if err != nil {
		return "-"
	}
	again, err := ggf.ParseClock(c.String())
	if err != nil || again != c {
		t.Errorf("clock %q written %q reads %+v, %v", v, c.String(), again, err)
	}
	text, ok := c.Control()
	if !ok {
		if c.Plain() == nil {
			t.Errorf("clock %q: plain, but has no control", v)
		}
		return "comma"
	}
	if back, ok := ggf.FromControl(text); ok {
		if s, _ := back.Control(); s != text {
			t.Errorf("control %q came back as %q", text, s)
		}
	} else if text != "" {
		t.Errorf("control %q does not come back", text)
	}
	return text
}

func readResult(t *testing.T, v string) string {
	g := parse(t, strings.Replace(header, "BO", "RE["+v+"]BO", 1)+";)")
	if g.Result == nil {
		w, _ := g.Tag(ggf.TagResult)
		return strings.TrimSpace("none " + w)
	}
	r := g.Result
	return strings.TrimSpace(fmt.Sprintf("%v-%v %v-%v %s", r.Points[0], r.Points[1], r.Board[0], r.Board[1], r.Reason))
}

func readType(_ *testing.T, v string) string {
	typ, ok := ggf.ParseType(v)
	if !ok {
		return "-"
	}
	var b strings.Builder
	if typ.Synchro {
		b.WriteByte('s')
	}
	fmt.Fprint(&b, typ.Size)
	if typ.Komi {
		b.WriteByte('k')
	}
	if typ.Anti {
		b.WriteByte('a')
	}
	if typ.Random > 0 {
		b.WriteString("r" + strconv.Itoa(typ.Random))
	} else if typ.Random < 0 {
		b.WriteByte('r')
	}
	if typ.Colour != 0 {
		b.WriteByte(typ.Colour)
	}
	return b.String()
}

func readDate(_ *testing.T, v string) string {
	d, ok := ggf.ParseDate(v)
	if !ok {
		return "-"
	}
	return d.Format(time.DateTime)
}

func readBoard(_ *testing.T, v string) string {
	b, err := ggf.ParseBoard(v)
	if err != nil {
		return "-"
	}
	return b.Text()
}

// TestResultWriting tells results that come from a referee, not from a file.
func TestResultWriting(t *testing.T) {
	board := game.Win(game.First, ggf.End, "")
	board.Board, board.HasBoard = [2]float64{44, 20}, true
	running := game.Win(game.Second, game.ByTime, "")
	running.Board, running.HasBoard = [2]float64{10, 7}, true
	tests := []struct {
		r    game.Result
		want string
	}{
		{board, "+24"},
		{running, "-64:t"},
		{game.Win(game.First, game.ByResign, ""), "+64:r"},
		{game.Win(game.First, game.ByCrash, ""), "+64"},
		{game.Drawn(game.ByAgreement, ""), "0:s"},
		{game.Result{Reason: game.ByAbort}, "aborted"},
	}
	for _, tt := range tests {
		g := parse(t, header+";)")
		g.Result = &tt.r
		buf, err := ggf.Append(nil, g)
		if err != nil || !strings.Contains(string(buf), "RE["+tt.want+"]") {
			t.Errorf("%+v: %s, %v; want %s", tt.r, buf, err, tt.want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, s := range []string{"PA", "pa", "Pas", "pass", "PASS", "ps", "PS", "--"} {
		if m, ok := ggf.ParseMove(s); !ok || m != game.PassMove() {
			t.Errorf("%q is %v, %v", s, m, ok)
		}
	}
	for _, s := range []string{"", "p", "f", "f0", "5f", "-", "é5", "pq"} {
		if m, ok := ggf.ParseMove(s); ok {
			t.Errorf("%q is %v", s, m)
		}
	}
	for s, want := range map[string]game.Move{
		"F5": game.PlaceAt(game.Pt(5, 4)), "j10": game.PlaceAt(game.Pt(9, 9)), "f5!?": game.PlaceAt(game.Pt(5, 4)),
	} {
		if m, ok := ggf.ParseMove(s); !ok || m != want {
			t.Errorf("%q is %v, %v", s, m, ok)
		}
	}
	if e, ok := ggf.ParseEval("1.5,-0.5"); !ok || e.Lo != -0.5 || e.Hi != 1.5 {
		t.Errorf("pair %v %v", e, ok)
	}
	for _, s := range []string{"NaN", "nan,NaN"} {
		if e, ok := ggf.ParseEval(s); !ok || e.Known() {
			t.Errorf("%q is %v %v", s, e, ok)
		}
	}
	for _, s := range []string{"inf", "0x1p3", "1_0", "", "--", "1,"} {
		if e, ok := ggf.ParseEval(s); ok {
			t.Errorf("%q is %v", s, e)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0.000", -time.Second: "0.000", 1520 * time.Millisecond: "1.520", 999_999 * time.Microsecond: "1.000",
		12_345_678 * time.Microsecond: "12.346", 61 * time.Second: "61.000",
	} {
		if s := string(ggf.AppendSeconds(nil, d)); s != want {
			t.Errorf("%v is %q, want %q", d, s, want)
		}
	}
	if s := string(ggf.AppendEval(nil, game.Eval{Unit: game.Discs, Lo: -0.001, Hi: -0.001})); s != "0.00" {
		t.Errorf("negative zero %q", s)
	}
	if s := string(ggf.AppendEval(nil, game.Eval{Unit: game.Discs, Lo: math.Inf(1), Hi: math.Inf(1)})); s != "" {
		t.Errorf("infinity %q", s)
	}
}
