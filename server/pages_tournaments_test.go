package server

import (
	"strings"
	"testing"
)

// withPages makes a hall with tournaments and pages whose games the test plays.
func withPages(t *testing.T) *contestHall {
	t.Helper()
	var h *contestHall
	s := newSite(t, func(cfg *Config) { full(cfg); h = withTournaments(cfg, cfg.Store) })
	h.site = s
	return h
}

// page reads a page as a browser does.
func (h *contestHall) page(by *client, path string) string {
	h.site.t.Helper()
	by.head["Accept"] = "text/html"
	defer delete(by.head, "Accept")
	return by.do("GET", path, nil).want(200).body
}

// The course of a sequential test is told, and drawn in the page.
func TestTournamentCurve(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "games": 20, "repeat": true, "sprt": "yes", "start": true})
	if page := h.page(ann, "/tournaments/"+v.ID); !strings.Contains(page, "LLR 0 (-2.94 to 2.94)") || strings.Contains(page, "<figure") {
		t.Errorf("before the first pair: %s", page)
	}
	var test testView
	for n := 0; len(test.Trail) < 3; n++ {
		if n == 20 {
			t.Fatalf("after %d games %+v", n, test)
		}
		id, _ := h.q.take()
		if err := h.play(id); err != nil {
			t.Fatal(err)
		}
		ann.do("GET", tournamentsPath+"/"+v.ID+"/sprt", nil).want(200).into(&test)
		if len(test.Trail) != (n+1)/2 {
			t.Fatalf("%d points after %d games", len(test.Trail), n+1)
		}
	}
	last := test.Trail[2]
	if test.Test == nil || test.Test.Unit != "pairs" || *test.Test.LLR != last.LLR || last.N != 3 || last.Lower > -2.9 || last.Upper < 2.9 {
		t.Errorf("%+v", test)
	}
	if page := h.page(h.client(), "/tournaments/"+v.ID); !strings.Contains(page, `<path class="line" d="M44.0 `) || !strings.Contains(page, "after 3 pairs of games") {
		t.Error(page)
	}
	other := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "start": true})
	ann.do("GET", tournamentsPath+"/"+other.ID+"/sprt", nil).want(200).into(&test)
	if test.Test != nil || len(test.Trail) != 0 {
		t.Errorf("a tournament without a test has %+v", test)
	}
}
