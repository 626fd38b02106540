package playertest

import (
	"context"
	"math/rand/v2"
	"slices"

	"kibitz/game"
	"kibitz/player"
)

// Random is a player whose every decision is a function of its seed, of how many
// decisions the seat has heard of, and of the list of legal moves, so that it
// plays the same game however it learned of the position. It does not repeat an
// attempt that was refused in the same turn.
type Random struct {
	seed  uint64
	heard int
	tried []game.Move
	legal []game.Move
	step  [1]game.Move
}

// NewRandom returns a player with the seed.
func NewRandom(seed uint64) *Random { return &Random{seed: seed} }

// NewGame implements player.Player.
func (r *Random) NewGame(_ context.Context, s *player.Setup) error {
	r.heard, r.tried = 0, r.tried[:0]
	for i := range s.History {
		r.Tell(&s.History[i])
	}
	return nil
}

// Tell implements player.Player.
func (r *Random) Tell(u *player.Update) {
	if u.Rewind > 0 {
		r.heard -= u.Rewind
		return
	}
	r.heard += len(u.Steps)
	for _, n := range u.Notices {
		switch n.Kind {
		case game.Moved:
			r.heard++
		case game.Refused:
			r.tried = append(r.tried, n.Move)
			return
		}
	}
	r.tried = r.tried[:0]
}

// Choose implements player.Player.
func (r *Random) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	r.legal = p.Moves.Legal(r.legal[:0])
	if len(r.legal) == 0 {
		return player.Answer{}, player.Fail(game.ByIllegal, nil, "no legal decision was offered")
	}
	rng := rand.New(rand.NewPCG(r.seed, uint64(r.heard)<<16+uint64(len(r.tried))))
	for range 200 {
		r.step[0] = r.legal[rng.IntN(len(r.legal))]
		if !slices.Contains(r.tried, r.step[0]) {
			break
		}
	}
	return player.Answer{Steps: r.step[:]}, nil
}

// Stop implements player.Player; a Choose is over before it could be called.
func (r *Random) Stop() {}

// Over implements player.Player.
func (r *Random) Over(game.Result) {}

// Close implements player.Player.
func (r *Random) Close() error { return nil }

// CanStart implements player.Positioner.
func (r *Random) CanStart(game.Spec) player.Start { return player.FromPosition }

var (
	_ player.Player     = (*Random)(nil)
	_ player.Positioner = (*Random)(nil)
)
