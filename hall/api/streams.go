package api

import (
	"context"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/journal"
)

// aboutStreams says in which forms streams come.
const aboutStreams = "Server-sent events, or lines of JSON for Accept: application/x-ndjson."

// gameStreams are the streams of running games.
type gameStreams struct {
	router  *router.Router
	running *lobby.Running
	hub     *hub.Hub
	games   *records.Games
	health  *health.Monitor
	now     func() time.Time
}

func (h *gameStreams) register(a *API) {
	const tag = "live"
	a.handle(router.Route{
		Method: "GET", Path: "/api/v1/games/{game}/events", ID: "game-events", Tag: tag, Summary: "A running game", Need: auth.Look, Time: -1,
		About: aboutStreams + " `presence` tells whether the person of a seat is there: `state` is `here` or `away`, `since` and `at`, the time at " +
			"which it is told, are milliseconds since 1970; `lapses` is when the absence ends the game, `ends` how: by a loss (`disconnect`) " +
			"or without a result (`abort`). " +
			"Of a game that is over before it was seen its last board comes, then `over`.",
	}, http.HandlerFunc(h.gameEvents))
	a.handle(router.Route{
		Method: "GET", Path: "/api/v1/games/events", ID: "games-events", Tag: tag, Summary: "Several running games", Need: auth.Look, Time: -1,
		About: aboutStreams + " Up to 50 games: game=a&game=b. The id of an event is game:number. " +
			"Of a game that is over before it was seen its last board comes, then `over`.",
	}, http.HandlerFunc(h.gamesEvents))
}

// registerSeats registers what people do in games.
func registerSeats(a *API, running *lobby.Running) {
	const tag, one = "live", "/api/v1/games/{game}"
	add(a, router.Route{
		Method: "POST", Path: one + "/moves", ID: "move", Tag: tag, Summary: "Answer the question of one's seat", Need: auth.Play, Decides: true,
		About: "Sent twice it has effect once.",
	}, done(running.Move))
	add(a, router.Route{
		Method: "POST", Path: one + "/acts", ID: "act", Tag: tag, Summary: "Resign, offer, ask, accept, decline", Need: auth.Play, Decides: true,
		About: "At any time of a running game, on either turn. What is asked stands until the opponent answers it or moves. " +
			"`hint` is for one's own turn against an engine, in games that are not rated: each time the seat is told more (`hint`: `near` " +
			"which decisions the best one is, `steps`, `why`), by a player who knows what the seat knows. `hints` counts them. " +
			"`judge` has one's latest turn judged there: where it lost 15 % of the chance to win or more, the seat is told (`sure`: `ply` before it, `lost`).",
	}, answerAt(running.Act))
	add(a, router.Route{
		Method: "GET", Path: one + "/seat", ID: "seat-state", Tag: tag, Summary: "What is asked of one's seat", Need: auth.Play,
		About: "The question that waits, and what both seats ask of each other: the latest event \"seat\" of the stream.",
	}, answerAt(running.State))
}

// gameEvents streams a game until it is over or the client goes.
func (h *gameStreams) gameEvents(w http.ResponseWriter, r *http.Request) {
	l, err := h.running.Look(r.Context(), r.PathValue("game"))
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	v, err := h.hub.Watch(l.Key(), l.Meta, hub.ParseID(r.Header.Get("Last-Event-ID")))
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	defer v.Close()
	states, leave := h.running.Attend(r.Context(), &l, router.Came(r.Context()))
	s := newStream(w, r, h.now)
	defer func() { leave(s.over) }()
	tick := time.NewTicker(lively / 2) // beats are left out where something else was sent
	defer tick.Stop()
	lastNews := HallNews{}
	var there [2]*journal.Presence
	unseen := l.State == store.Over
	for {
		news, err := s.frames(v)
		if err != nil || s.presence(v, &there) != nil {
			return
		}
		if unseen && !s.shown { // it may have been over before its worker could be asked
			if f, err := lastFrame(r.Context(), h.games, &l); err == nil {
				_ = s.end(f) // a client that has gone needs no answer
				return
			}
		}
		unseen = false
		stands, changed := hallNews(h.health)
		if stands.Away != lastNews.Away {
			lastNews = stands
			if s.send("", "hall", jsonOf(stands)) != nil {
				return
			}
		}
		select {
		case <-changed:
		case <-news:
		case x := <-states:
			err = s.send("", "seat", jsonOf(x))
		case <-tick.C:
			unseen = !s.shown
			err = s.beat()
		case <-r.Context().Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// lastFrame is the last frame of a game that is over, nil if its record cannot be read; an error if
// it is not over.
func lastFrame(ctx context.Context, games *records.Games, l *lobby.Watched) (*hub.Frame, error) {
	s, err := games.Last(ctx, l.ID, l.To)
	if records.Unreadable(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := hub.LastFrame(s)
	return &f, nil
}
