// Package random plays any game by drawing among the legal moves.
//
// It needs nothing but the list of legal decisions in the prompt, so it knows no
// game and keeps no position. It is the yardstick for engines and the fastest
// way to drive a referee.
package random

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// Options configures a random player.
type Options struct {
	// Seed decides all draws, together with Setup.ID.
	Seed uint64
	// Now is the time source for the reported thinking time; nil reports none.
	Now func() time.Time
	// Name is what the player calls itself, empty for "Kibitz random".
	Name string
}

// Player draws one legal decision per Choose; a turn of several steps takes
// several. In a game with hidden facts it does not repeat a refused attempt as
// long as there is another.
type Player struct {
	opts  Options
	pcg   rand.PCG
	rng   *rand.Rand
	legal []game.Move
	tried []game.Move
	began bool
}

var (
	_ player.Player     = (*Player)(nil)
	_ player.Positioner = (*Player)(nil)
	_ player.Suggester  = (*Player)(nil)
	_ player.Namer      = (*Player)(nil)
)

// New returns a random player.
func New(o Options) *Player {
	p := &Player{opts: o}
	p.rng = rand.New(&p.pcg)
	return p
}

// EngineName returns the name from the options, or "Kibitz random".
func (p *Player) EngineName() string {
	if p.opts.Name != "" {
		return p.opts.Name
	}
	return "Kibitz random"
}

// CanStart says that the player can start anywhere.
func (p *Player) CanStart(game.Spec) player.Start { return player.FromPosition }

// NewGame seeds the draws of the game.
func (p *Player) NewGame(_ context.Context, s *player.Setup) error {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.ID)) // writing to a hash cannot fail
	p.pcg.Seed(p.opts.Seed, h.Sum64())
	p.tried, p.began = p.tried[:0], true
	return nil
}

// Tell is of no interest to the player.
func (p *Player) Tell(*player.Update) {}

// Choose draws among the legal moves of the prompt, each as likely as another.
func (p *Player) Choose(ctx context.Context, pr *player.Prompt) (player.Answer, error) {
	var began time.Time
	if p.opts.Now != nil {
		began = p.opts.Now()
	}
	if err := ctx.Err(); err != nil {
		return player.Answer{}, player.Fail(game.ByAbort, err, "the game was abandoned")
	}
	p.legal = p.legal[:0]
	if p.began && pr.Moves != nil {
		p.legal = pr.Moves.Legal(p.legal)
	}
	if len(p.legal) == 0 {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "there is nothing to decide")
	}
	i := p.draw(pr.Rejected != player.NotRejected)
	p.tried = append(p.tried, p.legal[i])
	a := player.Answer{Steps: p.legal[i : i+1]}
	if p.opts.Now != nil {
		a.Info.Time = p.opts.Now().Sub(began)
	}
	return a, nil
}

// draw returns the index of a legal move that was not refused in this turn, if
// there is one. The legal list may or may not leave refused ones out by itself.
func (p *Player) draw(again bool) int {
	if !again {
		p.tried = p.tried[:0]
		return p.rng.IntN(len(p.legal))
	}
	fresh := p.legal[:0:len(p.legal)]
	n := 0
	for _, m := range p.legal {
		if !slices.Contains(p.tried, m) {
			n++
		}
	}
	if n == 0 {
		return p.rng.IntN(len(p.legal))
	}
	for _, m := range p.legal {
		if !slices.Contains(p.tried, m) {
			fresh = append(fresh, m)
		}
	}
	p.legal = fresh
	return p.rng.IntN(n)
}

// Suggest is Choose.
func (p *Player) Suggest(ctx context.Context, pr *player.Prompt) (player.Answer, error) {
	return p.Choose(ctx, pr)
}

// Stop has nothing to stop.
func (p *Player) Stop() {}

// Over ends the game.
func (p *Player) Over(game.Result) { p.began = false }

// Close releases nothing.
func (p *Player) Close() error { return nil }
