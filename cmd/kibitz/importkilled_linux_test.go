package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	"kibitz/games"
	hallrecords "kibitz/hall/records"
	"kibitz/internal/hallclient"
	"kibitz/record"
)

// TestImportKilled kills a hall again and again while games are imported. Each game that is there
// then is whole, once, and found by its positions; the same form, sent again, adds those
// that are missing and no other.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("imports thousands of games, one form after the other")
	}
	const count = 3000
	text := randomGames(t, "othello", count)
	h := mortal(t, "--analyses", "0")
	h.admin()
	random := rand.New(rand.NewPCG(1, 9))
	before := 0
	var killed []int
	for before < count {
		newest, ended := h.newest(), make(chan error, 1)
		go func() {
			res, err := importForm(h.testHall, text)
			if err == nil {
				res.Body.Close()
			}
			ended <- err
		}()
		h.importedMore(newest)
		time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
		h.kill()
		<-ended
		h.begin()
		n := h.wholeImports(len(killed))
		if n <= before {
			t.Errorf("%d games were imported, and then there are %d", before, n)
		}
		before = n
		killed = append(killed, n)
	}
	if len(killed) < 3 {
		t.Errorf("it was killed with %v of %d games, which is not often enough", killed, count)
	}
	res, err := importForm(h.testHall, text)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if want := fmt.Sprintf(`"games":0,"known":%d`, count); err != nil || !bytes.Contains(answer, []byte(want)) {
		t.Errorf("the form once more: %s, %v, want %s", answer[:min(len(answer), 300)], err, want)
	}
	if n := h.wholeImports(len(killed)); n != count {
		t.Errorf("in the end there are %d games, want %d", n, count)
	}
}

// newest is the game that was added last, empty without one.
func (h *testHall) newest() string {
	h.t.Helper()
	var page hallrecords.GamesPage
	if h.ask("GET", "/api/v1/games?limit=1", nil, &page); len(page.Games) == 0 {
		return ""
	}
	return page.Games[0].ID
}

// importedMore waits until another game is the newest.
func (h *testHall) importedMore(than string) {
	h.t.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if h.newest() != than {
			return
		}
	}
	h.t.Fatalf("no game is imported:\n%s", h.stderr)
}

// wholeImports counts games: each is once in the list, and once under the initial position. It asks
// from the n-th of many addresses, so that limits by address count for each alone.
func (h *testHall) wholeImports(n int) int {
	h.t.Helper()
	h = &testHall{t: h.t, url: h.url, stderr: h.stderr, client: &http.Client{Jar: h.client.Jar, Transport: patient{hallclient.From(hallclient.Address(n))}}}
	defer h.client.CloseIdleConnections()
	var initial struct {
		Key int64 `json:"key,string"`
	}
	h.ask("POST", "/api/v1/boards", map[string]any{"spec": "othello"}, &initial)
	list := h.allGames("")
	found := h.allGames(fmt.Sprint("&position=", initial.Key, "&hasPosition=true"))
	for id, plies := range list {
		if found[id] != plies {
			h.t.Errorf("game %s of %d plies is not found by its initial position", id, plies)
		}
	}
	if len(found) != len(list) {
		h.t.Errorf("%d games are found by their initial position, and there are %d", len(found), len(list))
	}
	checked := 0
	for id, plies := range list {
		h.checkRecord(id, plies)
		if checked++; checked == 20 {
			break
		}
	}
	return len(list)
}

// allGames returns the plies of all games that a search finds.
func (h *testHall) allGames(query string) map[string]int {
	h.t.Helper()
	list := map[string]int{}
	for next := ""; ; {
		var page hallrecords.GamesPage
		h.ask("GET", "/api/v1/games?limit=500&cursor="+next+query, nil, &page)
		for i := range page.Games {
			g := &page.Games[i]
			if _, twice := list[g.ID]; twice {
				h.t.Errorf("game %s is found twice", g.ID)
			}
			list[g.ID] = g.Plies
		}
		if next = page.Next; next == "" {
			return list
		}
	}
}

// importForm sends games to be imported.
func importForm(h *testHall, text []byte) (*http.Response, error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	w, err := form.CreateFormFile("files", "games.jsonl")
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(text); err == nil {
		err = form.Close()
	}
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, h.url+"/api/v1/games/import", &b)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	return h.client.Do(req)
}

// randomGames writes games that were played at random.
func randomGames(t *testing.T, spec string, count int) []byte {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 8))
	var b bytes.Buffer
	for i := range count {
		s := r.New()
		g := &record.Game{ID: fmt.Sprint("g", i), Spec: r.Spec(), Names: [2]string{fmt.Sprint("a", i%50), fmt.Sprint("b", i%70)}}
		for g.Result == nil {
			if res, over := s.Result(); over {
				g.Result = &res
				continue
			}
			list := s.Legal(nil)
			step := record.Step{By: s.Turn().Seat, Move: list[random.IntN(len(list))]}
			if _, err := s.Apply(step.Move, nil); err != nil {
				t.Fatal(err)
			}
			g.Steps = append(g.Steps, step)
		}
		if err := records().WriteNative(&b, []*record.Game{g}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
