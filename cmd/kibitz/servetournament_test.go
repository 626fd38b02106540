package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/forms"
)

// TestHallPage follows the commands of docs/hall.md for a tournament.
func TestHallPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/hall.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)\n## A tournament\n(.*?)\n## `).FindSubmatch(page)
	if section == nil {
		t.Fatal("the page has no section on tournaments")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	h := openHall(t, filepath.Join(dir, "hall"))
	h.account("before") // another one than the page's
	commands := regexp.MustCompile(`(?m)^    (.*(?:\n {6}.*)*)`).FindAllStringSubmatch(string(section[1]), -1)
	var id string
	done := 0
	for _, c := range commands {
		line := strings.Join(strings.Fields(c[1]), " ")
		words := regexp.MustCompile(`--json '([^']*)'`).FindStringSubmatch(line)
		path := regexp.MustCompile(`\$H(/[^ "]*)`).FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "T="):
			continue
		case strings.HasPrefix(line, "kibitz match"):
			kibitzWith(t, 0, "", append(strings.Fields(strings.TrimPrefix(line, "kibitz ")), "--quiet")...)
		case strings.Contains(line, "-F run=@run.toml"):
			text, err := os.ReadFile("run.toml")
			if err != nil {
				t.Fatal(err)
			}
			if status, answer := h.send("/api/v1"+path[1], [2]string{"run.toml", string(text)}); status != 201 {
				t.Errorf("%s: %d %s", line, status, answer)
			}
		case strings.Contains(line, "/events"):
			continue // it never ends
		case words != nil:
			var in map[string]any
			if err := json.Unmarshal([]byte(words[1]), &in); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			var out json.RawMessage
			h.ask("POST", "/api/v1"+strings.ReplaceAll(path[1], "$T", id), in, &out)
			var v hallTournament
			if err := json.Unmarshal(out, &v); err == nil && strings.HasSuffix(path[1], "/tournaments") {
				id = v.ID
			}
		default:
			h.ask("GET", "/api/v1"+strings.ReplaceAll(path[1], "$T", id), nil, nil)
		}
		done++
	}
	if done < 7 || id == "" {
		t.Errorf("%d commands were followed, tournament %q:\n%s", done, id, bytes.TrimSpace(section[1]))
	}
}

// hallTournament is what the tests read of a tournament.
type hallTournament struct {
	ID         string         `json:"id"`
	State      string         `json:"state"`
	Over       int            `json:"over"`
	All        int            `json:"all"`
	Standings  []contest.Row  `json:"standings"`
	Settings   contest.Config `json:"settings"`
	Commitment string         `json:"commitment"`
	Secret     string         `json:"secret"`
}

// account makes the client an account.
func (h *testHall) account(name string) {
	h.t.Helper()
	h.client = newClient(h.t)
	h.ask("POST", "/api/v1/account/register", map[string]any{"name": name, "password": "correct horse battery"}, nil)
}

// send makes a tournament of files, and returns status and answer.
func (h *testHall) send(path string, files ...[2]string) (int, []byte) {
	h.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i, f := range files {
		w, err := form.CreateFormFile(fmt.Sprint("file", i), f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		h.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+path, &b)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, data
}

// What match --save writes for programs that are not here, a hall takes: it has them under
// those names.
func TestSavedForAHall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cup.toml")
	a := newApp()
	a.stdout, a.stderr = t.Output(), t.Output()
	if status := executeFull(a, []string{"match", "--game", "othello", "--each", "tc=1+0", "--engine", "cmd=no-such-program", "--engine", "bot=3 name=Ann", "--games", "4", "--save", file}); status != 0 {
		t.Fatalf("status %d", status)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := forms.Maker{}.ReadFile("cup.toml", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var entries []contest.Entry
	for _, words := range f.Engines {
		x, err := forms.Maker{}.Entry(nil, f.Each, words)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, x)
	}
	if len(entries) != 2 || entries[0].Kind != bus.EngineSeat || entries[0].Engine != "no-such-program" || entries[1].Engine != "bot=3" {
		t.Errorf("entries %+v", entries)
	}
}
