package bot

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// ponderMost is how long a player ponders at most: a person who does not come back
// shall not keep a processor busy for ever.
const ponderMost = 10 * time.Minute

// ponderer thinks in the opponent's time. The engine is its own from begin to end,
// and nobody else's.
type ponderer struct {
	on   bool
	task Task
	stop atomic.Bool
	done chan struct{} // closed when thinking has ended; nil while nobody thinks
}

// Ponder lets the player think in the opponent's time, from its next decision on: about
// the position as the opponent has it. The gain is what stays in the engine's tables or
// tree. A player that ponders does not play the same again with the same seed.
func (p *Player) Ponder(on bool) error {
	p.rest()
	p.pondering.on = on
	return nil
}

// ponder begins to think if u is the end of the player's own turn.
func (p *Player) ponder(u *player.Update) {
	own := p.setup.Seat
	if !p.pondering.on || !p.ready || p.broken != nil || !own.IsPlayer() || u.By != own ||
		u.Next.Seat != own.Other() || u.Result != nil || u.Rewind > 0 {
		return
	}
	t := p.pondered(u.Next)
	done := make(chan struct{})
	p.pondering.done = done
	engine := p.engine
	go func() {
		defer close(done)
		engine.Think(t)
	}()
}

// pondered is the task of pondering: an analysis that nobody reads, within the bounds of
// the level, under a clock that hardly ever ends it.
func (p *Player) pondered(next game.Turn) *Task {
	x := &p.pondering
	x.stop.Store(false)
	l := p.Strength()
	x.task = Task{
		Seat: next.Seat, Lines: 1, analysing: true,
		Depth: player.Tighter(l.Depth, p.setup.Limits.Depth), Nodes: player.Tighter(l.Nodes, p.setup.Limits.Nodes),
		Soft: ponderMost, Hard: ponderMost, Threads: max(p.setup.Limits.Threads, 1),
		Rand: rand.New(rand.NewPCG(p.seed, uint64(p.log.told))),
		p:    p, halt: &x.stop, began: p.now(), done: context.Background().Done(),
	}
	return &x.task
}

// rest ends pondering and waits until the engine is free.
func (p *Player) rest() {
	x := &p.pondering
	if x.done == nil {
		return
	}
	x.stop.Store(true)
	<-x.done
	x.done = nil
}
