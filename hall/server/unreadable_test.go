package server

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

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
