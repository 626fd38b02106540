package archive

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/hall/learn"
)

// A lesson that the rules do not bear out is told with the key of its step and the move.
func TestLessonFaults(t *testing.T) {
	for _, x := range []struct {
		name string
		page learn.Page
		want string
	}{
		{"good", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"d3 c3"}, Wrong: map[string]string{"a1": "no", "c4 c3": "bad"}}}}, ""},
		{"picture", learn.Page{Rules: []learn.Rule{{Key: "r", Picture: &learn.Picture{Place: learn.Place{Moves: "a1"}}}}}, "othello: rule r: move a1"},
		{"looker", learn.Page{Rules: []learn.Rule{{Key: "r", Picture: &learn.Picture{For: "third"}}}}, `othello: rule r: nobody looks for "third"`},
		{"position", learn.Page{Steps: []learn.Step{{Key: "a", Place: learn.Place{Position: "x"}, Right: []string{"d3"}}}}, "othello: step a: position"},
		{"another game", learn.Page{Spec: "nogo", Steps: []learn.Step{{Key: "a", Right: []string{"d3"}}}}, "nogo is another game"},
		{"nothing right", learn.Page{Steps: []learn.Step{{Key: "a"}}}, "no line is right"},
		{"not allowed", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"a1"}}}}, `step a: right line "a1": a1`},
		{"not won", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"d3"}, Win: learn.Now}}}, "the game is not won there"},
		{"two answers", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"d3 c3", "d3 e3"}}}}, "the other side answers with c3"},
		{"twice", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"d3"}, Wrong: map[string]string{"d3": "no"}}}}, "another line"},
		{"beyond the end", learn.Page{Steps: []learn.Step{{Key: "a", Right: []string{"d3", "d3 c3"}}}}, "another line ends before it"},
	} {
		if x.page.Spec == "" {
			x.page.Spec = "othello"
		}
		_, err := Archive{Open: games.Open}.Lesson(&learn.Game{ID: "othello", Page: x.page})
		if x.want == "" && err != nil || !strings.Contains(fmt.Sprint(err), x.want) && x.want != "" {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
	}
}

// The tree of a step has each line once, with what the learner may decide where he is asked.
func TestLesson(t *testing.T) {
	l, err := Archive{Open: games.Open}.Lesson(&learn.Game{ID: "othello", Page: learn.Page{Spec: "othello", Steps: []learn.Step{
		{Key: "a", Right: []string{"d3 c3 c4"}, Wrong: map[string]string{"a1": "no", "d3 c3 e6": "bad"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	start := l.Steps[0].Start
	if len(start.Legal) != 4 || len(start.Next) != 2 {
		t.Fatalf("%+v", start)
	}
	if a1 := start.Find("p0,0"); a1.View != nil || !a1.End || a1.Why != "no" {
		t.Errorf("what is not allowed: %+v", a1)
	}
	d3 := start.Find("p3,2")
	if d3.Legal != nil || d3.End || len(d3.Next) != 1 || !d3.Ended || d3.Name != "d3" {
		t.Errorf("the other side is on turn: %+v", d3)
	}
	c3 := d3.Next[0]
	if right, wrong := c3.Find("p2,3"), c3.Find("p4,5"); right.Why != "" || !right.End || wrong.Why != "bad" || len(c3.Legal) == 0 {
		t.Errorf("%+v, %+v", right, wrong)
	}
	if got := strings.Join(l.Steps[0].Shown, " "); got != "d3 c3 c4" {
		t.Error(got)
	}
}

// A picture shows what its looker sees: a seat where stones are hidden its own, who has no seat all.
func TestPictures(t *testing.T) {
	place := learn.Place{Moves: "e5 c3"}
	rules := []learn.Rule{
		{Key: "all", Picture: &learn.Picture{Place: place}},
		{Key: "black", Picture: &learn.Picture{Place: place, For: "first"}},
		{Key: "white", Picture: &learn.Picture{Place: place, For: "second"}},
	}
	l, err := Archive{Open: games.Open}.Lesson(&learn.Game{ID: "phantomgo", Page: learn.Page{Spec: "phantomgo", Rules: rules}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"all": "bw", "black": "b", "white": "w"} {
		var seen []byte
		for _, c := range l.Pictures[key].Cells {
			if c.Piece != 0 && c.Piece != '.' {
				seen = append(seen, c.Piece)
			}
		}
		slices.Sort(seen)
		if string(seen) != want {
			t.Errorf("%s shows %q, want %q", key, seen, want)
		}
	}
}
