package site

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/learn"
	"kibitz/report/board"
)

// counting notes which games it is asked to play.
type counting struct{ played []string }

func (c *counting) Lesson(g *learn.Game) (*learn.Lesson, error) {
	c.played = append(c.played, g.ID)
	return &learn.Lesson{}, nil
}

// A day has its puzzle, every game comes in turn, and each puzzle is a step that is won.
func TestPuzzleOfTheDay(t *testing.T) {
	h := newLearnPages(&Site{}, onGrid{}, true)
	seen := map[string]bool{}
	for n := range 60 {
		day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n)
		a, err := h.ofDay(day, "cs", board.Style{})
		b, _ := h.ofDay(day.Add(23*time.Hour), "cs", board.Style{})
		if err != nil || a == nil || *a != *b || a.Do == "" || !strings.HasPrefix(string(a.Picture), "data:image/svg+xml,%3Csvg") {
			t.Fatalf("%v: %+v %v", day, a, err)
		}
		if n < len(learn.IDs()) && seen[a.Game] {
			t.Errorf("%s came twice before all games had come", a.Game)
		}
		g, _ := h.texts[a.Game]()
		if i := slices.IndexFunc(g.Page.Steps, func(s learn.Step) bool { return s.Key == a.Key }); i < 0 || g.Page.Steps[i].Win == learn.NoWin {
			t.Errorf("%s: step %s is not won", a.Game, a.Key)
		}
		seen[a.Game], seen[a.Game+a.Key] = true, true
	}
	if len(seen) < 2*len(learn.IDs()) {
		t.Errorf("60 days have %v", seen)
	}
}

// onGrid gives each step of a lesson a board with nothing on it.
type onGrid struct{}

func (onGrid) Lesson(g *learn.Game) (*learn.Lesson, error) {
	l := &learn.Lesson{}
	for _, s := range g.Page.Steps {
		l.Steps = append(l.Steps, learn.Played{Key: s.Key, Start: &learn.Node{View: &game.View{Width: 3, Height: 3, Cells: make([]game.Cell, 9)}}})
	}
	return l, nil
}

// Which games are taught is known without reading any; what is taught of one is played once.
func TestTaughtWhenWanted(t *testing.T) {
	var c counting
	h := newLearnPages(&Site{}, &c, true)
	if !h.games()["othello"] || c.played != nil {
		t.Errorf("before any page: %v, played %v", h.games(), c.played)
	}
	r := httptest.NewRequest(http.MethodGet, "/learn/othello", nil)
	r.SetPathValue("game", "othello")
	for range 2 {
		if g, err := h.find(r); err != nil || g.ID != "othello" || len(g.Texts) == 0 {
			t.Errorf("%+v %v", g, err)
		}
	}
	if !slices.Equal(c.played, []string{"othello"}) {
		t.Errorf("played %v", c.played)
	}
	r.SetPathValue("game", "chess")
	if _, err := h.find(r); err == nil {
		t.Error("chess is taught")
	}
}
