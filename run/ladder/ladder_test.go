package ladder

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestLadderPlan(t *testing.T) {
	c := Options{Spec: []string{"othello", "nogo"}, Levels: "2-4", Games: 2, Each: "st=1", Concurrency: 1, Engine: []string{"game=othello levels=4,9 name=Other bot=random"}}
	list, err := c.plan()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range list {
		for _, r := range l.rungs {
			got = append(got, l.game+": "+r.upper.words.String()+" | "+r.lower.words.String())
		}
	}
	want := []string{
		"othello: bot=3 name=level3 | bot=2 name=level2",
		"othello: bot=4 name=level4 | bot=3 name=level3",
		"othello: bot=4 name=level4 | name=Other bot=random",
		"othello: bot=9 name=level9 | name=Other bot=random",
		"nogo: bot=3 name=level3 | bot=2 name=level2",
		"nogo: bot=4 name=level4 | bot=3 name=level3",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rungs are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c.All, c.Engine = true, nil
	if list, err = c.plan(); err != nil || len(list[0].rungs) != 3 {
		t.Errorf("all of three levels: %v, %v", list, err)
	}
}

func TestLadderRatings(t *testing.T) {
	var done []climbed
	for n := 2; n <= 3; n++ { // 3 : 1 is 190.8 Elo
		done = append(done, climbed{rung{upper: levelSide(n), lower: levelSide(n - 1)}, rungOutcome{wins: 150, losses: 50}})
	}
	done = append(done, climbed{rung{upper: levelSide(3), lower: rungSide{name: "Other"}}, rungOutcome{wins: 50, losses: 50}})
	var got []string
	for _, s := range rateLadder(done) {
		if s.level != 1 && (math.IsNaN(s.error) || s.error < 20 || s.error > 120) {
			t.Errorf("%s has an error of %f", s.name, s.error)
		}
		got = append(got, fmt.Sprintf("%s %d %.0f", s.name, s.games, s.elo))
	}
	if want := "level 3 300 382, Other 100 382, level 2 400 191, level 1 200 0"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// The bounds are those of Clopper and Pearson for nothing but wins: 0.025^(1/200) of
// the points is 0.98172.
func TestLadderDifference(t *testing.T) {
	elo, e := 107.5, 48.2
	for _, c := range []struct {
		rungOutcome
		want string
	}{
		{rungOutcome{wins: 120, draws: 20, losses: 60, elo: &elo, err: &e}, "+108 ± 48"},
		{rungOutcome{wins: 200}, "more than +692"},
		{rungOutcome{losses: 200}, "less than -692"},
		{rungOutcome{}, "not known"},
	} {
		if got := c.difference(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.rungOutcome, got, c.want)
		}
	}
}

func TestLadderPageKeepsWhatIsNotItsOwn(t *testing.T) {
	page := insertLadder(insertLadder("", "othello", "first\n"), "nogo", "second\n")
	page = strings.Replace(page, "## nogo\n", "## nogo\n\nA remark.\n", 1)
	page = insertLadder(page, "othello", "third\n")
	for _, want := range []string{ladderHead, "\nthird\n", "\nsecond\n", "A remark."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "first") {
		t.Errorf("the old table is still there:\n%s", page)
	}
}
