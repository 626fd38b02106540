package server

import (
	"context"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/store"
	"kibitz/hall/worker"
	players "kibitz/player"
)

// thinkers is a crew whose built-in engines think until they are stopped.
func thinkers(ctx context.Context, p *bus.Play) (*worker.Setup, error) {
	parts, err := crewOf(ctx, p)
	if err != nil {
		return nil, err
	}
	for i := range parts.Sides {
		if p.Seats[i].Kind == bus.BotSeat {
			parts.Sides[i].Player = &thinker{Player: parts.Sides[i].Player}
		}
	}
	return parts, nil
}

type thinker struct{ players.Player }

func (t *thinker) Choose(ctx context.Context, _ *players.Prompt) (players.Answer, error) {
	<-ctx.Done()
	return players.Answer{}, players.Fail("abort", ctx.Err(), "stopped")
}

// The host of a room in which two engines play may stop the game, and close the room
// meanwhile; nobody else may.
func TestHostStopsEngines(t *testing.T) {
	h := newHouse(t, build{crew: thinkers})
	host, other := h.register("host"), h.register("other")
	for _, do := range []string{"stop", "close"} {
		id := host.open(map[string]any{"game": "othello", "clocks": []string{"inf", "inf"}})
		for place := range 2 {
			host.order(id, "sit", map[string]any{"place": place, "kind": "bot", "engine": "bot=1"})
		}
		g := host.order(id, "start", nil).Room.Game.ID
		h.begun(id)
		other.order(id, "enter", nil)
		other.do("POST", roomsPath+"/"+id+"/commands", map[string]any{"do": do}).want(403)
		host.order(id, do, nil)
		h.aborted(g)
		if phase := host.phase(id); phase != map[string]string{"stop": "done", "close": "closed"}[do] {
			t.Errorf("after %s the room is %s", do, phase)
		}
	}
}

func (c *client) phase(id string) string {
	c.s.t.Helper()
	var r opened
	c.do("GET", roomsPath+"/"+id, nil).want(200).into(&r)
	return r.Room.Phase
}

// aborted waits until a game has ended without a result.
func (h *house) aborted(id string) store.Game {
	h.t.Helper()
	for range 6000 {
		var g store.Game
		if err := h.store.View(h.t.Context(), func(tx store.Tx) (err error) { g, err = tx.Game(id); return err }); err != nil {
			h.t.Fatal(err)
		}
		if g.State == store.Aborted || g.State == store.Over {
			if g.Result.Reason != "abort" {
				h.t.Errorf("the game ended with %+v", g.Result)
			}
			return g
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.t.Fatal("the game does not end")
	return store.Game{}
}
