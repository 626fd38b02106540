package server

import (
	"net/url"
	"strings"
	"testing"
)

// Who may not play because he is nobody is told so: in a hall without guests to log in, of an address from
// which many guests came to wait a moment; not that his account may not, or that he tried wrong words.
func TestNobodyPlays(t *testing.T) {
	play := map[string]any{"game": "othello", "with": "bot=1"}
	closed := newHouse(t, build{change: func(c *Config) { c.Options.NoGuests = true }})
	a := closed.client().do("POST", "/api/v1/play", play).want(401)
	if !strings.Contains(a.body, `problem:login"`) || !strings.Contains(a.body, "this hall takes no guests") || !strings.Contains(a.body, "Log in to see or do this.") {
		t.Error(a.body)
	}
	nobody := closed.client()
	nobody.head = map[string]string{"Accept": "text/html", "Referer": "https://hall.example/play/othello?with=bot"}
	if to := nobody.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"bot=1"}}).want(303).head.Get("Location"); to != "/login?to=%2Fplay%2Fothello%3Fwith%3Dbot" {
		t.Error(to)
	}
	full := newHouse(t, build{change: func(c *Config) { c.Options.EnterRate = 1 }})
	for a.status != 429 {
		if a = full.client().do("POST", "/api/v1/play", play); a.status != 201 && a.status != 429 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if !strings.Contains(a.body, `problem:too-many"`) || strings.Contains(a.body, "ailures") || a.head.Get("Retry-After") == "" {
		t.Errorf("%s %v", a.body, a.head)
	}
}
