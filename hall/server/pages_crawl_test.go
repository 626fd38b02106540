package server

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/hall/store"
)

// Every link of every page leads somewhere, for each role and in each language.
func TestLinks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	s := h.testHall
	boss := s.admin()
	cast := s.assemble(0, boss)
	name := cast.name
	s.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1, Index: 7, Rated: true, Seats: [2]store.Seat{{Name: name, User: cast.by[player].id}, {Name: "Level 2", Engine: "bot=2"}}}, `{"game":"over1"}`)
	cup := map[string]any{"game": "othello", "name": "Cup", "engines": []string{"bot=1", "bot=2"}}
	cast.by[player].do("POST", tournamentsPath, cup).want(201)
	cast.by[player].open(map[string]any{"game": "othello", "name": "Open to all"})
	link := regexp.MustCompile(`(?:href|src)="(/[^"]*)"`)
	starts := []string{"/", "/embed/over1", "/players/" + name, "/register", "/account", "/bots", "/learn"}
	for _, l := range testPages().Words().Languages() {
		only := onlyEnglish(l.ID)
		for _, role := range []int{anon, guest, player, operator} {
			c := cast.by[role]
			c.head["Accept"], c.head["Accept-Language"] = "text/html", l.ID
			seen := map[string]bool{}
			list := append([]string{}, starts...)
			for len(list) > 0 {
				path := list[0]
				list = list[1:]
				if seen[path] || strings.HasPrefix(path, "/assets/") && l.ID != "en" {
					continue
				}
				seen[path] = true
				a := c.do("GET", path, nil)
				switch {
				case a.status == 303:
					list = append(list, a.head.Get("Location"))
				case a.status == 401 && role == anon, a.status == 403 && role == guest: // offered to those who have an account
				case a.status == 404 && path == "/rooms/"+cast.shut: // in the lobby, for those invited
				case a.status != 200:
					t.Errorf("%s for %s in %s: %d", path, roleNames()[role], l.ID, a.status)
				}
				if a.status != 200 || !strings.HasPrefix(a.head.Get("Content-Type"), "text/html") || path == "/api/v1/docs" {
					continue
				}
				if !strings.Contains(a.body, `<html lang="`+l.ID+`"`) || strings.Contains(a.body, "ZgotmplZ") {
					t.Errorf("%s for %s in %s: %s", path, roleNames()[role], l.ID, a.body)
				}
				for _, text := range foreign(a.body, only) {
					if text == "first" { // what a token is called
						continue
					}
					t.Errorf("%s for %s in %s says %q in English", path, roleNames()[role], l.ID, text)
				}
				for _, m := range link.FindAllStringSubmatch(a.body, -1) {
					to, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
					list = append(list, to)
				}
			}
			if len(seen) < 20 {
				t.Errorf("%s in %s saw %d pages", roleNames()[role], l.ID, len(seen))
			}
		}
	}
}

// onlyEnglish are the texts of the English catalogue that are not in that of a language.
func onlyEnglish(language string) map[string]bool {
	set, only := testPages().Words(), map[string]bool{}
	en, here := set.Choose("en", ""), set.Choose(language, "")
	en.Keys(func(key string) { only[en.Text(key)] = true })
	here.Keys(func(key string) { delete(only, here.Text(key)) })
	return only
}

var (
	unread   = regexp.MustCompile(`(?s)<script.*?</script>|<(\w+)[^>]* lang="en"[^>]*>.*?</\w+>`)
	tag      = regexp.MustCompile(`(?s)<[^>]*>`)
	attached = regexp.MustCompile(`\b(?:title|alt|placeholder|aria-label)="([^"]*)"`)
)

// foreign returns the texts of a page that are among those that only English has. What is marked
// as English may be.
func foreign(body string, only map[string]bool) (out []string) {
	body = unread.ReplaceAllString(body, "")
	pieces := tag.Split(body, -1)
	for _, m := range attached.FindAllStringSubmatch(body, -1) {
		pieces = append(pieces, m[1])
	}
	for _, p := range pieces {
		p = strings.TrimSpace(html.UnescapeString(p))
		if len(p) > 3 && only[p] {
			out = append(out, p)
		}
	}
	return out
}

// The test that no page speaks another language can fail.
func TestForeign(t *testing.T) {
	page := `<h1>Games</h1><p title="Search">Partie <span lang="en">Settings</span> Kibitz</p><script>"Lobby"</script>`
	if got := foreign(page, onlyEnglish("cs")); !slices.Equal(got, []string{"Games", "Search"}) {
		t.Errorf("%q", got)
	}
	if got := foreign(page, onlyEnglish("en")); got != nil {
		t.Errorf("%q", got)
	}
}
