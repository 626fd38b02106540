package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/report/board"
	"kibitz/report/picture"
)

// Limits of pictures.
const (
	usualPicture, usualFilm = 800, 400
	largestFilm             = 800
	usualDelay              = 800 * time.Millisecond
	// pictureForm changes when pictures are drawn in another way.
	pictureForm = "2"
)

// painter draws a picture of a finished game.
type painter func(ctx context.Context, g *store.Game, re *records.Replayed, q url.Values) ([]byte, error)

// pictures are those of games, for this hall's pages and for those of others, and of positions.
type pictures struct {
	*Site
	games     *records.Games
	positions *records.Positions
	films     *auth.Limiter
	draws     chan struct{}
}

func (h *pictures) register() {
	for _, at := range []string{"games", "embed"} {
		add := func(ext, kind, what string, draw painter) {
			h.router.Handle(router.Route{
				Method: "GET", Path: "/" + at + "/{id}/picture." + ext, ID: at + "-picture-" + ext, Summary: what, Need: auth.Look,
			},
				h.draw(kind, draw))
		}
		add("svg", "image/svg+xml", "a position as a drawing", drawSVG)
		add("png", "image/png", "a position as an image", drawPNG)
		add("gif", "image/gif", "a game as a moving image", drawGIF)
	}
	h.router.Handle(router.Route{
		Method: "GET", Path: "/analysis/picture.png", ID: "position-picture", Summary: "a position that was set up, as an image", Need: auth.Look,
	}, http.HandlerFunc(h.position))
}

// position answers with a picture of the position that the address has.
func (h *pictures) position(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	v, _, err := h.positions.Check(r.Context(), records.BoardWish{
		Spec: q.Get("game"), Position: q.Get("position"), Moves: strings.Fields(strings.ReplaceAll(q.Get("moves"), "_", " ")),
	})
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	var b bytes.Buffer
	if err := h.turn(r.Context(), func() error { return writePNG(&b, v, "", q) }); err != nil {
		h.router.SendError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(b.Bytes()) // a client that has gone needs no answer
}

// draw answers with what draw draws. An answer that the client has is not drawn
// again; few are drawn at a time, and moving ones seldom for one address.
func (h *pictures) draw(kind string, draw painter) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		g, record, err := h.games.Finished(ctx, r.PathValue("id"))
		if err != nil {
			h.router.SendError(w, r, err)
			return
		}
		tag := pictureTag(&g, record, kind, r.URL.RawQuery)
		head := w.Header()
		if matches(r.Header.Get("If-None-Match"), tag) {
			head.Set("ETag", tag)
			head.Set("Cache-Control", "private, no-cache")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if kind == "image/gif" {
			if wait, ok := h.films.Allow(auth.Address(ctx), h.now()); !ok {
				h.router.TooMany(w, r, wait)
				return
			}
		}
		data, err := h.drawn(ctx, &g, record, r.URL.Query(), draw)
		if err != nil {
			h.router.SendError(w, r, err)
			return
		}
		head.Set("Content-Type", kind)
		head.Set("ETag", tag)
		head.Set("Cache-Control", "private, no-cache") // who may see it is asked each time
		_, _ = w.Write(data)                           // a client that has gone needs no answer
	})
}

// drawn draws a picture of a game when it is its turn.
func (h *pictures) drawn(ctx context.Context, g *store.Game, record []byte, q url.Values, draw painter) (data []byte, err error) {
	err = h.turn(ctx, func() error {
		re, err := h.games.Replay(ctx, record)
		if err == nil {
			data, err = draw(ctx, g, re, q)
		}
		return err
	})
	return data, err
}

// turn draws when fewer than may be are drawn.
func (h *pictures) turn(ctx context.Context, draw func() error) error {
	select {
	case h.draws <- struct{}{}:
		defer func() { <-h.draws }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return draw()
}

// pictureTag changes with all that a picture is made of.
func pictureTag(g *store.Game, record []byte, kind, query string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %q %q %q %v %v %d ", pictureForm, kind, query, g.Seats[0].Name, g.Seats[1].Name, g.Result.Points, g.Result.Board,
		len(record))
	sum.Write(record)
	return `"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`
}

// matches reports whether a tag is among those of a header.
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

func pictureStyle(title string, q url.Values) board.Style {
	return board.Style{Title: title, Chinese: q.Get("pieces") != "latin"}
}

func titleOf(g *store.Game) string { return g.Seats[0].Name + " – " + g.Seats[1].Name }

// writePNG draws a position as large as is asked for.
func writePNG(b *bytes.Buffer, v *game.View, title string, q url.Values) error {
	return picture.PNG(b, v, pictureStyle(title, q), within(q, "size", usualPicture, picture.Smallest, picture.Largest))
}

// within is a number of a query between two bounds, usual if there is none.
func within(q url.Values, name string, usual, low, high int) int {
	n, err := strconv.Atoi(q.Get(name))
	if err != nil {
		return usual
	}
	return min(max(n, low), high)
}

func drawSVG(_ context.Context, g *store.Game, re *records.Replayed, q url.Values) ([]byte, error) {
	last := len(re.Views) - 1
	return []byte(board.SVG(re.Views[within(q, "ply", last, 0, last)], pictureStyle(titleOf(g), q))), nil
}

func drawPNG(_ context.Context, g *store.Game, re *records.Replayed, q url.Values) ([]byte, error) {
	last := len(re.Views) - 1
	var b bytes.Buffer
	err := writePNG(&b, re.Views[within(q, "ply", last, 0, last)], titleOf(g), q)
	return b.Bytes(), err
}

// drawGIF draws a game from one ply to another: without either the whole game, of a
// very long one its end.
func drawGIF(ctx context.Context, g *store.Game, re *records.Replayed, q url.Values) ([]byte, error) {
	last := len(re.Views) - 1
	to := within(q, "to", last, 0, last)
	from := within(q, "from", 0, 0, to)
	from = max(from, to-picture.MostFrames+1)
	delay := time.Duration(within(q, "delay", int(usualDelay/time.Millisecond), 50, 10_000)) * time.Millisecond
	f := picture.Film{
		Views: re.Views[from : to+1], Style: pictureStyle(titleOf(g), q), Size: within(q, "size", usualFilm, picture.Smallest, largestFilm),
		Delay: delay, Last: max(3*time.Second, 2*delay), Names: [2]string{g.Seats[0].Name, g.Seats[1].Name},
	}
	if to == last {
		f.Result = resultLine(g)
	}
	var b bytes.Buffer
	err := picture.GIF(ctx, &b, &f)
	return b.Bytes(), err
}

// resultLine is a result in the numbers that every reader knows.
func resultLine(g *store.Game) string {
	text := func(x [2]float64) string {
		return strconv.FormatFloat(x[0], 'f', -1, 64) + " : " + strconv.FormatFloat(x[1], 'f', -1, 64)
	}
	if g.Result.HasBoard {
		return text(g.Result.Points) + " (" + text(g.Result.Board) + ")"
	}
	return text(g.Result.Points)
}
