package server

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// A record that cannot be read keeps nothing else from being shown: exports leave it out
// and name it, its page shows what is known.
func TestUnreadableRecords(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	broken := map[string]string{"text": "hello", "torn": `{"game":"othel`, "list": "[1]", "blank": " "}
	for _, id := range []string{"text", "torn", "good", "list", "blank"} {
		record := `{"game":"good"}`
		if bad, ok := broken[id]; ok {
			record = bad
		}
		s.addGame(store.Game{ID: id, Listed: true, Attempt: 1, Index: len(id), Room: id, Seats: [2]store.Seat{{Name: "ann"}, {Name: "bob"}}}, record)
	}
	lines := strings.Split(strings.TrimSpace(boss.do("GET", "/api/v1/games/export", nil).want(200).body), "\n")
	if len(lines) != len(broken)+1 {
		t.Fatalf("%d lines of an export of %d games: %q", len(lines), len(broken)+1, lines)
	}
	for _, line := range lines {
		good := strings.Contains(line, `"id":"good"`)
		if good != strings.Contains(line, `"record":{"game":"good"}`) || good == strings.Contains(line, `"unreadable":"`) {
			t.Errorf("line %s", line)
		}
	}
	files := boss.files("/api/v1/games/export?as=zip")
	if len(files) != 2 || files["good.json"] == "" || strings.Count(files["left-out.txt"], "\n") != len(broken) {
		t.Errorf("the archive has %q", files)
	}
	for id := range broken {
		if a := boss.do("GET", "/api/v1/games/"+id+"/record", nil).want(422); a.code() != "unreadable" {
			t.Errorf("%s: %s", id, a.body)
		}
		for _, path := range []string{"/games/" + id, "/embed/" + id} {
			if a := boss.do("GET", path, nil).want(200); !strings.Contains(a.body, "cannot be read") || !strings.Contains(a.body, "ann") {
				t.Errorf("%s: %s", path, a.body)
			}
		}
		boss.do("GET", "/games/"+id+"/replay", nil).want(422)
		boss.do("GET", "/games/"+id+"/picture.svg", nil).want(422)
	}
	boss.do("GET", "/games", nil).want(200)
	boss.do("GET", "/games/good", nil).want(200)
}

// A game that was ended early says so: nobody waits for its record. Its page leads to where it counts.
func TestAbortedGames(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "concurrency": 2, "start": true})
	for i, order := range []obj{{"do": "forfeit", "game": 1, "entry": 1}, {"do": "abort", "game": 2}} {
		id := h.q.jobs[i]
		if b, err := h.p.Begin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(h.db, id)}); err != nil || b.Play == nil {
			t.Fatal(b.Play, err)
		}
		if a := ann.do("GET", "/api/v1/games/"+id+"/record", nil).want(409); a.code() != "not-over" {
			t.Errorf("while %s is played: %s", id, a.body)
		}
		h.command(ann, v.ID, 200, order)
		if a := ann.do("GET", "/api/v1/games/"+id+"/record", nil).want(409); a.code() != "aborted" {
			t.Errorf("the record of %s: %s", id, a.body)
		}
		for _, path := range []string{"/games/" + id, "/embed/" + id} {
			a := ann.do("GET", path, nil).want(200)
			for _, part := range []string{"was ended early", `href="/tournaments/` + v.ID + `"`, "aborted"} {
				if !strings.Contains(a.body, part) || strings.Contains(a.body, "<kibitz-board") {
					t.Errorf("%s has no %q: %s", path, part, a.body)
				}
			}
		}
	}
}

// files are those of an archive.
func (c *client) files(path string) map[string]string {
	c.s.t.Helper()
	body := c.do("GET", path, nil).want(200).body
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		c.s.t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			c.s.t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			c.s.t.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}
