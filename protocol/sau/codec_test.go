package sau

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
)

// rows reads a table of testdata: cells separated by "|", quoted with Go's escapes
// where they begin with a quote.
func rows(t *testing.T, name string, cells int) (list [][]string) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "|")
		if len(row) != cells {
			t.Fatalf("%s:%d: %d cells instead of %d", name, n, len(row), cells)
		}
		for i := range row {
			if row[i] = strings.TrimSpace(row[i]); strings.HasPrefix(row[i], `"`) {
				var s string
				if _, err := fmt.Sscanf(row[i], "%q", &s); err != nil {
					t.Fatalf("%s:%d: %v", name, n, err)
				}
				row[i] = s
			}
		}
		list = append(list, row)
	}
	if len(list) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return list
}

// testdata/find.txt: line | word | argument at the beginning | argument anywhere; "-"
// is no command.
func TestFind(t *testing.T) {
	for _, r := range rows(t, "find.txt", 4) {
		for i, anywhere := range []bool{false, true} {
			arg, ok := Find([]byte(r[0]), r[1], anywhere)
			got := string(arg)
			if !ok {
				got = "-"
			}
			if got != r[2+i] {
				t.Errorf("%q, %s, anywhere %v: %q, want %q", r[0], r[1], anywhere, got, r[2+i])
			}
		}
	}
}

// testdata/moves.txt: game and how it is read | argument | decisions, or "!" and a
// part of what is wrong | what is written for them. Behind the game may stand
// "opening", "loose", "transpose" and three characters of "base=".
func TestForms(t *testing.T) {
	for _, r := range rows(t, "moves.txt", 4) {
		words := strings.Fields(r[0])
		l := Plain
		rd := reading{letters: &l}
		for _, w := range words[1:] {
			switch {
			case w == "opening":
				rd.opening = true
			case w == "loose":
				rd.loose = true
			case w == "transpose":
				l.Transpose = true
			case strings.HasPrefix(w, "base="):
				l.X, l.Y, l.E = w[5], w[6], w[7]
			}
		}
		f := forms.of(game.Spec(words[0]))
		if f == nil {
			t.Fatalf("no form for %s", words[0])
		}
		keep := []game.Move{game.PassMove()}
		steps, why := f.Argument.read(rd, []byte(r[1]), keep)
		if why != "" {
			if len(steps) != 1 || !strings.HasPrefix(r[2], "!") || !strings.Contains(why, r[2][1:]) {
				t.Errorf("%v: %q, %d decisions left", r, why, len(steps)-1)
			}
			continue
		}
		var list []string
		for _, m := range steps[1:] {
			list = append(list, m.String())
		}
		if got := strings.Join(list, ", "); got != r[2] {
			t.Errorf("%v: read %q", r, got)
		}
		if got := string(f.Argument.write(&l, nil, steps[1:])); got != r[3] {
			t.Errorf("%v: written %q", r, got)
		}
	}
}

func TestLists(t *testing.T) {
	l := Plain
	for _, r := range []struct {
		text string
		want []game.Point
		ok   bool
	}{
		{"1 AA", []game.Point{{X: 0, Y: 0}}, true},
		{"2 AAAB", []game.Point{{X: 0, Y: 0}, {X: 0, Y: 1}}, true},
		{"2AAAB", []game.Point{{X: 0, Y: 0}, {X: 0, Y: 1}}, true}, // as the description has it once
		{"2 AAABAC", []game.Point{{X: 0, Y: 0}, {X: 0, Y: 1}}, true},
		{"2 AAA", nil, false},
		{"2 AA@@", nil, false},
		{"0", nil, false},
		{"", nil, false},
		{"AA", nil, false},
	} {
		got, ok := l.list([]byte(r.text), nil)
		if ok != r.ok || !slices.Equal(got, r.want) {
			t.Errorf("%q: %v, %v", r.text, got, ok)
		}
		if ok && r.text == "2 AAAB" {
			if s := string(l.appendList(nil, wordTake, got)); s != "take 2 AAAB\n" {
				t.Errorf("written %q", s)
			}
		}
	}
	many := make([]game.Point, 123)
	if s := string(l.appendList(nil, wordTaked, many)); !strings.HasPrefix(s, "taked 123 AAAA") {
		t.Errorf("written %q", s)
	}
}

func TestNames(t *testing.T) {
	for _, r := range [][2]string{
		{" Kibitz 1 ", "Kibitz 1"},
		{"gkd\xb6\xd3", "gkd队"},
		{"Alpha\xb7\xf0", "Alpha佛"},
		{"令狐冲", "令狐冲"},
		{"a\tb\x01c", "a b c"},
		{"", ""},
		{"\xff\xff", "??"},
		{strings.Repeat("N", 300), strings.Repeat("N", 256)},
		{strings.Repeat("N", 255) + "\xe4", strings.Repeat("N", 255) + "?"},
	} {
		if got := readName([]byte(r[0])); strings.ReplaceAll(got, "\ufffd", "?") != r[1] {
			t.Errorf("%q is read as %q, want %q", r[0], got, r[1])
		}
	}
}

func TestCommands(t *testing.T) {
	for in, want := range map[string]string{
		"name?":         "name? ",
		" \tNAME? \r":   "name? \r",
		"new black":     "new black",
		"New\tWhite ":   "new White",
		"move  go\x00":  "move go",
		"move 2 AAABAA": "move 2 AAABAA",
		"move":          "move ",
		"end":           "end ",
		"end black":     "end black",
		"":              " ",
		"\x00":          " ",
		"moved AA":      "moved AA",
		"taked 2 AAAB":  "taked 2 AAAB",
		"ponder 1":      "ponder 1",
	} {
		c := parseCommand([]byte(in))
		if got := c.word + " " + string(c.arg); got != want {
			t.Errorf("%q is read as %q, want %q", in, got, want)
		}
	}
}

// TestNoAllocation: neither reading nor writing a move allocates.
func TestNoAllocation(t *testing.T) {
	l := Plain
	rd := reading{letters: &l}
	steps := make([]game.Move, 0, 8)
	out := make([]byte, 0, 64)
	for _, k := range [][2]string{{"amazons", "move DJDDGD"}, {"connect6", " move JJKK"}, {"dotsandboxes", "move 3 BADBAEABA"}, {"phantomgo", "move pass"}, {"surakarta", "info move BBBC"}, {"nogo", "move EE"}} {
		f, line := forms.of(game.Spec(k[0])), []byte(k[1])
		n := testing.AllocsPerRun(100, func() {
			arg, ok := Find(line, wordMove, true)
			list, why := f.Argument.read(rd, arg, steps[:0])
			if !ok || why != "" || len(f.Argument.write(&l, out[:0], list)) == 0 {
				t.Error(k, why)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", k[0], n)
		}
	}
}

// FuzzLine reads lines of engines: what is read is written the same way, and is read
// to the same again.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"move DJDDGD", "info move JJ@@", "move 2 BBAACA", "\x00move pass", "name \xb7\xf0", "move aa", "name?", "move 01 AAA"} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(255))
	}
	f.Fuzz(func(t *testing.T, line []byte, how uint8) {
		before := bytes.Clone(line)
		readName(line)
		parseCommand(line)
		_, _ = Plain.list(line, nil)
		l := Letters{X: 'A', Y: 'A', E: 'A', Transpose: how&1 != 0}
		if how&2 != 0 {
			l.X, l.Y, l.E = 'a', '0', 'M'
		}
		rd := reading{letters: &l, opening: how&4 != 0, loose: how&8 != 0}
		if _, ok := Find(line, wordMove, false); ok {
			if _, too := Find(line, wordMove, true); !too {
				t.Error("found at the beginning and not anywhere")
			}
		}
		arg, ok := Find(line, wordMove, how&16 != 0)
		if !ok {
			return
		}
		for i := range forms {
			steps, why := forms[i].Argument.read(rd, arg, nil)
			if (why == "") == (len(steps) == 0) {
				t.Fatalf("%s: %d decisions and %q", forms[i].Game, len(steps), why)
			}
			if why != "" {
				continue
			}
			text := forms[i].Argument.write(&l, nil, steps)
			again, why := forms[i].Argument.read(rd, text, nil)
			if why != "" || !slices.Equal(again, steps) {
				t.Errorf("%s: %q is read as %v, written as %q and read as %v (%s)", forms[i].Game, arg, steps, text, again, why)
			}
		}
		if !bytes.Equal(line, before) {
			t.Error("reading changed the line")
		}
	})
}
