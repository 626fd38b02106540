package main

import (
	"container/list"
	"context"
	"sync"

	"kibitz/game"
	"kibitz/player"
)

// mostAwake is how many built-in engines of games with people keep what they have computed:
// tables of some ten megabytes each, of which a thousand games in which people think would
// need too many.
const mostAwake = 12

// bench holds built-in engines that wait for people. Those that have waited longest give up
// their memory; they are made again, with the game so far, when it is their turn.
type bench struct {
	most int

	mu    sync.Mutex
	awake list.List // of *resting, the one that thought last in front
}

// resting is a built-in engine that may give up its memory between its turns. It plays on
// as one does that takes up a game.
type resting struct {
	bench *bench
	build func() (player.Player, error)
	start player.Start
	name  string
	at    *list.Element // under the bench's lock; nil while it is not awake

	mu    sync.Mutex
	p     player.Player // nil while it rests
	busy  bool
	setup player.Setup
	news  []player.Update
}

// seat returns an engine that sits on the bench between its turns.
func (b *bench) seat(spec game.Spec, build func() (player.Player, error)) (*resting, error) {
	p, err := build()
	if err != nil {
		return nil, err
	}
	r := &resting{bench: b, build: build, p: p, start: canStart(p, spec)}
	if n, ok := p.(player.Namer); ok {
		r.name = n.EngineName()
	}
	return r, nil
}

// thought notes that an engine has been used, and lets the one rest that was not for longest.
func (b *bench) thought(r *resting) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.at == nil {
		r.at = b.awake.PushFront(r)
	}
	b.awake.MoveToFront(r.at)
	for e := b.awake.Back(); e != nil && b.awake.Len() > b.most; {
		old, before := e.Value.(*resting), e.Prev() //nolint:forcetypeassert // nothing else is in it
		if old.rest() {
			b.awake.Remove(e)
			old.at = nil
		}
		e = before
	}
}

func (b *bench) leave(r *resting) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.at != nil {
		b.awake.Remove(r.at)
		r.at = nil
	}
}

// rest gives up the memory, unless the engine is in use.
func (r *resting) rest() bool {
	if !r.mu.TryLock() {
		return false
	}
	defer r.mu.Unlock()
	if r.busy {
		return false
	}
	if r.p != nil {
		_ = r.p.Close() // a built-in engine has nothing to report
		r.p = nil
	}
	return true
}

// NewGame implements player.Player.
func (r *resting) NewGame(ctx context.Context, s *player.Setup) error {
	r.mu.Lock()
	r.setup, r.news = *s, nil
	r.setup.View, r.setup.History = nil, make([]player.Update, len(s.History))
	for i := range s.History {
		r.setup.History[i] = s.History[i].Clone()
	}
	err := r.wake(ctx)
	r.mu.Unlock()
	r.bench.thought(r)
	return err
}

// wake makes the engine anew, with the game so far; r.mu is held.
func (r *resting) wake(ctx context.Context) error {
	if r.p == nil {
		p, err := r.build()
		if err != nil {
			return player.Fail(game.ByStart, err, "%v", err)
		}
		r.p = p
	}
	if err := r.p.NewGame(ctx, &r.setup); err != nil {
		return err
	}
	for i := range r.news {
		u := r.news[i].Clone()
		r.p.Tell(&u)
	}
	return nil
}

// Tell implements player.Player.
func (r *resting) Tell(u *player.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news = append(r.news, u.Clone())
	if r.p != nil {
		r.p.Tell(u)
	}
}

// Choose implements player.Player.
func (r *resting) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	r.mu.Lock()
	if r.p == nil {
		if err := r.wake(ctx); err != nil {
			r.mu.Unlock()
			return player.Answer{}, err
		}
	}
	p := r.p
	r.busy = true
	r.mu.Unlock()
	a, err := p.Choose(ctx, q)
	r.mu.Lock()
	r.busy = false
	r.mu.Unlock()
	r.bench.thought(r)
	return a, err
}

// Stop implements player.Player.
func (r *resting) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != nil {
		r.p.Stop()
	}
}

// Over implements player.Player.
func (r *resting) Over(result game.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != nil {
		r.p.Over(result)
	}
}

// Close implements player.Player.
func (r *resting) Close() error {
	r.bench.leave(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p == nil {
		return nil
	}
	return r.p.Close()
}

// CanStart implements player.Positioner.
func (r *resting) CanStart(game.Spec) player.Start { return r.start }

// EngineName implements player.Namer.
func (r *resting) EngineName() string { return r.name }

var (
	_ player.Player     = (*resting)(nil)
	_ player.Positioner = (*resting)(nil)
	_ player.Namer      = (*resting)(nil)
)
