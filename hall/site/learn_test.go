package site

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"kibitz/hall/learn"
)

// counting notes which games it is asked to play.
type counting struct{ played []string }

func (c *counting) Lesson(g *learn.Game) (*learn.Lesson, error) {
	c.played = append(c.played, g.ID)
	return &learn.Lesson{}, nil
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
