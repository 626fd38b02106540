package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// asks are the queries with which routes are asked beside none; {…} are replaced.
func asks() map[string][]string {
	search := []string{
		"state=running", "player=bert", "opponent=bert", "subject=user/{bert}", "outcome=win", "outcome=draw", "outcome=loss", "reason=resign", "hasPosition=true",
		"position=42", "opening=a", "game=phantomgo", "rated=true", "room={first}", "from=2040-01-01T00:00:00Z", "limit=1", "seat=1&player=bert",
	}
	var tallies []string
	for _, by := range []string{"game", "reason", "opponent", "seat", "room"} {
		tallies = append(tallies, "by="+by, "by="+by+"&player=bert", "by="+by+"&room={first}")
	}
	return map[string][]string{
		"/api/v1/games":             append(slices.Clone(search), "mine=true", "cursor=x"),
		"/api/v1/games/export":      {"as=zip", "as=ndjson&player=bert", "as=zip&format=loud"},
		"/api/v1/games/{id}/record": {"format=loud", "format=json"},
		"/api/v1/games/{id}/view":   {"ply=0", "ply=3", "ply=40"},
		"/api/v1/statistics":        tallies,
		"/api/v1/ratings":           {"subject=user/{bert}"},
		"/api/v1/ratings/leaders":   {"game=phantomgo&speed=rapid", "game=phantomgo&speed=classical&deviation=1000"},
		"/api/v1/ratings/history":   {"subject=user/{bert}&game=phantomgo&speed=rapid"},
		"/api/v1/users":             {"prefix=b"},
		"/api/v1/admin/users":       {"prefix=b"},
		"/api/v1/admin/audit":       {"actor={bert}", "subject=bert"},
		"/api/v1/rooms":             {"game=phantomgo", "free=true", "before=2041-01-01T00:00:00Z"},
		"/api/v1/rooms/{room}/chat": {"after=0"},
		"/api/v1/rooms/{room}/seat": {"place=0", "place=1"},
		"/api/v1/tournaments":       {"mine=true", "state=playing"},
	}
}

// places are the values of the placeholders of a path.
func (s *scene) places(path, name string) []string {
	var ids, rooms []string
	for _, n := range s.order {
		ids, rooms = append(ids, s.games[n].id), append(rooms, s.games[n].room)
	}
	switch {
	case name == "id" && (strings.HasPrefix(path, "/api/v1/games/") || strings.HasPrefix(path, "/games/") || strings.HasPrefix(path, "/embed/")), name == "game":
		return ids
	case name == "seat":
		return []string{"0", "1"}
	case name == "room":
		return rooms
	case name == "name" && (strings.HasPrefix(path, "/api/v1/users/") || strings.HasPrefix(path, "/players/")):
		return []string{"bert", "anna"}
	case name == "$": // the page of the root itself
		return []string{""}
	case name == "name":
		return []string{"bot=1"}
	case name == "tournament":
		return []string{"1"}
	case name == "picture":
		return []string{"step-two.svg"}
	case name == "code": // a challenge tells of no game that hides anything; its room does
		return nil
	case name == "bot":
		return []string{fmt.Sprint(s.looks["annabot"].id)}
	case name == "id":
		return []string{"1"}
	}
	s.t.Errorf("say in places what stands for {%s} in %s", name, path)
	return nil
}

// filled returns the paths of a route.
func (s *scene) filled(path string) []string {
	out := []string{path}
	for {
		_, rest, ok := strings.Cut(out[0], "{")
		if !ok {
			return out
		}
		name, _, _ := strings.Cut(rest, "}")
		var next []string
		for _, p := range out {
			for _, value := range s.places(path, name) {
				next = append(next, strings.ReplaceAll(p, "{"+name+"}", value))
			}
		}
		if len(next) == 0 {
			return nil
		}
		out = next
	}
}

// sweep asks for everything that can be read, as everybody: each route that takes GET,
// with every query that chooses among games, and with HEAD.
func (s *scene) sweep() {
	s.t.Helper()
	queries := asks()
	names := s.names
	if testing.Short() {
		names = []string{"nobody", "anna"}
	}
	n := 0
	for _, r := range s.hall.router.Routes() {
		if r.Method != http.MethodGet && r.Method != "" || strings.HasSuffix(r.Path, "/events") {
			continue // the streams are listened to
		}
		for _, path := range s.filled(r.Path) {
			for _, q := range append([]string{""}, queries[r.Path]...) {
				full := path
				if q != "" {
					full += "?" + strings.NewReplacer("{bert}", fmt.Sprint(s.bert.id), "{first}", s.games["first"].room).Replace(q)
				}
				for _, who := range names {
					s.look(who, "GET", full)
					n++
				}
				s.look("nobody", "HEAD", full)
			}
		}
	}
	if n < 200 {
		s.t.Errorf("%d requests only", n)
	}
	s.swept()
}

// swept holds the places where a game could show through to be among what was asked for,
// by players and by others: lists, small boards, the room with and without scripts, what
// of it is made anew, the page of a running game, what others embed, its record.
func (s *scene) swept() {
	s.t.Helper()
	paths := []string{"/", "/watch", "/watch/live", "/own", "/rooms"}
	for _, name := range s.order {
		g := s.games[name]
		for _, p := range []string{"", "/plain", "/live"} {
			paths = append(paths, "/rooms/"+g.room+p)
		}
		for _, p := range []string{"/games/", "/embed/", "/api/v1/games/"} {
			paths = append(paths, p+g.id)
		}
		paths = append(paths, "/api/v1/games/"+g.id+"/record", "/games/"+g.id+"/picture.svg")
	}
	for _, who := range []string{"nobody", "anna"} {
		for _, p := range paths {
			if s.told[who+" asks GET "+p] == "" {
				s.t.Errorf("%s has not asked for %s", who, p)
			}
		}
	}
}

// look asks for a page and keeps what came.
func (s *scene) look(who, method, path string) {
	s.t.Helper()
	a := s.looks[who].do(method, path, nil)
	if a.status >= 500 && a.status != 501 {
		s.t.Errorf("%s %s by %s: %d %s", method, path, who, a.status, a.body)
	}
	text := a.body
	if path == "/metrics" && a.status == 200 {
		text = series(text)
	}
	var head strings.Builder
	if err := a.head.WriteSubset(&head, map[string]bool{"X-Request-Id": true}); err != nil {
		s.t.Fatal(err)
	}
	s.told[who+" asks "+method+" "+path] = plainOf(fmt.Sprintf("%d\n%s\n%s", a.status, head.String(), text))
}

// series are the names and labels of metrics, without their values and without what the
// program's own machinery counts.
func series(text string) string {
	var out []string
	for _, m := range valueOf.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "kibitz_") && !strings.Contains(m[1], `/moves"`) {
			out = append(out, m[1])
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "\n")
}
