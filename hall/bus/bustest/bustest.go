// Package bustest makes messages of workers for the tests of those who read them.
package bustest

import (
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// Having is a worker with engines for Othello: name=hash, and name! for one that it has
// stopped.
func Having(name string, engines ...string) bus.Worker {
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

// Win is the result of a game that the first seat has won.
func Win(id string, attempt int) bus.Result {
	now := time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)
	return bus.Result{
		Game: id, Attempt: attempt, Worker: "w", Result: game.Win(game.First, "score", ""), Plies: 60,
		Begun: now, Ended: now, Record: []byte("r"),
	}
}
