package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

const (
	// reviewer is the engine that reviews games: it thinks about each position as far as its
	// level says, so that a game has one review.
	reviewer = "bot=6"
	// reviewedTime is what a position may take at most, reviewTotal a game.
	reviewedTime = 10 * time.Second
	reviewTotal  = 15 * time.Minute
	// reviewedLine is how much of a line a review keeps.
	reviewedLine = 3
)

// reviews are the reviews of games that are over: each is made once, and kept.
type reviews struct {
	*analyses
	games *records.Games
}

// gameReview is what is kept of a review.
type gameReview struct {
	wire.Review
	Engine string         `json:"engine" doc:"who reviewed the game"`
	Course []analysedView `json:"course" doc:"what it says of each position, the last one first"`
}

func (h *reviews) register(a *API) {
	const path = "/api/v1/games/{id}/review"
	add(a, router.Route{
		Method: "GET", Path: path, ID: "game-review", Tag: "games", Summary: "The review of a game", Need: auth.Look,
		About: "What the engine of the hall says of a game that is over; there is none before somebody has asked for it.",
	}, answerAt(h.get))
	add(a, router.Route{
		Method: "POST", Path: path, ID: "review-game", Tag: "games", Summary: "Have a game reviewed", Need: auth.Play, Time: -1,
		About: "Streamed as an analysis is: `lines` of each position as it is judged (`done` of `all`), then `review`, then `end`. " +
			"What was reviewed before comes at once, and is the same.",
	}, h.review)
}

func (h *reviews) get(ctx context.Context, in *records.GamePath) (*gameReview, error) {
	if _, _, err := h.games.Finished(ctx, in.ID); err != nil {
		return nil, err
	}
	data, err := store.Get(ctx, h.store, store.Tx.Review, in.ID)
	if err != nil {
		return nil, err
	}
	var out gameReview
	return &out, json.Unmarshal(data, &out)
}

func (h *reviews) review(ctx context.Context, in *records.GamePath) (*huma.StreamResponse, error) {
	g, start, moves, err := h.games.Moves(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	data, err := store.Get(ctx, h.store, store.Tx.Review, in.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if data == nil && h.analyst == nil {
		return nil, problem.ErrAbsent
	}
	c, _ := auth.FromContext(ctx)
	kind := g.Spec.ID()
	if err := h.fair(ctx, c, kind); err != nil {
		return nil, err
	}
	q := bus.Analysis{
		ID: store.NewID(h.random, 10), Spec: g.Spec, Position: start, Moves: moves, Whole: true, Engine: reviewer, Lines: 1,
		Time: reviewedTime, Total: reviewTotal,
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // that of the body, which has been read
		s := newStream(w, r, h.now)
		if data != nil {
			_ = s.send("", "review", data) // a client that has gone needs no answer
			_ = s.send("", "end", jsonOf(analysisEnd{}))
			return
		}
		ctx, leave, ok := h.asked.enter(ctx, asker{c.ID, 0}, auth.Address(ctx))
		if !ok {
			h.router.SendError(w, r, errOwn)
			return
		}
		defer leave()
		made := gameReview{Engine: reviewer, Course: []analysedView{}}
		h.passOn(ctx, s, q, func() error { return h.fair(ctx, c, kind) }, func(a *bus.Analysed) error {
			if a.Review == nil {
				if a.Final {
					made.Course = append(made.Course, keptOf(a))
				}
				return s.send("", "lines", jsonOf(analysedOf(a)))
			}
			made.Review = *a.Review
			data, err := h.keep(ctx, g.ID, jsonOf(made))
			if err != nil {
				return err
			}
			return s.send("", "review", data)
		})
	}}, nil
}

// keptOf is what a review keeps of a position: nothing that takes another time on another day.
func keptOf(a *bus.Analysed) analysedView {
	b := *a
	b.Done, b.All, b.Lines = 0, 0, nil
	for _, l := range a.Lines {
		l.Time, l.Nodes = 0, 0
		l.Moves = l.Moves[:min(len(l.Moves), reviewedLine)]
		b.Lines = append(b.Lines, l)
	}
	return analysedOf(&b)
}

// keep keeps a review, and returns the one that was kept first.
func (h *reviews) keep(ctx context.Context, id string, data []byte) (out []byte, err error) {
	err = h.store.Update(ctx, func(tx store.Tx) (err error) {
		out, err = tx.Review(id)
		if errors.Is(err, store.ErrNotFound) {
			out, err = data, tx.SetReview(id, data)
		}
		return err
	})
	return out, err
}
