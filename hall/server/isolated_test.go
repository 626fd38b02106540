package server

import (
	"regexp"
	"strings"
	"testing"

	"kibitz/hall/store"
)

// Names from elsewhere, such as those of imported records, may hold characters that turn
// the text behind them: on pages every name stands isolated, and none turns its surroundings.
func TestNamesAreIsolated(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	const evil = "\u202emoc.live\u2069x"
	s.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1, Seats: [2]store.Seat{{Name: evil}, {Name: "bob"}}}, `{"game":"over1"}`)
	s.addGame(store.Game{ID: "damaged", Listed: true, Attempt: 1, Index: 1, Seats: [2]store.Seat{{Name: evil}, {Name: "bob"}}}, `no record`)
	isolated := regexp.MustCompile(`<bdi[^>]*>` + evil + `</bdi>`)
	tags := regexp.MustCompile(`(?s)<title>.*?</title>|<[^>]*>`)
	for _, path := range []string{"/games/over1", "/embed/over1", "/games/damaged", "/games", "/"} {
		body := boss.do("GET", path, nil).want(200).body
		if !strings.Contains(body, "moc.live") {
			t.Errorf("%s does not show the name", path)
		}
		bare := tags.ReplaceAllStringFunc(isolated.ReplaceAllString(body, ""), func(string) string { return " " })
		bare = strings.ReplaceAll(bare, "\u2068moc.livex\u2069", "")
		if i := strings.Index(bare, "moc.live"); i >= 0 {
			t.Errorf("%s: a name stands bare: %q", path, bare[max(0, i-60):i+20])
		}
	}
}
