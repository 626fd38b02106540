package site

import (
	"context"
	_ "embed" // holds shipped.jsonl
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
	"kibitz/report/board"
)

// shippedRecord is a game of two levels of the built-in engine: what a hall shows in which nothing was
// played yet.
//
//go:embed shipped.jsonl
var shippedRecord []byte

// shippedAt is the address below which picture and moves of the shipped game are.
const shippedAt = "/shipped"

// shippedGame is what the record says of itself.
type shippedGame struct {
	Game  string
	Seats [2]struct{ Name string }
}

// shipped shows the game that comes with the program.
type shipped struct {
	*Site
	// read plays it, the first time that it is asked for; one of a record that came with the program
	// is a right one.
	read func() (shippedReplay, error)
}

type shippedReplay struct {
	shippedGame
	*records.Replayed
}

func newShipped(h *Site, games *records.Games) *shipped {
	return &shipped{h, sync.OnceValues(func() (out shippedReplay, err error) {
		if err = json.Unmarshal(shippedRecord, &out.shippedGame); err == nil {
			out.Replayed, err = games.Replay(context.Background(), shippedRecord)
		}
		return out, err
	})}
}

func (h *shipped) register() {
	h.router.Handle(router.Route{
		Method: "GET", Path: shippedAt + "/picture.svg", ID: "shipped-picture", Summary: "the end of the game that comes with the program",
		Need: auth.Look,
	}, http.HandlerFunc(h.picture))
	h.router.Handle(router.Route{
		Method: "GET", Path: shippedAt + "/replay", ID: "shipped-replay", Summary: "that game for the script of a page", Need: auth.Look,
	}, http.HandlerFunc(h.replay))
}

// line is the game in a list, nil in a hall that shows none; its board leads to an analysis of it.
func (h *shipped) line(w *words.Catalogue) (*pages.GameLine, error) {
	g, err := h.read()
	if errors.Is(err, problem.ErrAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	moves := make([]string, len(g.Steps))
	for i := range g.Steps {
		moves[i] = g.Steps[i].Text
	}
	l := &pages.GameLine{Spec: g.Game, Over: true, Plies: len(moves), Files: shippedAt}
	l.Page = "/analysis?" + url.Values{"game": {g.Game}, "moves": {strings.Join(moves, "_")}}.Encode()
	for i, s := range g.Seats {
		l.Short[i], l.Names[i] = pages.Short(w, s.Name), pages.Called(w, s.Name)
	}
	return l, nil
}

func (h *shipped) picture(w http.ResponseWriter, r *http.Request) {
	g, err := h.read()
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age="+pictureAge)
	h.writeBody(w, r, http.StatusOK, []byte(board.SVG(g.Views[len(g.Views)-1], styleOf(lookOf(r)))))
}

func (h *shipped) replay(w http.ResponseWriter, r *http.Request) {
	g, err := h.read()
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	names := called(h.newPage(r).Words, [2]string{g.Seats[0].Name, g.Seats[1].Name})
	h.sendReplay(w, r, &replayView{Spec: g.Game, Names: names}, g.Replayed)
}
