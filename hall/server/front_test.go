package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/store"
	"kibitz/record/formats"
)

// The first page shows the game whose players have the highest ratings in that game, before
// one that hides anything, and tournaments that go on, however many newer ones are over.
func TestFrontPage(t *testing.T) {
	s := newSite(t, func(c *Config) {
		full(c)
		withTournaments(c, c.Store)
	})
	err := s.store.Update(t.Context(), func(tx store.Tx) error {
		for i, x := range []store.Rating{
			{Subject: "user/901", Game: "othello", Speed: "blitz", Value: 1500},
			{Subject: "user/902", Game: "othello", Speed: "blitz", Value: 1600},
			{Subject: "user/903", Game: "othello", Speed: "blitz", Value: 1700},
			{Subject: "user/901", Game: "gomoku", Speed: "blitz", Value: 2900},
			{Subject: "user/901", Game: "othello", Speed: "rapid", Value: 2900},
		} {
			x.Name, x.At = fmt.Sprint("rated", i), s.now()
			if err := tx.SetRating(&x); err != nil {
				return err
			}
		}
		for i := range 25 {
			c := store.Tournament{
				ID: fmt.Sprint("cup", i), Name: fmt.Sprint("Cup ", i), Game: "othello", State: store.Finished, Listed: true,
				Created: s.now().Add(time.Duration(i) * time.Second), Changed: s.now(),
			}
			if i == 0 {
				c.State = store.Playing
			}
			if err := tx.AddTournament(&c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, seats := range map[string][2]int64{"weak": {901, 902}, "strong": {902, 903}, "middle": {901, 903}, "hidden": {903, 903}} {
		s.addGame(store.Game{
			ID: id, State: store.Running, Attempt: 1, Speed: "blitz", Listed: true, Hidden: id == "hidden",
			Seats: [2]store.Seat{{Name: "one", User: seats[0]}, {Name: "two", User: seats[1]}},
		}, "")
	}
	c := s.client()
	c.head["Accept"] = "text/html"
	page := c.do("GET", "/", nil).want(200).body
	for _, want := range []string{`data-game="strong"`, `href="/tournaments/cup0"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, `href="/tournaments/`); n != 1 {
		t.Errorf("%d tournaments go on", n)
	}
}

// Where no game was played the first page plays one back that came with the program: a whole one, between
// levels of the built-in engine. Its board leads to an analysis of it.
func TestShippedGame(t *testing.T) {
	s := newSite(t, func(c *Config) {
		full(c)
		c.Replays = archive.Archive{Set: formats.New(games.OpenSpec), Open: games.Open}
	})
	for language, want := range map[string]string{"en": "Dragon (level 9)", "zh-Hant": "龍", "zh-Hans": "龙", "cs": "Drak", "es": "Dragón"} {
		c := s.client()
		c.head["Accept-Language"] = language
		wants(t, c.pageText("/"), `data-over="/shipped"`, `src="/shipped/picture.svg"`, `href="/analysis?game=othello&moves=`, want)
	}
	var v struct {
		Spec  string
		Names [2]string
		Views []struct{ Pieces string }
		Steps []struct{ Name string }
	}
	s.client().do("GET", "/shipped/replay", nil).want(200).into(&v)
	if len(v.Steps) < 50 || len(v.Views) != len(v.Steps)+1 || v.Names[0] == "" || v.Names[1] == "" || v.Spec != "othello" {
		t.Errorf("the game has %d decisions, %d boards, %q, of %s", len(v.Steps), len(v.Views), v.Names, v.Spec)
	}
	if end := v.Views[len(v.Views)-1].Pieces; strings.Count(end, ".") > 4 || strings.Count(v.Views[0].Pieces, ".") != 60 {
		t.Errorf("it ends with %s", end)
	}
	if svg := s.client().do("GET", "/shipped/picture.svg", nil).want(200); !strings.HasPrefix(svg.body, "<svg") {
		t.Errorf("%.80s", svg.body)
	}
	s.addGame(store.Game{ID: "g", Spec: "othello", Listed: true, Attempt: 1, Seats: [2]store.Seat{{Name: "ann"}, {Name: "bob"}}}, `{"game":"g"}`)
	wants(t, s.client().pageText("/"), `data-over="/games/g"`)
}

// Search engines and messengers are told what the site is, and of a game its picture; a browser that
// keeps the site has its name and icon. How many play is said from three games on.
func TestFirstPageTells(t *testing.T) {
	s := newSite(t, full)
	s.addGame(store.Game{
		ID: "g", Spec: "othello", State: store.Over, Listed: true, Result: game.Result{Points: [2]float64{1, 0}},
		Seats: [2]store.Seat{{Name: "ann", User: 901}, {Name: "bob", User: 902}},
	}, "")
	for language, about := range map[string]string{"en": "Ten board games for people and engines", "zh-Hant": "十", "cs": "Deset"} {
		c := s.client()
		c.head["Accept-Language"] = language
		page := c.pageText("/")
		wants(t, page, `<meta name="description" content="`+about, `<meta property="og:title"`, `<meta property="og:description"`, `<link rel="icon"`,
			`<link rel="manifest" href="/manifest.webmanifest">`)
		var m struct {
			Name, Lang string
			Icons      []struct{ Src string }
		}
		c.do("GET", "/manifest.webmanifest", nil).want(200).into(&m)
		if m.Name == "" || len(m.Icons) == 0 || m.Icons[0].Src == "" {
			t.Errorf("%s: %+v", language, m)
		}
	}
	for n, want := range []bool{false, false, true} {
		id := fmt.Sprint("run", n)
		s.addGame(store.Game{
			ID: id, State: store.Running, Attempt: 1, Listed: true,
			Seats: [2]store.Seat{{Name: id, User: int64(910 + 2*n)}, {Name: id + "b", User: int64(911 + 2*n)}},
		}, "")
		page := s.client().pageText("/")
		if got := strings.Contains(page, fmt.Sprintf("Now: people %d, games %d", 2+2*n, 1+n)); got != want {
			t.Errorf("%d games: that people play is said: %t", n+1, got)
		}
		if n := strings.Count(page, `data-game="`+id+`"`); n > 1 {
			t.Errorf("%s is shown %d times", id, n)
		}
	}
}

// slowSource is a source of live events that tells what was so far when it is let.
type slowSource struct {
	hub.Source
	let chan struct{}
}

func (s *slowSource) AskSync(ctx context.Context, id string, to game.Audience) (bus.Sync, error) {
	select {
	case <-s.let:
		return s.Source.AskSync(ctx, id, to)
	case <-ctx.Done():
		return bus.Sync{}, ctx.Err()
	}
}

// Whose turn it is in the reader's own game no page waits for; who asks for that alone is told as soon as the
// hall knows.
func TestOwnTurn(t *testing.T) {
	let := make(chan struct{})
	h := newHouse(t, build{change: func(c *Config) {
		c.Live.Hub = hub.New(hub.Options{Source: &slowSource{hub.FromBus(c.Live.Bus.(*bus.Bus).LiveEvents), let}, Now: time.Now})
		t.Cleanup(c.Live.Hub.Close)
	}})
	ann, bob := h.register("ann"), h.register("bob")
	room, id := h.pair(ann, bob, map[string]any{"game": "othello"})
	head := `<a class="own-game" href="/rooms/` + room + `" data-turn="`
	wants(t, ann.pageText("/watch"), head+`"`)
	time.AfterFunc(400*time.Millisecond, func() { close(let) }) // longer than a page waits
	wants(t, ann.pageText("/own"), head+`yours"`)
	wants(t, bob.pageText("/own"), head+`theirs"`)
	bob.resign(id)
}
