package run

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"kibitz/games"
)

// TestAdjudicationExamples solves the examples of docs/adjudication.md.
func TestAdjudicationExamples(t *testing.T) {
	data, err := os.ReadFile("../docs/adjudication.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)Examples, [^\n]*\n\n```text\n([^`]*)```").FindSubmatch(data)
	if block == nil {
		t.Fatal("the page has no examples")
	}
	lines := strings.Split(strings.TrimSpace(string(block[1])), "\n")
	if len(lines) < 10 {
		t.Fatalf("only %d examples", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, " | ")
		if len(f) != 4 {
			t.Fatalf("%q is not game | position | result | proof", line)
		}
		r, err := games.Open(f[0])
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Position(f[1])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rule, err := (&Exact{Nodes: ExactNodes}).Rule(r)
		if err != nil {
			t.Fatal(err)
		}
		got := "nothing | "
		if v, ok := rule.Solver.Solve(s, rule.Nodes); ok {
			got = v.Winner().String() + " wins"
			if !v.Winner().IsPlayer() {
				got = "draw"
			}
			if v.HasBoard {
				got += fmt.Sprintf(" %g-%g", v.Board[0], v.Board[1])
			}
			got += " | " + v.Why
		}
		if want := f[2] + " | " + f[3]; got != want || !rule.Solver.Near(s) {
			t.Errorf("%s | %s | %s", f[0], f[1], got)
		}
	}
}

func TestExactRule(t *testing.T) {
	for text, want := range map[string][2]int64{
		"exact": {ExactNodes, 0}, "exact nodes=5": {5, 0}, " exact  move=20 nodes=1000000": {1_000_000, 20},
	} {
		r, err := games.Open("othello")
		if err != nil {
			t.Fatal(err)
		}
		var x Exact
		if err := x.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		rule, err := x.Rule(r)
		if err != nil || rule.Nodes != want[0] || int64(rule.FromMove) != want[1] || rule.Solver == nil {
			t.Errorf("%q: %+v %v", text, rule, err)
		}
	}
	for _, k := range [][3]string{
		{"othello", "", "write exact"},
		{"othello", "solved", `"solved"`},
		{"othello", "exact nodes", `"nodes" is not a whole number`},
		{"othello", "exact nodes=0", `"nodes=0"`},
		{"othello", "exact nodes=10000001", "1 to 10000000"},
		{"othello", "exact time=5", `unknown word "time=5"`},
		{"othello", "exact move=3 move=4", "move is given twice"},
		{"phantomgo", "exact", "do not see everything"},
	} {
		r, err := games.Open(k[0])
		if err != nil {
			t.Fatal(err)
		}
		var x Exact
		err = x.UnmarshalText([]byte(k[1]))
		if err == nil {
			_, err = x.Rule(r)
		}
		if err == nil || !strings.Contains(err.Error(), k[2]) {
			t.Errorf("%s %q: %v", k[0], k[1], err)
		}
	}
}
