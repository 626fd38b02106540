package api

import (
	"net/http"
	"strconv"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/router"
)

// consoleStreams are the routes of what engines print.
type consoleStreams struct {
	router   *router.Router
	consoles *lobby.Consoles
	bus      lobby.ConsoleBus
	link     *lobby.Link
	now      func() time.Time
}

func (h *consoleStreams) register(a *API) {
	const tag, one = "live", "/api/v1/games/{game}/consoles/{seat}"
	who := "Live only if the room shows what engines say and the game hides nothing, with the room's delay, and to those who sit in the " +
		"game only if it is open to them; " +
		"when the game is over also to the engine's owner and to arbiters. While it runs the latest 500 lines and 64 KiB of an engine are " +
		"told, afterwards up to 10 MB, in parts."
	add(a, router.Route{Method: "GET", Path: one, ID: "console", Tag: tag, Summary: "What an engine prints", Need: auth.Look, About: who},
		answer(h.consoles.Get))
	a.handle(router.Route{
		Method: "GET", Path: one + "/events", ID: "console-events", Tag: tag, Summary: "What an engine prints, as it does",
		Need: auth.Look, Time: -1, About: who + " Server-sent events, or lines of JSON for Accept: application/x-ndjson.",
	}, http.HandlerFunc(h.consoleEvents))
}

// consoleEvents streams a console until its game is over or the client goes.
func (h *consoleStreams) consoleEvents(w http.ResponseWriter, r *http.Request) {
	seat, err := strconv.Atoi(r.PathValue("seat"))
	if err != nil {
		seat = -1
	}
	x, err := h.consoles.Find(r.Context(), r.PathValue("game"), seat)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	f, stop, err := h.newFeed(r.Context(), &x)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	defer stop()
	f.resume(r.Header.Get("Last-Event-ID"))
	f.run(r.Context(), newStream(w, r, h.now))
}
