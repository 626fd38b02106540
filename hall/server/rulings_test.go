package server

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/bus"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/record"
	"kibitz/record/formats"
)

// Records that leave a hall have the results that count in its tournaments, say by whom and
// why, and leave out what was annulled: who rates them has what the tournament's page says.
func TestRulingsInRecords(t *testing.T) {
	set := formats.New(games.OpenSpec)
	files := archive.Archive{Set: set, Open: games.Open}
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var h *contestHall
	s := newSite(t, func(cfg *Config) {
		h = withTournaments(cfg, cfg.Store)
		cfg.Converter = files
	})
	h.testHall = s
	boss := h.admin()
	v := h.make(boss, obj{"game": "othello", "engines": []string{"bot=1", "bot=2", "bot=3"}, "games": 4, "concurrency": 3, "start": true})
	begin := func(id string) int { // the attempt; 0 for a game that was taken back
		t.Helper()
		b, err := h.p.Begin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(h.db, id)})
		if err != nil {
			t.Fatal(id, err)
		}
		if b.Play == nil {
			return 0
		}
		return b.Play.Attempt
	}
	end := func(id string, attempt int) {
		t.Helper()
		res := verdict(id)
		res.Board, res.HasBoard = [2]float64{60, 4}, true
		var data bytes.Buffer
		g := &record.Game{ID: id, Spec: "othello", Result: &res, Steps: []record.Step{{By: game.First, Move: game.PlaceAt(game.Pt(5, 4))}}}
		g.Names = h.names(id)
		if err := set.WriteNative(&data, []*record.Game{g}); err != nil {
			t.Fatal(err)
		}
		r := bus.Result{Game: id, Attempt: attempt, Worker: "w", Result: res, Plies: 1, Begun: time.Now(), Ended: time.Now(), Record: pack.EncodeAll(data.Bytes(), nil)}
		if err := h.p.Result(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		id := h.next()
		end(id, begin(id))
	}
	h.command(boss, v.ID, 200, obj{"do": "overrule", "game": 1, "result": "second", "note": "a bug"})
	h.command(boss, v.ID, 200, obj{"do": "replay", "game": 2, "note": "no power"})
	runs := map[string]int{}
	for range 3 { // one of them is of the engine that withdraws
		id := h.next()
		runs[id] = begin(id)
	}
	h.command(boss, v.ID, 200, obj{"do": "withdraw", "entry": 3, "remaining": "annul"})
	marked := func(when string) {
		t.Helper()
		var page records.GamesPage
		boss.do("GET", "/api/v1/games?state=over&tournament="+v.ID, nil).want(200).into(&page)
		n := 0
		for _, g := range page.Games {
			if g.Seats[0].Name != "Nbot=3" && g.Seats[1].Name != "Nbot=3" {
				continue
			}
			n++
			if !g.Ruled || g.Note == "" || g.Result.Points != [2]float64{} || g.Result.Reason != string(game.ByAbort) {
				t.Errorf("%s: not annulled: %+v", when, g)
			}
		}
		if n == 0 {
			t.Errorf("%s: no game of the engine", when)
		}
	}
	marked("withdrawn")
	for id, attempt := range runs {
		end(id, attempt)
	}
	marked("its last game ended")
	for id, ok := h.q.take(); ok; id, ok = h.q.take() {
		if attempt := begin(id); attempt > 0 {
			end(id, attempt)
		}
	}
	table := map[string]float64{}
	for _, r := range h.look(boss, v.ID).Standings {
		if r.Withdrawn == "" {
			table[r.Name] = r.Points
		}
	}

	one := v.ID + "-1"
	if a := boss.do("GET", "/api/v1/games/"+one+"/record?format=sgf", nil).want(200); !strings.Contains(a.body, "RE[W+]TE[adjudication]") || !strings.Contains(a.body, "C[ruled: ") || !strings.Contains(a.body, "a bug]") {
		t.Error(a.body)
	}
	if a := boss.do("GET", "/api/v1/games/"+one+"/record", nil).want(200); !strings.Contains(a.body, `"result":{"points":[0,1],"reason":"adjudication","detail":"a bug"}`) {
		t.Error(a.body)
	}
	points, annulled := map[string]float64{}, 0
	lines := boss.do("GET", "/api/v1/games/export?as=ndjson&tournament="+v.ID, nil).want(200).body
	for line := range strings.Lines(lines) {
		var x exported
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		var rec struct{ Result records.ResultView }
		if err := json.Unmarshal(x.Record, &rec); err != nil || rec.Result.Points != x.Game.Result.Points || rec.Result.Reason != x.Game.Result.Reason {
			t.Errorf("game and record contradict each other: %s", line)
		}
		for seat, p := range x.Game.Result.Points {
			points[x.Game.Seats[seat].Name] += p
		}
		if x.Game.Result.Points == [2]float64{} {
			annulled++
			if !x.Game.Ruled || x.Game.Note == "" {
				t.Errorf("nothing says why it counts for nobody: %s", line)
			}
		}
	}
	samePoints(t, "lines", table, points)
	list, err := set.Read("games.ndjson", []byte(lines), "", "")
	if err != nil || len(list) != strings.Count(lines, "\n") {
		t.Fatalf("%d games: %v", len(list), err)
	}
	points = map[string]float64{}
	for _, g := range list {
		for seat, p := range g.Result.Points {
			points[g.Names[seat]] += p
		}
	}
	samePoints(t, "lines as records", table, points)
	a := boss.do("GET", "/api/v1/games/export?as=zip&tournament="+v.ID, nil).want(200)
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	points = map[string]float64{}
	left := ""
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == "left-out.txt" {
			left = string(data)
			continue
		}
		list, err := set.ReadNative(data)
		if err != nil {
			t.Fatal(err)
		}
		for seat, p := range list[0].Result.Points {
			points[list[0].Names[seat]] += p
		}
	}
	samePoints(t, "files", table, points)
	if n := strings.Count(left, "counts for nobody"); n != annulled || annulled < 3 {
		t.Errorf("%d games annulled: %s", annulled, left)
	}
}

// names are those of the seats of a game.
func (h *contestHall) names(id string) (names [2]string) {
	h.testHall.t.Helper()
	err := h.db.View(h.testHall.t.Context(), func(tx store.Tx) error {
		g, err := tx.Game(id)
		names = [2]string{g.Seats[0].Name, g.Seats[1].Name}
		return err
	})
	if err != nil {
		h.testHall.t.Fatal(err)
	}
	return names
}

// samePoints compares the points of players with those of a table; who is not in it has none.
func samePoints(t *testing.T, what string, table, got map[string]float64) {
	t.Helper()
	for name, p := range got {
		if p != table[name] {
			t.Errorf("%s: %s has %v, the table says %v", what, name, p, table[name])
		}
	}
	if len(table) < 2 || len(got) < 2 {
		t.Errorf("%s: %v, the table %v", what, got, table)
	}
}
