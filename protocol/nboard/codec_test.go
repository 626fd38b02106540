package nboard

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
)

// vectors calls f for every line of a file of quoted inputs and meanings.
func vectors(t *testing.T, file string, f func(in string) string) {
	t.Helper()
	fd, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fd.Close() }()
	n := 0
	for sc := bufio.NewScanner(fd); sc.Scan(); {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		quoted, want, ok := strings.Cut(line, "\t")
		in, err := strconv.Unquote(quoted)
		if !ok || err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		n++
		if got := f(in); got != want {
			t.Errorf("%s: %q\n got %s\nwant %s", file, in, got, want)
		}
	}
	if n < 25 {
		t.Errorf("%s: only %d vectors", file, n)
	}
}

func moveText(m game.Move) string {
	if m.Op == game.Pass {
		return "pass"
	}
	return string([]byte{'a' + byte(m.To.X), '1' + byte(m.To.Y)})
}

func evalText(e game.Eval) string {
	switch {
	case !e.Known():
		return "?"
	case e.Lo != e.Hi:
		return fmt.Sprintf("%v..%v", e.Lo, e.Hi)
	}
	return fmt.Sprint(e.Lo)
}

func answerText(a *Answer) string {
	m := "illegal"
	if a.Valid {
		m = moveText(a.Move)
	}
	d := "?"
	if a.Timed {
		d = a.Time.String()
	}
	return fmt.Sprintf("%s eval %s time %s", m, evalText(a.Eval), d)
}

func replyText(r *Reply) string {
	switch r.Kind {
	case Malformed:
		return "malformed"
	case Pong:
		return fmt.Sprintf("pong %d", r.N)
	case Chosen:
		s := "chosen " + answerText(&r.Answer)
		if !r.Answer.Valid && len(r.Text) > 0 {
			s += fmt.Sprintf(" text %q", r.Text)
		}
		return s
	case Search, Book:
		return searchText(r)
	case NodeStats:
		return fmt.Sprintf("nodestats %d time %s", r.N, r.Time)
	case Status:
		return fmt.Sprintf("status %q", text(r.Text))
	case MyName:
		return fmt.Sprintf("name %q", r.Text)
	case Analysis:
		return fmt.Sprintf("analysis %d eval %s", r.N, evalText(r.Eval))
	case Learned:
		return "learned"
	}
	return "ignored"
}

func searchText(r *Reply) string {
	var b strings.Builder
	in := r.Info()
	kind := "search"
	if in.Book {
		kind = "book"
	}
	fmt.Fprintf(&b, "%s %s pv", kind, moveText(r.First))
	for _, m := range in.PV {
		b.WriteString(" " + moveText(m))
	}
	fmt.Fprintf(&b, " eval %s ", evalText(in.Eval))
	switch in.Bound {
	case game.Exact:
		b.WriteString("exact")
	case game.WinLoss:
		b.WriteString("winloss")
	case game.Selective:
		fmt.Fprintf(&b, "selective %v", in.Confidence)
	default:
		fmt.Fprintf(&b, "depth %d", in.Depth)
	}
	if in.Book {
		fmt.Fprintf(&b, " games %d", in.Games)
	}
	if len(r.Text) > 0 {
		fmt.Fprintf(&b, " text %q", r.Text)
	}
	return b.String()
}

func TestReplies(t *testing.T) {
	vectors(t, "testdata/replies.txt", func(in string) string {
		r := ParseReply([]byte(in))
		return replyText(&r)
	})
}

func commandText(c *Command) string {
	switch c.Kind {
	case BadCommand:
		return "bad"
	case Hello:
		return fmt.Sprintf("hello %d", c.N)
	case SetDepth:
		return fmt.Sprintf("depth %d", c.N)
	case SetContempt:
		return fmt.Sprintf("contempt %d", c.N)
	case SetGame:
		return fmt.Sprintf("game %q", c.Text)
	case Move:
		if c.Bare {
			return "bare " + answerText(&c.Answer)
		}
		return "move " + answerText(&c.Answer)
	case Hint:
		return fmt.Sprintf("hint %d", c.N)
	case Go:
		return "go"
	case Ping:
		return fmt.Sprintf("ping %d", c.N)
	case Learn:
		return "learn"
	case Analyze:
		return "analyze"
	case Quit:
		return "quit"
	}
	return "unknown"
}

func TestCommands(t *testing.T) {
	vectors(t, "testdata/commands.txt", func(in string) string {
		c := ParseCommand([]byte(in))
		return commandText(&c)
	})
}

func discs(lo, hi float64) game.Eval { return game.Eval{Unit: game.Discs, Lo: lo, Hi: hi} }

// TestWriting holds what is sent to the exact bytes and reads it back.
func TestWriting(t *testing.T) {
	f5, d6 := square('f', '5'), square('d', '6')
	full := Answer{Move: f5, Valid: true, Eval: discs(0.42, 0.42), Time: 1310 * time.Millisecond, Timed: true}
	timed := Answer{Move: d6, Valid: true, Time: 1520 * time.Millisecond, Timed: true}
	pass := Answer{Move: game.PassMove(), Valid: true}
	pv := []game.Move{f5, d6, game.PassMove()}
	for _, tt := range []struct{ got, want, read string }{
		{string(AppendChosen(nil, &full)), "=== F5/0.42/1.310\n", "chosen f5 eval 0.42 time 1.31s"},
		{string(AppendChosen(nil, &timed)), "=== D6//1.520\n", "chosen d6 eval ? time 1.52s"},
		{string(AppendChosen(nil, &pass)), "=== PA\n", "chosen pass eval ? time ?"},
		{string(AppendPong(nil, 7)), "pong 7\n", "pong 7"},
		{string(AppendInfo(nil, &game.Info{PV: pv, Eval: discs(-1.5, -1.5), Depth: 8})), "search F5D6PA -1.50 0 8\n", "search f5 pv f5 d6 pass eval -1.5 depth 8"},
		{string(AppendInfo(nil, &game.Info{PV: pv[:1], Eval: discs(-2, 3), Bound: game.WinLoss})), "search F5 +3.00,-2.00 0 100%W\n", "search f5 pv f5 eval -2..3 winloss"},
		{string(AppendInfo(nil, &game.Info{PV: pv[:1], Bound: game.Exact})), "search F5 NaN 0 100%\n", "search f5 pv f5 eval ? exact"},
		{string(AppendInfo(nil, &game.Info{PV: pv[:1], Eval: discs(0, 0), Bound: game.Selective, Confidence: 91})), "search F5 +0.00 0 91%\n", "search f5 pv f5 eval 0 selective 91"},
		{string(AppendInfo(nil, &game.Info{PV: pv[:2], Book: true, Games: 12, Eval: discs(0, 0), Depth: 20})), "book F5D6 +0.00 12 20\n", "book f5 pv f5 d6 eval 0 depth 20 games 12"},
		{string(AppendNodeStats(nil, 99, 1500*time.Millisecond)), "nodestats 99 1.50\n", "nodestats 99 time 1.5s"},
		{string(AppendStatus(nil, "")), "status\n", `status ""`},
		{string(AppendStatus(nil, "a\nb")), "status a b\n", `status "a b"`},
		{string(AppendMyName(nil, "Kibitz 9")), "set myname Kibitz 9\n", `name "Kibitz 9"`},
		{string(AppendAnalysis(nil, 3, discs(-1, 2))), "analysis 3 +0.50\n", "analysis 3 eval 0.5"},
		{string(AppendLearned(nil)), "learned\n", "learned"},
	} {
		r := ParseReply([]byte(tt.got))
		if tt.got != tt.want || replyText(&r) != tt.read {
			t.Errorf("wrote %q, read %s; want %q, %s", tt.got, replyText(&r), tt.want, tt.read)
		}
	}
	for _, tt := range []struct{ got, want, read string }{
		{string(AppendHello(nil, 2)), "nboard 2\n", "hello 2"},
		{string(AppendSetDepth(nil, 12)), "set depth 12\n", "depth 12"},
		{string(AppendSetContempt(nil, -100)), "set contempt -100\n", "contempt -100"},
		{"set game (;)\n", "set game (;)\n", `game "(;)"`},
		{string(AppendMove(nil, 2, &full)), "move F5/0.42/1.310\n", "move f5 eval 0.42 time 1.31s"},
		{string(AppendMove(nil, 1, &full)), "F5\n", "bare f5 eval ? time ?"},
		{string(AppendMove(nil, 1, &pass)), "PA\n", "bare pass eval ? time ?"},
		{string(AppendHint(nil, 3)), "hint 3\n", "hint 3"},
		{string(AppendPing(nil, 4)), "ping 4\n", "ping 4"},
		{string(AppendSet(nil, "book\n", "on")), "set book  on\n", "unknown"},
	} {
		c := ParseCommand([]byte(tt.got))
		if tt.got != tt.want || commandText(&c) != tt.read {
			t.Errorf("wrote %q, read %s; want %q, %s", tt.got, commandText(&c), tt.want, tt.read)
		}
	}
}

func FuzzParseReply(f *testing.F) {
	for _, s := range []string{"=== D6/-1.71/0.00", "search F5-D6 1.5,-0.5 0 100%W x", "book F5d6 +0.00 1200 24", "pong 3", "analysis 3 1", "nodestats 1 2"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r := ParseReply(line)
		var out []byte
		switch r.Kind {
		case Chosen:
			if !r.Answer.Valid {
				return
			}
			out = AppendChosen(nil, &r.Answer)
			again := ParseReply(out)
			if again.Kind != Chosen || again.Answer.Move != r.Answer.Move || again.Answer.Timed != r.Answer.Timed {
				t.Fatalf("%q: %q", line, out)
			}
		case Search, Book:
			in := r.Info()
			if len(in.PV) == 0 || in.PV[0] != r.First {
				t.Fatalf("%q: first %v of %v", line, r.First, in.PV)
			}
			out = AppendInfo(nil, &in)
			again := ParseReply(out)
			second := again.Info()
			if again.Kind != r.Kind || string(AppendInfo(nil, &second)) != string(out) {
				t.Fatalf("%q: %q became %q", line, out, AppendInfo(nil, &second))
			}
		}
	})
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"move F5/1.2/3", "f5", "set game (;GM[Othello];)", "hint 3", "ping 7", "nboard 2"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c := ParseCommand(line)
		if c.Kind != Move {
			return
		}
		out := AppendMove(nil, 2, &c.Answer)
		again := ParseCommand(out)
		if again.Kind != Move || again.Answer.Move != c.Answer.Move {
			t.Fatalf("%q: %q", line, out)
		}
	})
}

func BenchmarkParseReply(b *testing.B) {
	line := []byte("=== D6/-1.71/0.25")
	b.ReportAllocs()
	for b.Loop() {
		if r := ParseReply(line); !r.Answer.Valid {
			b.Fatal("not read")
		}
	}
}
