package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// formOf sends a form, and returns the status.
func (h *testHall) formOf(path string, form url.Values) int {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := *h.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

type keptPosition struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Spec  string   `json:"spec"`
	Moves []string `json:"moves"`
}

// A game that is being played can be kept as it stands and gone on with in another room;
// one that hides something cannot.
func TestKeepRunning(t *testing.T) {
	h := openHall(t, t.TempDir())
	h.ask("POST", "/api/v1/account/register", map[string]any{"name": "keeper", "password": "correct horse battery"}, nil)
	for _, spec := range []string{"darkchess", "phantomgo"} {
		id := h.room(map[string]any{"game": spec, "clocks": []string{"inf", "inf"}},
			map[string]any{"do": "enter"},
			map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "sit", "place": 1, "kind": "person"},
			map[string]any{"do": "ready"},
			map[string]any{"do": "start"})
		h.await(id, func(r *hallRoom) bool { return r.Room.Game != nil })
		if spec == "phantomgo" {
			if status := h.formOf("/rooms/"+id+"/keep", url.Values{"name": {"hidden"}}); status != http.StatusConflict {
				t.Errorf("%s: %d", spec, status)
			}
			continue
		}
		var kept keptPosition
		for n := 0; len(kept.Moves) < 2; n++ { // the engine turns a piece over, and the dealer says which
			if n == 150 {
				t.Fatalf("%+v", kept)
			}
			if status := h.formOf("/rooms/"+id+"/keep", url.Values{"name": {"middle"}}); status == http.StatusSeeOther {
				var list []keptPosition
				h.ask("GET", "/api/v1/saved", nil, &list)
				for _, k := range list {
					if len(k.Moves) >= len(kept.Moves) {
						kept = k
					}
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
		if kept.Name != "middle" || !strings.HasPrefix(kept.Spec, spec) {
			t.Errorf("%+v", kept)
		}
		if status := h.formOf("/rooms", url.Values{"saved": {kept.ID}}); status != http.StatusSeeOther {
			t.Errorf("a room from it: %d", status)
		}
	}
}
