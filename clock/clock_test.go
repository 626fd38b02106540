package clock_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kibitz/clock"
)

// TestGames plays the clocks of testdata/games.txt: a line that starts with "tc"
// names a control, the lines below it are what a seat does and what its clock
// then shows.
func TestGames(t *testing.T) {
	f, err := os.Open("testdata/games.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var k clock.Clock
	begun, checks := false, 0
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "control":
			c, err := clock.Parse(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "control")))
			if err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			k, begun = clock.New(c), true
			continue
		case "turn", "think":
			d, err := clock.Span(words[1])
			if err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			if k = k.Spend(d); words[0] == "turn" {
				k = k.EndTurn()
			}
		case "gain":
			d, err := clock.Span(words[1])
			if err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			k = k.Gain(d)
		case "start":
			words = append([]string{"start", "0"}, words[1:]...)
		default:
			t.Fatalf("line %d: %q", n, line)
		}
		if !begun {
			t.Fatalf("line %d: no control", n)
		}
		for _, want := range words[2:] {
			checks++
			key, _, _ := strings.Cut(want, "=")
			if got := key + "=" + show(t, k, key); got != want {
				t.Errorf("line %d: %s: got %s, want %s (%+v)", n, strings.TrimSpace(line), got, want, k)
			}
		}
	}
	if checks < 100 {
		t.Errorf("only %d checks", checks)
	}
}

func show(t *testing.T, k clock.Clock, key string) string {
	t.Helper()
	switch key {
	case "left":
		return span(k.Remaining())
	case "limit":
		return span(k.Limit())
	case "moves":
		return fmt.Sprint(k.Moves)
	case "periods":
		return fmt.Sprint(k.Periods)
	case "stage":
		return [...]string{"main", "byo", "canadian", "overtime"}[k.Stage]
	case "fallen":
		return fmt.Sprint(k.Fallen)
	case "used":
		return span(k.Used)
	case "total":
		return span(k.Total)
	}
	t.Fatalf("unknown %q", key)
	return ""
}

func span(d time.Duration) string {
	if d == clock.Unlimited {
		return "inf"
	}
	return clock.FormatSpan(d)
}

// anyControl draws controls of every kind and combination.
func anyControl(t *rapid.T) clock.Control {
	ms := func(name string, least int) time.Duration {
		return time.Duration(rapid.IntRange(least, 5000).Draw(t, name)) * time.Millisecond
	}
	var c clock.Control
	if rapid.Bool().Draw(t, "turn") {
		c.Turn = ms("st", 1)
	}
	if rapid.IntRange(0, 5).Draw(t, "kind") == 0 {
		c.Hourglass = ms("hourglass", 1)
		return c
	}
	c.Main, c.Increment = ms("main", 0), ms("inc", 0)
	switch rapid.IntRange(0, 5).Draw(t, "extra") {
	case 0:
		c.Delay = ms("delay", 1)
	case 1:
		c.Bronstein = ms("bronstein", 1)
	}
	switch rapid.IntRange(0, 6).Draw(t, "after") {
	case 0, 1:
		c.Periods = rapid.IntRange(1, 4).Draw(t, "periods")
		c.Period = ms("period", 1)
		c.PeriodMoves = rapid.IntRange(0, 3).Draw(t, "period moves")
	case 2:
		c.Canadian, c.CanadianMoves = ms("canadian", 1), rapid.IntRange(1, 3).Draw(t, "canadian moves")
	case 3:
		c.Overtime = ms("overtime", 1)
	case 4:
		if c.Main > 0 {
			c.Moves = rapid.IntRange(1, 5).Draw(t, "moves")
		}
	}
	return c
}

// Whatever the control, the limit is exactly the time after which the flag falls;
// time spent in pieces is time spent at once; nothing brings a fallen flag up.
func TestLimitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := clock.New(anyControl(t))
		var total time.Duration
		for range rapid.IntRange(1, 12).Draw(t, "turns") {
			limit := k.Limit()
			if limit == clock.Unlimited {
				if !k.Control.None() {
					t.Fatalf("%v is unlimited", k.Control)
				}
				limit = time.Hour
			} else if over := k.Spend(limit + 1); !over.Fallen || over.Limit() != 0 || !over.EndTurn().Fallen {
				t.Fatalf("beyond the limit %v: %+v", limit, over)
			}
			if k.Spend(limit).Fallen {
				t.Fatalf("fallen at the limit %v: %+v", limit, k)
			}
			a := time.Duration(rapid.Int64Range(0, int64(limit)).Draw(t, "a"))
			b := time.Duration(rapid.Int64Range(0, int64(limit-a)).Draw(t, "b"))
			if once, pieces := k.Spend(a+b), k.Spend(a).Spend(b); once != pieces {
				t.Fatalf("%v and %v: %+v is not %+v", a, b, pieces, once)
			}
			k = k.Spend(a + b)
			if left := k.Limit(); !k.Control.None() && left != limit-a-b {
				t.Fatalf("%v of %v spent, %v left", a+b, limit, left)
			}
			total += a + b
			k = k.EndTurn()
			if k.Used != 0 || k.Total != total {
				t.Fatalf("total %v, want %v", k.Total, total)
			}
		}
	})
}

func TestStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyControl(t)
		if c.Check() != nil || c.Main == 0 && c.Increment == 0 && c.Overtime > 0 {
			t.Skip()
		}
		got, err := clock.Parse(c.String())
		if err != nil || got != c {
			t.Fatalf("%q: %+v, %v; want %+v", c, got, err, c)
		}
	})
}

func TestParse(t *testing.T) {
	const s = time.Second
	for _, k := range []struct {
		text string
		want clock.Control
		form string
	}{
		{"inf", clock.Control{}, "inf"},
		{"", clock.Control{}, "inf"},
		{"60+0.5", clock.Control{Main: 60 * s, Increment: s / 2}, "60+0.5"},
		{"tc=60", clock.Control{Main: 60 * s}, "60"},
		{"0+1", clock.Control{Increment: s}, "0+1"},
		{"40/5:00", clock.Control{Main: 300 * s, Moves: 40}, "40/300"},
		{"40/1:00:00.25+2", clock.Control{Main: 3600*s + s/4, Moves: 40, Increment: 2 * s}, "40/3600.25+2"},
		{"st=2", clock.Control{Turn: 2 * s}, "st=2"},
		{"180 st=30", clock.Control{Main: 180 * s, Turn: 30 * s}, "180 st=30"},
		{"tc=inf st=.5", clock.Control{Turn: s / 2}, "st=0.5"},
		{"60 delay=5", clock.Control{Main: 60 * s, Delay: 5 * s}, "60 delay=5"},
		{"60 bronstein=5", clock.Control{Main: 60 * s, Bronstein: 5 * s}, "60 bronstein=5"},
		{"15:00 byo=1x30/3", clock.Control{Main: 900 * s, Periods: 1, Period: 30 * s, PeriodMoves: 3}, "900 byo=1x30/3"},
		{"byo=5x10", clock.Control{Periods: 5, Period: 10 * s}, "byo=5x10"},
		{"tc=0 byo=5x10", clock.Control{Periods: 5, Period: 10 * s}, "byo=5x10"},
		{"60 canadian=300/25", clock.Control{Main: 60 * s, Canadian: 300 * s, CanadianMoves: 25}, "60 canadian=300/25"},
		{"5:00 overtime=2:00", clock.Control{Main: 300 * s, Overtime: 120 * s}, "300 overtime=120"},
		{"hourglass=60", clock.Control{Hourglass: 60 * s}, "hourglass=60"},
		{"0.000000001", clock.Control{Main: 1}, "0.000000001"},
	} {
		got, err := clock.Parse(k.text)
		if err != nil || got != k.want || got.String() != k.form {
			t.Errorf("%q: %+v (%s), %v; want %+v (%s)", k.text, got, got, err, k.want, k.form)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"60 70":                  `"70" is no key=value`,
		"tc=60 tc=70":            "tc is given twice",
		"time=60":                `unknown key "time"`,
		"0":                      "write inf for no limit",
		"-5":                     "is no time",
		"1e3":                    "is no time",
		"+5":                     "is no time",
		"1:75":                   "is no time",
		"1:2:3:4":                "is no time",
		"1:":                     "is no time",
		".":                      "is no time",
		"NaN":                    "is no time",
		"9999999999":             "longer than 100000 hours",
		"99999999999999999999":   "is no time",
		"0/60":                   "whole number from 1",
		"40/0":                   "more than nothing",
		"st=0":                   "more than nothing",
		"byo=5":                  "PERIODSxSECONDS",
		"byo=0x5":                "whole number from 1",
		"byo=1x5/0":              "whole number from 1",
		"canadian=300":           "SECONDS/MOVES",
		"60 byo=1x5 overtime=60": "exclude each other",
		"60 hourglass=60":        "goes with st alone",
		"overtime=60":            "overtime needs",
		"60 delay=1 bronstein=1": "exclude each other",
		"40/60 byo=1x5":          "leaves no room",
	} {
		if c, err := clock.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, c, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"60+0.5", "40/5:00 st=2", "15:00 byo=1x30/3", "hourglass=1", "canadian=1/2", "inf"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := clock.Parse(text)
		if err != nil {
			return
		}
		again, err := clock.Parse(c.String())
		if err != nil || again != c {
			t.Fatalf("%q: %+v became %q, %+v, %v", text, c, c, again, err)
		}
		k := clock.New(c)
		if limit := k.Limit(); limit < 0 || limit < clock.Unlimited && k.Spend(limit).Fallen {
			t.Fatalf("%q: limit %v", text, limit)
		}
	})
}

func BenchmarkTurn(b *testing.B) {
	c, _ := clock.Parse("60+0.5 st=2")
	k := clock.New(c)
	b.ReportAllocs()
	for b.Loop() {
		k = k.Spend(k.Limit() / 1000).EndTurn()
	}
}
