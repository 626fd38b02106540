package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// consolePatience is how long a worker may take to say what an engine has printed.
const consolePatience = 3 * time.Second

// errNoConsole is said to who may not see what an engine prints, or not yet, and where
// there is nothing: the three are told apart by nobody.
var errNoConsole = &Problem{
	http.StatusForbidden, "no-console",
	"what this engine prints is not shown here: a room can allow it while a game runs that hides nothing, and afterwards its owner and " +
		"arbiters see it",
}

type consolePath struct {
	Game string `path:"game" maxLength:"100"`
	Seat int    `path:"seat" minimum:"0" maximum:"1" doc:"0 for the first"`
}

type consoleLine struct {
	At   time.Time `json:"at"`
	Mark string    `json:"mark" doc:"> to the engine, < from it, | its output beside the connection, ! its standard error, # a remark"`
	Text string    `json:"text"`
}

// consoleLines is a run of lines of one console.
type consoleLines struct {
	Attempt int           `json:"attempt"`
	Next    int           `json:"next" doc:"the number of the line after the last one; lines count from 1, and only the latest are kept"`
	Lines   []consoleLine `json:"lines"`
	Whole   bool          `json:"whole,omitempty" doc:"they take the place of all before"`
}

func (h *Hall) registerConsoles() {
	const tag, one = "live", "/api/v1/games/{game}/consoles/{seat}"
	who := "Live only if the room shows what engines say and the game hides nothing, with the room's delay, and to those who sit in the " +
		"game only if it is open to them; " +
		"when the game is over also to the engine's owner and to arbiters. Kept are the latest 500 lines and 64 KiB of an engine."
	add(h, Route{Method: "GET", Path: one, ID: "console", Tag: tag, Summary: "What an engine prints", Need: auth.Look, About: who},
		h.getConsole)
	h.handle(Route{
		Method: "GET", Path: one + "/events", ID: "console-events", Tag: tag, Summary: "What an engine prints, as it does",
		Need: auth.Look, Time: -1, About: who + " Server-sent events, or lines of JSON for Accept: application/x-ndjson.",
	}, http.HandlerFunc(h.consoleEvents))
}

// heard is a console as a caller may look at it.
type heard struct {
	liveGame
	seat game.Seat
	// over tells that the attempt is, whoever may know it by now.
	over bool
}

// mayHear finds out what a caller may see of what an engine prints.
func (h *Hall) mayHear(ctx context.Context, id string, seat int) (heard, error) {
	l, err := h.look(ctx, id)
	out := heard{liveGame: l, seat: game.Seat(seat)}
	if err != nil {
		return out, err
	}
	if seat < 0 || seat > 1 || !l.engines[seat] {
		return out, errNoConsole
	}
	by := actorOf(ctx)
	owner := by.ID != 0 && l.Seats[seat].User == by.ID
	out.over = l.State == store.Over || l.State == store.Aborted
	if l.to != game.Public {
		out.delay = 0
	}
	switch {
	case out.over && (owner || by.Arbiter):
		out.delay = 0
		return out, nil
	case !l.lines || l.Hidden:
		return out, errNoConsole
	case !out.over && l.to != game.Public && !l.open && !owner:
		return out, errNoConsole
	}
	return out, nil
}

// storedConsole returns what was kept of an engine whose game is over.
func (h *Hall) storedConsole(ctx context.Context, x *heard) (out bus.Console, err error) {
	out = bus.Console{Game: x.ID, Attempt: x.Attempt, Seat: x.seat, Next: 1, Over: true}
	var packed []byte
	err = h.view(ctx, func(tx store.Tx) (err error) { packed, err = tx.Console(x.ID, int(x.seat)); return err })
	if errors.Is(err, store.ErrNotFound) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			h.cfg.Log.WarnContext(ctx, "a console cannot be read", "game", x.ID, "seat", int(x.seat), "error", oneLine(err))
			err = &Problem{http.StatusUnprocessableEntity, "unreadable", "what this engine printed cannot be read"}
		}
	}()
	data, err := h.unpack.DecodeAll(packed, nil)
	if err != nil {
		return out, err
	}
	head, data, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(head, &out); err != nil {
		return out, err
	}
	for line := range bytes.Lines(data) {
		var l bus.ConsoleLine
		if err := json.Unmarshal(line, &l); err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, l)
	}
	return out, nil
}

// console returns what there is of a console at this moment, without what a delay holds
// back. What no worker answers for is empty.
func (h *Hall) console(ctx context.Context, x *heard) (consoleLines, error) {
	var c bus.Console
	var err error
	if x.over {
		if c, err = h.storedConsole(ctx, x); err != nil {
			return consoleLines{}, err
		}
	} else {
		ask, cancel := context.WithTimeout(ctx, consolePatience)
		defer cancel()
		if c, err = h.cfg.Live.Bus.AskConsole(ask, x.ID, x.seat); err != nil {
			h.cfg.Log.DebugContext(ctx, "no worker answered", "game", x.ID, "error", oneLine(err))
			c = bus.Console{Attempt: x.Attempt, Next: 1}
		}
	}
	n := len(c.Lines)
	for n > 0 && h.now().Before(c.Lines[n-1].At.Add(x.delay)) {
		n--
	}
	out := consoleLines{Attempt: c.Attempt, Next: c.Next - (len(c.Lines) - n), Whole: true, Lines: []consoleLine{}}
	for _, l := range c.Lines[:n] {
		out.Lines = append(out.Lines, consoleLine(l))
	}
	return out, nil
}

func (h *Hall) getConsole(ctx context.Context, in *consolePath) (*body[consoleLines], error) {
	x, err := h.mayHear(ctx, in.Game, in.Seat)
	if err != nil {
		return nil, err
	}
	out, err := h.console(ctx, &x)
	return reply(out), err
}

// consoleEvents streams a console until its game is over or the client goes.
func (h *Hall) consoleEvents(w http.ResponseWriter, r *http.Request) {
	seat, err := strconv.Atoi(r.PathValue("seat"))
	if err != nil {
		seat = -1
	}
	x, err := h.mayHear(r.Context(), r.PathValue("game"), seat)
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	f, stop, err := h.newFeed(r.Context(), &x)
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	defer stop()
	f.resume(r.Header.Get("Last-Event-ID"))
	f.run(r.Context(), h.newStream(w, r))
}
