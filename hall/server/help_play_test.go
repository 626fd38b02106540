package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// ticketOf is what the job of a game shows.
func ticketOf(st store.Store, id string) (ticket string) {
	_ = st.View(context.Background(), func(tx store.Tx) error {
		g, err := tx.Game(id)
		if err != nil {
			return err
		}
		w, err := play.WorkOf(&g)
		ticket = w.Ticket()
		return err
	})
	return ticket
}

// win is the result of a game that the first seat has won.
func win(id string, attempt int) bus.Result {
	now := time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)
	return bus.Result{Game: id, Attempt: attempt, Worker: "w", Result: game.Win(game.First, "score", ""), Plies: 60, Begun: now, Ended: now, Record: []byte("r")}
}

// having is a worker with engines for Othello: name=hash, and name! for one that it has
// stopped.
func having(name string, engines ...string) bus.Worker {
	w := bus.Worker{ID: name, Name: name}
	for _, text := range engines {
		e := bus.Engine{Games: []string{"othello"}}
		if e.Name, e.Hash, _ = strings.Cut(text, "="); strings.HasSuffix(e.Name, "!") {
			e.Name, e.Stopped = strings.TrimSuffix(e.Name, "!"), "its program has changed"
		}
		w.Engines = append(w.Engines, e)
	}
	return w
}

// The view of a game that is over tells who has played it, of all that its work says.
func TestGameTellsWhoPlayed(t *testing.T) {
	job, err := json.Marshal(play.Work{Host: "host one", Hashes: [2]string{"", "aa"}})
	if err != nil {
		t.Fatal(err)
	}
	v := viewGame(&store.Game{State: store.Over, Job: job})
	if v.Worker != "host one" || v.Seats[0].Hash != "" || v.Seats[1].Hash != "aa" {
		t.Errorf("%+v", v)
	}
}
