package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/api"
	"kibitz/hall/auth"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/web"
)

// poisons are texts that mean something to some reader: a database, a page, a terminal, a
// spreadsheet, a header, a log, a file system.
func poisons() []string {
	return []string{
		"' OR 1=1 --", `"); DROP TABLE users; --`, "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "javascript:alert(1)", "{{.}}${7*7}",
		"\x1b[2J\x1b]0;t\x07", "=cmd|' /C calc'!A0", "@SUM(1)", "a\r\nSet-Cookie: kibitz=forged\r\n\r\n<b>", "line\nline \"level\":\"ERROR\"", "../../etc/passwd",
		`..\..\x`, "a\x00b", "\u202egnp.exe", "%n%s%x", "x\ufeff\u2028y", strings.Repeat("é", 50),
	}
}

// body makes a body that a route may take, with all its fields.
func (s *testHall) body(r router.Route) map[string]any {
	op := api.Operation(s.hall.api.OpenAPI(), r)
	if op == nil || op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	v, _ := s.valueOf(op.RequestBody.Content["application/json"].Schema, "").(map[string]any)
	return v
}

// valueOf makes a value of a schema.
func (s *testHall) valueOf(x *huma.Schema, name string) any {
	if x.Ref != "" {
		x = s.hall.api.OpenAPI().Components.Schemas.SchemaFromRef(x.Ref)
	}
	if len(x.Enum) > 0 {
		return x.Enum[0]
	}
	known := map[string]any{
		"spec": "othello", "game": "othello", "engine": "bot=1", "password": secret, "old": secret, "settings": map[string]any{"game": "othello"},
		"variations": []any{}, // of decisions, which have some again
	}
	if v, ok := known[name]; ok {
		return v
	}
	switch x.Type {
	case "object":
		out := map[string]any{}
		for field, y := range x.Properties {
			out[field] = s.valueOf(y, field)
		}
		return out
	case "array":
		return []any{s.valueOf(x.Items, name)}
	case "integer", "number":
		return 1
	case "boolean":
		return false
	case "string":
		return "word"
	default: // anything
		return map[string]any{"game": "othello"}
	}
}

// spots calls fn for each text in a value, with a copy in which it is another one.
func spots(v any, place, with string, fn func(place string, changed any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			spots(v[k], place+"."+k, with, func(p string, changed any) {
				c := maps.Clone(v)
				c[k] = changed
				fn(p, c)
			})
		}
	case []any:
		for i := range v {
			spots(v[i], fmt.Sprintf("%s[%d]", place, i), with, func(p string, changed any) {
				c := slices.Clone(v)
				c[i] = changed
				fn(p, c)
			})
		}
	case string:
		fn(place, with)
	}
}

// sound holds an answer to what every answer is: intact JSON, or a file that no browser
// shows; headers without line breaks; nothing that the hall did not foresee.
func (a answer) sound(t *testing.T, what string) {
	t.Helper()
	kind := a.head.Get("Content-Type")
	switch {
	case a.status == 500:
		t.Errorf("%s: %d %.300s", what, a.status, a.body)
	case a.body != "" && strings.Contains(kind, "json") && !strings.Contains(kind, "ndjson") && !json.Valid([]byte(a.body)):
		t.Errorf("%s: no JSON: %.300s", what, a.body)
	case strings.HasPrefix(kind, "text/html") && (strings.Contains(a.body, "<script>alert") || strings.Contains(a.body, "<img src=x")):
		t.Errorf("%s: a page with what somebody wrote: %.300s", what, a.body)
	case a.head.Get("X-Content-Type-Options") != "nosniff":
		t.Errorf("%s: headers %v", what, a.head)
	case !strings.Contains(what, web.Prefix) && (!strings.Contains(a.head.Get("Content-Security-Policy"), "script-src 'self'") || a.head.Get("Referrer-Policy") == ""):
		t.Errorf("%s: headers %v", what, a.head)
	}
	for name, list := range a.head {
		for _, v := range list {
			if strings.ContainsAny(name+v, "\r\n\x00\x1b") {
				t.Errorf("%s: header %q: %q", what, name, v)
			}
		}
	}
	if got := a.head.Get("Set-Cookie"); strings.Contains(got, "kibitz=forged") {
		t.Errorf("%s: sets %s", what, got)
	}
}

// poisoned is a hall with all that the table of roles has, and an admin who owns it.
func poisoned(t *testing.T) (*house, *cast, *client) {
	h := newHouse(t, build{idle: true})
	boss := h.admin()
	h.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1}, `{"game":"over1"}`)
	c := h.assemble(0, boss)
	return h, c, boss
}

// target is the path of a route of which every part exists.
func (c *cast) target(r router.Route) string {
	return c.fill(strings.NewReplacer("{name}", "edax", "{id}", "{token}", "{bot}", "{bot}", "{room}", "{shut}", "{game}", "{own}", "{seat}", "1", "{tournament}", "{cup}", "{entry}", "1").Replace(r.Path))
}

// unsafe are the routes that change something.
func (s *testHall) unsafe() (list []router.Route) {
	for _, r := range s.hall.router.Routes() {
		if r.Method != http.MethodGet && r.Method != "" {
			list = append(list, r)
		}
	}
	return list
}

// Every text of every route, with everything that means something elsewhere, leaves
// answers, pages, headers and log as they are, and the database whole.
func TestPoison(t *testing.T) {
	t.Parallel()
	h, c, boss := poisoned(t)
	p := c.by[player]
	tries, taken := 0, 0
	list := poisons()
	if testing.Short() {
		list = []string{list[0], list[2], list[6], list[9]}
	}
	for _, r := range h.unsafe() {
		body := h.body(r)
		if body == nil || strings.HasSuffix(r.Path, "/account/password") || r.Method == http.MethodPatch {
			continue
		}
		who := p
		if r.Need&auth.Enter != 0 {
			who = h.client() // whoever logs in is somebody else
		}
		if strings.HasPrefix(r.Path, "/api/v1/admin/") {
			who = boss
		}
		deaf := map[string]bool{} // where the answer is that nobody plays the game, which takes a while
		for _, poison := range list {
			spots(body, "", poison, func(place string, changed any) {
				if deaf[place] {
					return
				}
				a := who.once(r.Method, c.target(r), changed)
				a.sound(t, fmt.Sprintf("%s%s = %q", r.Pattern(), place, poison))
				deaf[place] = a.status == http.StatusServiceUnavailable
				if tries++; a.status < 300 {
					taken++
				}
			})
		}
	}
	if tries < 40*len(list) || taken < 3*len(list) {
		t.Errorf("%d tries, %d of them taken: too few", tries, taken)
	}
	h.poisonPaths(t, c, boss, list)
	h.readAll(t, c, boss)
	for line := range strings.Lines(h.log.String()) {
		if !json.Valid([]byte(line)) || strings.Contains(line, "\x1b") {
			t.Errorf("a line of the log is broken: %q", line)
		}
	}
}

// poisonPaths puts poison into every part of every path and into every query.
func (h *house) poisonPaths(t *testing.T, c *cast, boss *client, list []string) {
	for _, r := range h.hall.router.Routes() {
		op := api.Operation(h.hall.api.OpenAPI(), r)
		if op == nil || r.Method != http.MethodGet {
			continue
		}
		for _, poison := range list {
			for _, x := range op.Parameters {
				switch x.In {
				case "path":
					path := c.target(router.Route{Path: strings.Replace(r.Path, "{"+x.Name+"}", escape(poison), 1)})
					a := boss.first("GET", path)
					a.sound(t, "GET "+path)
					if a.status < 300 {
						t.Errorf("GET %s: %d", path, a.status)
					}
				case "query":
					boss.first("GET", c.target(r)+"?"+x.Name+"="+escape(poison)).sound(t, "GET "+r.Path+" "+x.Name)
				}
			}
		}
	}
}

// readAll reads everything back.
func (h *house) readAll(t *testing.T, c *cast, boss *client) {
	for _, r := range h.hall.router.Routes() {
		if r.Method != http.MethodGet || strings.HasSuffix(r.Path, "/events") {
			continue
		}
		for _, who := range []*client{h.client(), c.by[player], boss} {
			who.once("GET", c.target(r), nil).sound(t, "GET "+r.Path)
		}
	}
	boss.do("GET", "/api/v1/users/admin", nil).want(200) // the tables are there
	c.by[player].do("GET", "/api/v1/saved", nil).want(200)
}

// A page of another origin changes nothing, on any route, whatever it calls its content;
// and what is not JSON is not taken for it.
func TestCrossSiteEverywhere(t *testing.T) {
	h, c, boss := poisoned(t)
	for _, r := range h.unsafe() {
		for _, head := range []map[string]string{
			{"Origin": "https://evil.example"},
			{"Origin": "null"},
			{"Sec-Fetch-Site": "cross-site"},
			{"Sec-Fetch-Site": "same-site"},
			{"Origin": "https://evil.example", "Content-Type": "text/plain"},
			{"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"},
		} {
			boss.head = head
			if a := boss.once(r.Method, c.target(r), h.body(r)); a.status != 403 || a.code() != "cross-origin" {
				t.Errorf("%s with %v: %d %s", r.Pattern(), head, a.status, a.body)
			}
		}
		boss.head = map[string]string{}
		if body := h.body(r); body != nil {
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
				boss.head = map[string]string{"Content-Type": kind}
				if a := boss.once(r.Method, c.target(r), body); a.status != 415 && a.status != 422 {
					t.Errorf("%s as %s: %d %s", r.Pattern(), kind, a.status, a.body)
				}
			}
		}
		boss.head = map[string]string{}
	}
}

// No route takes a body that is larger than it says, deeper than can be read, of another
// shape, or with words that it does not know: nobody sets his own role by naming it.
func TestBodiesEverywhere(t *testing.T) {
	h, c, boss := poisoned(t)
	n := 0
	for _, r := range h.unsafe() {
		if r.Need == auth.Self || r.Path == accountPath+"/password" || !strings.HasPrefix(r.Path, "/api/") {
			continue // it ends the session that the test needs, or is a form
		}
		limit := cmp.Or(r.Body, router.UsualBody)
		for _, length := range []int64{limit + 1, -1} {
			req := boss.request(r.Method, c.target(r), strings.Repeat(" ", int(limit)+1)+"{}")
			req.ContentLength = length
			w := httptest.NewRecorder()
			h.hall.router.Handler().ServeHTTP(w, req)
			if takes := h.body(r) != nil || length > 0; takes && w.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("%s with more than %d bytes (length %d): %d %.200s", r.Pattern(), limit, length, w.Code, w.Body.String())
			}
		}
		body := h.body(r)
		if body == nil {
			continue
		}
		for _, text := range []string{strings.Repeat("[", 8000), strings.Repeat(`{"a":`, 3000) + "1" + strings.Repeat("}", 3000), "[]", "1", `"x"`, "{", "{}{}", "\xff\xfe", ""} {
			a := boss.once(r.Method, c.target(r), text)
			a.sound(t, fmt.Sprintf("%s with %.20q", r.Pattern(), text))
			if r.Path == accountPath+"/settings" && a.status == 204 {
				continue // it holds anything
			}
			if a.status < 400 || a.status >= 500 {
				t.Errorf("%s with %.20q: %d %.200s", r.Pattern(), text, a.status, a.body)
			}
		}
		for _, word := range []string{"role", "id", "owner", "admin", "kind", "user_id", "Disabled", "rated", "__proto__"} {
			if _, known := body[word]; known || r.Path == accountPath+"/settings" || r.Method == http.MethodPatch {
				continue
			}
			more := maps.Clone(body)
			more[word] = "admin"
			if a := boss.once(r.Method, c.target(r), more); a.status != 422 {
				t.Errorf("%s with %q: %d %.200s", r.Pattern(), word, a.status, a.body)
			}
			n++
		}
	}
	if n < 50 {
		t.Errorf("%d words were tried", n)
	}
	for _, word := range []string{"hidden2", "acess", "host", "phase"} {
		boss.do("POST", roomsPath, map[string]any{"settings": map[string]any{"game": "othello", word: "private"}}).want(422)
	}
}

// Files that are small on the way and large after it are not unpacked: an import is read
// as it is.
func TestImportIsNotUnpacked(t *testing.T) {
	h, _, boss := poisoned(t)
	for _, name := range []string{"bomb.zip", "bomb.gz", "bomb.zst", "../../x.mute"} {
		var form bytes.Buffer
		m := multipart.NewWriter(&form)
		f, _ := m.CreateFormFile("file", name)
		_, _ = f.Write(append([]byte("\x1f\x8b\x08\x00PK\x03\x04\x28\xb5\x2f\xfd"), make([]byte, 1000)...))
		_ = m.Close()
		boss.head = map[string]string{"Content-Type": m.FormDataContentType()}
		a := boss.do("POST", "/api/v1/games/import", form.String()).want(200)
		if a.sound(t, name); strings.Contains(a.body, "..") || !strings.Contains(a.body, `"games":0`) {
			t.Errorf("%s: %s", name, a.body)
		}
		boss.head = map[string]string{"Content-Type": m.FormDataContentType(), "Content-Encoding": "gzip"}
		if a := boss.do("POST", "/api/v1/games/import", form.String()); a.status >= 500 {
			t.Errorf("with a coding: %d %s", a.status, a.body)
		}
	}
	_ = h
}
