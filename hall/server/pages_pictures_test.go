package server

import (
	"bytes"
	"image/gif"
	"image/png"
	"strings"
	"testing"

	"kibitz/hall/store"
)

// A picture is drawn once for a client that keeps it, and changes with what is asked for.
func TestPictures(t *testing.T) {
	s := newSite(t, full)
	s.addGame(store.Game{ID: "over1", Spec: "othello", Listed: true, Seats: [2]store.Seat{{Name: "Ann"}, {Name: "Bob"}}}, `{"game":"over1"}`)
	c := s.client()
	svg := c.do("GET", "/games/over1/picture.svg?ply=1", nil).want(200)
	if svg.head.Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(svg.body, "<svg ") {
		t.Error(svg.head, svg.body)
	}
	img, err := png.DecodeConfig(strings.NewReader(c.do("GET", "/games/over1/picture.png?size=300", nil).want(200).body))
	if err != nil || img.Width > 300 || img.Width < 250 || img.Height != img.Width {
		t.Errorf("%v, %v", img, err)
	}
	a := c.do("GET", "/embed/over1/picture.gif?size=99999&delay=1", nil).want(200)
	film, err := gif.DecodeAll(bytes.NewReader([]byte(a.body)))
	if err != nil || film.Config.Width > 800 || len(film.Image) != 2 || film.Delay[1] != 300 || a.head.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("%d wide, %v, %v", film.Config.Width, film.Delay, err)
	}
	tag := svg.head.Get("ETag")
	if tag == "" || svg.head.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("tag %q, %q", tag, svg.head.Get("Cache-Control"))
	}
	c.head["If-None-Match"] = `"other", W/` + tag
	if a := c.do("GET", "/games/over1/picture.svg?ply=1", nil).want(304); a.body != "" || a.head.Get("ETag") != tag {
		t.Errorf("%v %q", a.head, a.body)
	}
	c.do("GET", "/games/over1/picture.svg?ply=2", nil).want(200)
	c.do("GET", "/games/over1/picture.png?ply=1", nil).want(200)
}

// A position that was set up is a picture by its address; what is none is refused.
func TestPositionPicture(t *testing.T) {
	c := newSite(t, full).client()
	img, err := png.DecodeConfig(strings.NewReader(c.do("GET", "/analysis/picture.png?game=othello&size=300", nil).want(200).body))
	if err != nil || img.Width > 300 || img.Width < 250 {
		t.Errorf("%v, %v", img, err)
	}
	c.do("GET", "/analysis/picture.png?game=othello&position=none", nil).want(422)
	c.do("GET", "/analysis/picture.png?game=othello&moves=f5_none", nil).want(422)
}

// Moving pictures cost work: an address gets a dozen at once.
func TestFilmsAreLimited(t *testing.T) {
	s := newSite(t, func(c *Config) {
		full(c)
		c.Options.AddressRate = 0
	})
	s.addGame(store.Game{ID: "over1", Spec: "othello", Listed: true}, `{"game":"over1"}`)
	c := s.client()
	s.stand() // films are made again after seconds
	got := map[int]int{}
	for range 20 {
		got[c.do("GET", "/games/over1/picture.gif?size=100", nil).status]++
	}
	if got[200] != 12 || got[429] != 8 {
		t.Errorf("%v", got)
	}
}
