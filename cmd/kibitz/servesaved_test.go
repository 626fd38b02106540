package main

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/games"
	"kibitz/record/replay/verify"
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
			if n == 600 {
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
			time.Sleep(200 * time.Millisecond) // two requests each time, and a hall allows twenty a second
		}
		if kept.Name != "middle" || !strings.HasPrefix(kept.Spec, spec) {
			t.Errorf("%+v", kept)
		}
		if status := h.formOf("/rooms", url.Values{"saved": {kept.ID}}); status != http.StatusSeeOther {
			t.Errorf("a room from it: %d", status)
		}
	}
}

// The record of a game with a shuffle publishes the seed behind the commitment that was
// told at its beginning, and both agree with what was dealt: in a game from the start, and
// in one that goes on from a kept position whose pieces lie partly open.
func TestRecordsRevealShuffles(t *testing.T) {
	h := openHall(t, t.TempDir())
	h.ask("POST", "/api/v1/account/register", map[string]any{"name": "keeper", "password": "correct horse battery"}, nil)
	bots := []map[string]any{
		{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
		{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
		{"do": "start"},
	}
	settings := map[string]any{"game": "darkchess", "clocks": []string{"20+1", "20+1"}}
	check := func(saved string) (id string) {
		t.Helper()
		room := h.roomFrom(saved, settings, bots...)
		h.await(room, func(r *hallRoom) bool { return r.Room.Played == 1 && r.Room.Phase == "done" })
		var list hallGames
		h.ask("GET", "/api/v1/games?room="+room, nil, &list)
		id = list.Games[0].ID
		res, err := h.client.Get(h.url + "/api/v1/games/" + id + "/record")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		g, err := records().ReadNative(data)
		if err != nil || len(g) != 1 {
			t.Fatalf("%d games, %v: %s", len(g), err, data)
		}
		if g[0].Commitment == "" || g[0].Seed == "" {
			t.Errorf("commitment %q, seed %q", g[0].Commitment, g[0].Seed)
		}
		book := verify.NewBook(games.OpenSpec)
		if issue := book.Check(id, g[0], nil); issue != "" {
			t.Error(issue)
		}
		g[0].Seed = strings.Repeat("0", 64)
		if verify.NewBook(games.OpenSpec).Check(id, g[0], nil) == "" {
			t.Error("another seed agrees as well")
		}
		return id
	}
	id := check("")
	delete(settings, "game")
	for _, ply := range []string{"1", "2", "5", "6"} { // behind a flip, and behind what lay there
		if status := h.formOf("/games/"+id+"/keep", url.Values{"name": {ply}, "ply": {ply}}); status != http.StatusSeeOther {
			t.Fatalf("a position is kept: %d", status)
		}
		var list []keptPosition
		h.ask("GET", "/api/v1/saved", nil, &list)
		i := slices.IndexFunc(list, func(k keptPosition) bool { return k.Name == ply })
		if i < 0 {
			t.Fatalf("position %s is not kept: %+v", ply, list)
		}
		check(list[i].ID)
	}
}
