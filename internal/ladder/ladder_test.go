package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/internal/testbin"
)

func TestPlan(t *testing.T) {
	s, err := parse([]string{"-game", "othello", "-from", "2", "-to", "4", "-against", "game=othello level=4,9 name=Other cmd=./other proto=nboard"}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range plan(s, "othello") {
		got = append(got, r.upper.words+" | "+r.lower.words)
	}
	want := []string{
		"bot=3 name=level3 | bot=2 name=level2",
		"bot=4 name=level4 | bot=3 name=level3",
		"bot=4 name=level4 | name=Other cmd=./other proto=nboard",
		"bot=9 name=level9 | name=Other cmd=./other proto=nboard",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rungs are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(plan(s, "nogo")); n != 2 {
		t.Errorf("another game has %d rungs, want 2", n)
	}
}

func TestFaultsOfTheCommandLine(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-games 3", "-games 3: an even number from 2 is expected"},
		{"-from 5 -to 4", "-from 5 -to 4: levels are 1 to 9"},
		{"-seconds 0", "-seconds 0: more than 0 is expected"},
		{"-against game=othello", "game=, level=, name= and cmd= are expected"},
		{"more", `"more" is not expected`},
	} {
		if _, err := parse(strings.Fields(c.args), time.Time{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.args, err, c.want)
		}
	}
}

// The bounds are those of Clopper and Pearson for nothing but wins: 0.025^(1/200) of
// the points is 0.98172.
func TestDifference(t *testing.T) {
	elo, e := 107.5, 48.2
	for _, c := range []struct {
		outcome
		want string
	}{
		{outcome{wins: 120, draws: 20, losses: 60, elo: &elo, err: &e}, "+108 ± 48"},
		{outcome{wins: 200}, "more than +692"},
		{outcome{losses: 200}, "less than -692"},
		{outcome{}, "not known"},
	} {
		if got := c.difference(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.outcome, got, c.want)
		}
	}
}

func TestPageKeepsWhatIsNotItsOwn(t *testing.T) {
	page := insert(insert("", "othello", "first\n"), "nogo", "second\n")
	page = strings.Replace(page, "## nogo\n", "## nogo\n\nA remark.\n", 1)
	page = insert(page, "othello", "third\n")
	for _, want := range []string{head, "\nthird\n", "\nsecond\n", "A remark."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "first") {
		t.Errorf("the old table is still there:\n%s", page)
	}
}

// A ladder plays, and a second one over the same folder only reads.
func TestLadder(t *testing.T) {
	kibitz, remove, err := testbin.Build("kibitz/cmd/kibitz")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	dir := t.TempDir()
	page := filepath.Join(dir, "strength.md")
	args := []string{"-kibitz", kibitz, "-game", "othello", "-to", "2", "-games", "4", "-seconds", "0.01", "-keep", filepath.Join(dir, "runs"), "-out", page}
	var log strings.Builder
	if err := run(context.Background(), args, time.Time{}, &log); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(first), "| level 2 | level 1 | ") {
		t.Fatalf("the page is %q, %v", first, err)
	}
	args[1] = filepath.Join(dir, "no-such-program")
	if err := run(context.Background(), args, time.Time{}, &log); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(page); err != nil || string(second) != string(first) {
		t.Errorf("the second ladder says\n%s\nafter\n%s", second, first)
	}
}
