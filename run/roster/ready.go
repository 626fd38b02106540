package roster

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

// Readiness counts for each engine of a run, by its number, the games in which it did
// not become ready.
type Readiness struct {
	mu    sync.Mutex
	fails map[int]int
	ready map[int]bool
}

// Hopeless reports whether an engine never became ready in as many games as it may.
func (r *Readiness) Hopeless(engine int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.ready[engine] && r.fails[engine] >= mostUnready
}

// Count takes note of a game between two engines.
func (r *Readiness) Count(engines [2]int, o *match.Outcome) {
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

// GivenUp sits in the place of an engine that is not started any more.
type GivenUp struct{ player.Player }

// NewGame says why.
func (GivenUp) NewGame(context.Context, *player.Setup) error {
	return player.Fail(game.ByStart, nil, "not started: it never became ready in %d games, and --recover is not given", mostUnready)
}

// CanStart is anywhere: nothing begins.
func (GivenUp) CanStart(game.Spec) player.Start { return player.FromPosition }

// Over does nothing.
func (GivenUp) Over(game.Result) {}
