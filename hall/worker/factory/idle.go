package factory

import (
	"container/list"
	"context"
	"sync"

	"kibitz/game"
	"kibitz/player"
)

// maxLoaded is how many built-in engines of games with people keep what they have computed:
// tables of some ten megabytes each, of which a thousand games in which people think would
// need too many.
const maxLoaded = 12

// idlePool holds built-in engines that wait for people. Those that have waited longest give up
// their memory; they are made again, with the game so far, when it is their turn.
type idlePool struct {
	limit int

	mu     sync.Mutex
	loaded list.List // of *idleEngine, the one that thought last in front
}

// idleEngine is a built-in engine that may give up its memory between its turns. It plays on
// as one does that takes up a game.
type idleEngine struct {
	pool  *idlePool
	build func() (player.Player, error)
	start player.Start
	name  string
	place *list.Element // under the lock of the pool; nil while it is not loaded

	mu      sync.Mutex
	p       player.Player // nil while it rests
	busy    bool
	setup   player.Setup
	updates []player.Update
}

// add returns an engine that waits in the pool between its turns.
func (b *idlePool) add(spec game.Spec, build func() (player.Player, error)) (*idleEngine, error) {
	p, err := build()
	if err != nil {
		return nil, err
	}
	r := &idleEngine{pool: b, build: build, p: p, start: player.FromNothing}
	if s, ok := p.(player.Positioner); ok {
		r.start = s.CanStart(spec)
	}
	if n, ok := p.(player.Namer); ok {
		r.name = n.EngineName()
	}
	return r, nil
}

// used notes that an engine has been used, and unloads the one that was not for longest.
func (b *idlePool) used(r *idleEngine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.place == nil {
		r.place = b.loaded.PushFront(r)
	}
	b.loaded.MoveToFront(r.place)
	for e := b.loaded.Back(); e != nil && b.loaded.Len() > b.limit; {
		old, before := e.Value.(*idleEngine), e.Prev() //nolint:forcetypeassert // nothing else is in it
		if old.unload() {
			b.loaded.Remove(e)
			old.place = nil
		}
		e = before
	}
}

func (b *idlePool) remove(r *idleEngine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.place != nil {
		b.loaded.Remove(r.place)
		r.place = nil
	}
}

// unload gives up the memory, unless the engine is in use.
func (r *idleEngine) unload() bool {
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

func (r *idleEngine) NewGame(ctx context.Context, s *player.Setup) error {
	r.mu.Lock()
	r.setup, r.updates = *s, nil
	r.setup.View, r.setup.History = nil, make([]player.Update, len(s.History))
	for i := range s.History {
		r.setup.History[i] = s.History[i].Clone()
	}
	err := r.load(ctx)
	r.mu.Unlock()
	r.pool.used(r)
	return err
}

// load makes the engine anew, with the game so far; r.mu is held.
func (r *idleEngine) load(ctx context.Context) error {
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
	for i := range r.updates {
		u := r.updates[i].Clone()
		r.p.Tell(&u)
	}
	return nil
}

func (r *idleEngine) Tell(u *player.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.updates = append(r.updates, u.Clone())
	if r.p != nil {
		r.p.Tell(u)
	}
}

func (r *idleEngine) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	r.mu.Lock()
	if r.p == nil {
		if err := r.load(ctx); err != nil {
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
	r.pool.used(r)
	return a, err
}

func (r *idleEngine) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != nil {
		r.p.Stop()
	}
}

func (r *idleEngine) Over(result game.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != nil {
		r.p.Over(result)
	}
}

func (r *idleEngine) Close() error {
	r.pool.remove(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p == nil {
		return nil
	}
	return r.p.Close()
}

func (r *idleEngine) CanStart(game.Spec) player.Start { return r.start }

// Hurries implements player.Hurrier: every built-in engine answers when it is stopped.
func (r *idleEngine) Hurries() {}

func (r *idleEngine) EngineName() string { return r.name }

var (
	_ player.Player     = (*idleEngine)(nil)
	_ player.Positioner = (*idleEngine)(nil)
	_ player.Namer      = (*idleEngine)(nil)
	_ player.Hurrier    = (*idleEngine)(nil)
)
