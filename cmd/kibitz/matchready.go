package main

import (
	"context"
	"sync"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// mostUnready is in how many games an engine may fail to become ready before it is given
// up, unless it has been ready in another.
const mostUnready = 2

// readiness counts for each engine of a run, by its number, the games in which it did
// not become ready.
type readiness struct {
	mu    sync.Mutex
	fails map[int]int
	ready map[int]bool
}

// hopeless reports whether an engine never became ready in as many games as it may.
func (r *readiness) hopeless(engine int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.ready[engine] && r.fails[engine] >= mostUnready
}

// count takes note of a game between two engines.
func (r *readiness) count(engines [2]int, o *match.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails == nil {
		r.fails, r.ready = map[int]int{}, map[int]bool{}
	}
	for s, e := range engines {
		switch {
		case o.Result.Reason != game.ByStart:
			r.ready[e] = true
		case o.Faulty[s]:
			r.fails[e]++
		}
	}
}

// givenUp sits in the place of an engine that is not started any more.
type givenUp struct{ player.Player }

// NewGame says why.
func (givenUp) NewGame(context.Context, *player.Setup) error {
	return player.Fail(game.ByStart, nil, "not started: it never became ready in %d games, and --recover is not given", mostUnready)
}

// CanStart is anywhere: nothing begins.
func (givenUp) CanStart(game.Spec) player.Start { return player.FromPosition }

func (givenUp) Over(game.Result) {}
