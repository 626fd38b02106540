package server

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"kibitz/game"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

// form returns a form with files and its content type.
func form(t *testing.T, files map[string]string) (string, string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name, data := range files {
		f, err := m.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(data))
	}
	_ = m.Close()
	return b.String(), m.FormDataContentType()
}

func TestImportSearchExport(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	text, kind := form(t, map[string]string{"a.txt": "ann ben\nben cid\nbroken\n", "b.txt": "ann ben\n"})
	boss.head["Content-Type"] = kind
	var got records.ImportAnswer
	boss.do("POST", "/api/v1/games/import", text).want(200).into(&got)
	if got.Games != 2 || got.Known != 1 || len(got.IDs) != 2 || len(got.Warnings) != 1 || got.Warnings[0] != "a.txt: line 3: want two names" {
		t.Errorf("%+v", got)
	}
	boss.do("POST", "/api/v1/games/import", text).want(200).into(&got)
	if got.Games != 0 || got.Known != 3 {
		t.Errorf("again: %+v", got)
	}
	boss.head = map[string]string{}
	for query, want := range map[string]int{
		"": 2, "player=ANN": 1, "player=ben": 2, "player=ben&opponent=cid": 1, "player=ben&outcome=win": 1, "player=ben&outcome=loss": 1,
		"player=ben&seat=1": 1, "position=77": 2, "position=78": 0, "hasPosition=true": 0, "from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z": 0,
		"from=2020-01-02T00:00:00Z&to=2020-01-03T00:00:00Z": 2, "reason=score": 2, "rated=true": 0, "game=othello": 2, "game=gomoku": 0,
		"state=over,running": 2, "state=running": 0,
	} {
		var page records.GamesPage
		s.client().do("GET", "/api/v1/games?"+query, nil).want(200).into(&page)
		if len(page.Games) != want {
			t.Errorf("%s: %d games, want %d", query, len(page.Games), want)
		}
	}
	var page, next records.GamesPage
	boss.do("GET", "/api/v1/games?limit=1", nil).want(200).into(&page)
	boss.do("GET", "/api/v1/games?limit=1&cursor="+escape(page.Next), nil).want(200).into(&next)
	if len(page.Games) != 1 || len(next.Games) != 1 || page.Games[0].ID == next.Games[0].ID {
		t.Errorf("pages: %+v %+v", page, next)
	}
	var tally []struct{ Key string }
	boss.do("GET", "/api/v1/statistics?by=opponent&player=ben", nil).want(200).into(&tally)
	if len(tally) != 2 {
		t.Errorf("statistics: %+v", tally)
	}

	lines := strings.Split(strings.TrimSpace(boss.do("GET", "/api/v1/games/export?player=ann", nil).want(200).body), "\n")
	var line exported
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil || len(lines) != 1 || string(line.Record) != `{"first":"ann","second":"ben"}` || line.Game.Result.Points[0] != 1 {
		t.Errorf("lines: %v %s", err, lines)
	}
	a := boss.do("GET", "/api/v1/games/export?as=zip&format=loud&limit=1", nil).want(200)
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	if err != nil || len(z.File) != 1 || !strings.HasSuffix(z.File[0].Name, ".loud") {
		t.Fatalf("archive: %v %+v", err, z)
	}
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || !strings.HasPrefix(string(b), "LOUD {") {
		t.Errorf("%s %v", b, err)
	}
	boss.do("GET", "/api/v1/games/export?as=ndjson&format=loud", nil).want(422)
	boss.do("GET", "/api/v1/games/export?as=zip&format=mute", nil).want(422)
	boss.do("GET", "/api/v1/games/"+line.Game.ID+"/record?format=mute", nil).want(422)
	if a := boss.do("GET", "/api/v1/games/"+line.Game.ID+"/record?format=loud", nil).want(200); !strings.HasPrefix(a.body, "LOUD ") {
		t.Error(a.body)
	}
	if a := boss.do("GET", "/api/v1/games/"+line.Game.ID+"/view?ply=2", nil).want(200); !strings.Contains(a.body, `"pieces"`) {
		t.Error(a.body)
	}
	boss.do("GET", "/api/v1/games/"+line.Game.ID+"/view?ply=9", nil).want(422)
	boss.do("DELETE", "/api/v1/games/"+line.Game.ID, nil).want(204)
	boss.do("GET", "/api/v1/games/"+line.Game.ID, nil).want(404)
}

// Two running games that differ in all that is hidden look the same from outside.
func TestRunningGameShowsNothing(t *testing.T) {
	var seen [2]string
	for i := range seen {
		s := newSite(t, full)
		boss := s.admin()
		alice := s.register("alice")
		g := store.Game{
			ID: "g1", Spec: "darkchess", State: store.Running, Attempt: 1, Hidden: true, Listed: true,
			Seats: [2]store.Seat{{Name: "alice", User: alice.id}, {Name: "bob"}},
			Job:   fmt.Appendf(nil, `{"seed":"secret%d"}`, i),
		}
		if i == 1 {
			g.Plies, g.Seconds, g.Note, g.Result = 33, [2]float64{4, 5}, "note", game.Win(game.First, "score", "secret")
		}
		s.addGame(g, "")
		for _, c := range []*client{s.client(), alice, boss} {
			for _, path := range []string{"games/g1", "games", "games?player=alice", "games?outcome=win", "games/g1/record", "games/g1/view?ply=1", "statistics?by=reason", "statistics?by=opponent&player=alice"} {
				a := c.do("GET", "/api/v1/"+path, nil)
				if a.head.Get("ETag") != "" || a.head.Get("Last-Modified") != "" || a.head.Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %v", path, a.head)
				}
				body, _, _ := strings.Cut(a.body, `"instance"`)
				seen[i] += path + " " + body + "\n"
			}
		}
	}
	cut := func(s string) string { // times differ
		var out []string
		for part := range strings.SplitSeq(s, ",") {
			if !strings.Contains(part, `"created"`) && !strings.Contains(part, `"begun"`) {
				out = append(out, part)
			}
		}
		return strings.Join(out, ",")
	}
	if cut(seen[0]) != cut(seen[1]) {
		t.Errorf("twins differ:\n%s\n%s", seen[0], seen[1])
	}
	if strings.Contains(seen[0], "secret") || !strings.Contains(seen[0], `"g1"`) {
		t.Error(seen[0])
	}
}

func TestOnce(t *testing.T) {
	s := newSite(t, full)
	alice := s.register("alice")
	alice.head["Idempotency-Key"] = "too short"
	alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}}).want(400)
	alice.head["Idempotency-Key"] = "0123456789abcdef"
	first := alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}, "tokenDays": 0}).want(201)
	again := alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}, "tokenDays": 0}).want(201)
	if first.body != again.body || again.head.Get("Idempotency-Replayed") != "true" || first.head.Get("Idempotency-Replayed") != "" {
		t.Errorf("%s\n%s", first.body, again.body)
	}
	if a := alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"other"}}).want(422); a.code() != "idempotency-reused" {
		t.Error(a.body)
	}
	// Neither the token nor the key stands in the store.
	var bots []botView
	first.into(&bots)
	var dump dumped
	if err := s.store.Dump(t.Context(), &dump); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{bots[0].Token.Token, "0123456789abcdef", alice.cookie["kibitz"], s.first, secret} {
		if strings.Contains(dump.String(), secret) {
			t.Errorf("%q stands in the store", secret)
		}
	}
	// Another account has keys of its own.
	bob := s.register("bob")
	bob.head["Idempotency-Key"] = "0123456789abcdef"
	bob.do("POST", "/api/v1/bots", map[string]any{"names": []string{"bobbot"}}).want(201)
	// What is refused for good is answered the same, and after a day it is forgotten.
	bob.head["Idempotency-Key"] = "fedcba9876543210"
	bob.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}}).want(409)
	if a := bob.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}}).want(409); a.head.Get("Idempotency-Replayed") != "true" {
		t.Error(a.head)
	}
	s.later(25 * 3600e9)
	if a := bob.do("POST", "/api/v1/bots", map[string]any{"names": []string{"robot"}}).want(409); a.head.Get("Idempotency-Replayed") != "" {
		t.Error(a.head)
	}
}

// Many of the same request at once do it once.
func TestOnceAtOnce(t *testing.T) {
	s := newSite(t, full)
	alice := s.register("alice")
	const n = 8
	var wg sync.WaitGroup
	status := make([]int, n)
	for i := range n {
		wg.Go(func() {
			req := httptest.NewRequest(http.MethodPost, "/api/v1/saved", strings.NewReader(`{"spec":"othello","name":"x"}`))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", "0123456789abcdef")
			req.Header.Set("Cookie", "kibitz="+alice.cookie["kibitz"])
			w := httptest.NewRecorder()
			s.hall.router.Handler().ServeHTTP(w, req)
			status[i] = w.Code
		})
	}
	wg.Wait()
	for _, got := range status {
		if got != 201 && got != 409 {
			t.Errorf("statuses %v", status)
		}
	}
	var list []records.SavedView
	alice.do("GET", "/api/v1/saved", nil).want(200).into(&list)
	if len(list) != 1 {
		t.Errorf("%d positions were saved, want 1", len(list))
	}
}

type dumped struct{ strings.Builder }

func (d *dumped) Row(table string, row []byte) error {
	fmt.Fprintf(&d.Builder, "%s %s\n", table, row)
	return nil
}

func TestQuotas(t *testing.T) {
	s := newSite(t, func(c *Config) { full(c); c.Options.Bots, c.Options.Tokens = 2, 1 })
	alice := s.register("alice")
	alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"one", "two", "three"}}).want(403)
	var bots []botView
	alice.do("GET", "/api/v1/bots", nil).want(200).into(&bots)
	if len(bots) != 0 {
		t.Errorf("some were made: %+v", bots)
	}
	alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"one", "alice"}}).want(409)
	alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"one", "two"}}).want(201).into(&bots)
	alice.do("DELETE", fmt.Sprintf("/api/v1/bots/%d", bots[0].ID), nil).want(204)
	alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"three"}}).want(403)
	alice.do("POST", "/api/v1/account/tokens", map[string]any{"name": "a"}).want(201)
	if a := alice.do("POST", "/api/v1/account/tokens", map[string]any{"name": "b"}).want(403); a.code() != "quota" {
		t.Error(a.body)
	}
}
