package play

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/internal/bell"
	"kibitz/internal/plain"
)

// publishWait is how long the bus may take for a job; a sweep makes up for it.
const publishWait = 3 * time.Second

// Publish makes a job of a queued game. What fails is tried again every second.
func (p *Dispatcher) Publish(ctx context.Context, id string) {
	if err := p.publish(ctx, id); err != nil && !errors.Is(err, errLacks) {
		p.cfg.Log.WarnContext(ctx, "a game waits until its job can be published", "game", id, "error", plain.OneLine(err))
		bell.Ring(p.ring)
	}
}

// unsentText is said of a game while the queue has not taken its job.
const unsentText = "waiting: the queue has not taken the game yet, and is asked again every second"

// resend publishes what the bus did not take.
func (p *Dispatcher) resend(ctx context.Context) error {
	p.mu.Lock()
	list := slices.Collect(maps.Keys(p.unsent))
	p.mu.Unlock()
	for _, id := range list {
		if err := p.publish(ctx, id); err != nil && !errors.Is(err, errLacks) {
			return err // the others will fare no better
		}
	}
	return nil
}

// serveUnsent publishes what the bus did not take, as soon as it takes it.
func (p *Dispatcher) serveUnsent(ctx context.Context) {
	for {
		select {
		case <-p.ring:
		case <-ctx.Done():
			return
		}
		for again := true; again; {
			select {
			case <-time.After(sweepSoon):
			case <-ctx.Done():
				return
			}
			again = p.resend(ctx) != nil
		}
	}
}

// note notes whether the queue is still to take the job of a game, and tells its room.
func (p *Dispatcher) note(g *store.Game, unsent bool) {
	p.mu.Lock()
	was := p.unsent[g.ID]
	if delete(p.unsent, g.ID); unsent {
		p.unsent[g.ID] = true
	}
	p.mu.Unlock()
	if was != unsent && g.Room+g.Tournament != "" {
		p.tell(g)
	}
}

func (p *Dispatcher) publish(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishWait)
	defer cancel()
	p.waitsFrom(id) // also while database and queue take their time
	var job bus.Job
	var unnamed bool
	about := store.Game{ID: id}
	look := func(tx store.Tx) error {
		g, w, err := workedGame(tx, id)
		about.Room, about.Tournament = g.Room, g.Tournament
		if err == nil && g.State == store.Queued {
			job, unnamed = bus.Job{Game: id, Needs: w.needs(), Try: w.Try, Ticket: w.Ticket()}, w.unnamed()
		}
		return err
	}
	err := p.cfg.Store.View(ctx, look)
	if err == nil && unnamed {
		if err = p.name(ctx, id); err == nil {
			err = p.cfg.Store.View(ctx, look)
		}
	}
	if err == nil && job.Game != "" {
		err = p.enqueue(ctx, job)
	}
	p.note(&about, err != nil && !errors.Is(err, store.ErrNotFound))
	return err
}

// waitsFrom notes since when a game waits for a worker, until it begins or a sweep finds it
// in the queue no more.
func (p *Dispatcher) waitsFrom(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, waits := p.sent[id]; !waits {
		p.sent[id] = p.now()
	}
}

// enqueue puts a job into the queue, unless that is away.
func (p *Dispatcher) enqueue(ctx context.Context, job bus.Job) error {
	within, cancel, err := p.cfg.Health.During(ctx, health.Queue)
	defer cancel()
	if err == nil {
		err = p.cfg.Bus.Enqueue(within, job)
	}
	if err != nil {
		return health.Cause(within, err)
	}
	return nil
}

// Begin answers a worker that wants to play a game. A job that is not the game's latest
// begins nothing, so that a game that is there twice is not played twice at once. Who was
// not given the job begins nothing either, nor who was given it while another worker plays.
func (p *Dispatcher) Begin(ctx context.Context, q bus.Begin) (bus.Begun, error) {
	if err := p.held(ctx, &q); err != nil {
		return bus.Begun{}, err
	}
	from, lines, err := p.before(ctx, q.Game)
	if err != nil {
		return bus.Begun{}, err
	}
	var out bus.Begun
	var told store.Game
	err = p.Update(ctx, func(tx store.Tx) error {
		out, told = bus.Begun{}, store.Game{}
		g, w, err := workedGame(tx, q.Game)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if g.State != store.Queued && g.State != store.Running || q.Try != w.Try {
			return nil
		}
		if !w.lent(&q) {
			return &bus.AskError{Code: bus.CodeNoLease, Text: "worker " + game.Shown(q.Worker, 60) + " was not given the job of game " + g.ID}
		}
		if g.State == store.Running && w.Order == bus.OrderAbort { // which its worker did not live to hear
			told = g
			return p.Drop(tx, &told, store.Running, &w, bus.ByHost())
		}
		if w.begunBy(&g, &q) { // its answer was lost, or is overtaken by this one
			out.Play = w.deal(&g, from, lines)
			return nil
		}
		if g, err = tx.BeginAttempt(store.Attempt{Game: g.ID, Attempt: g.Attempt + 1, Worker: q.Worker, Now: p.now()}); err != nil {
			return err
		}
		play := w.deal(&g, from, lines)
		w.Order, w.Ask = "", q.Ask
		w.begun(g.Attempt, q.Worker, p.now())
		g.Job = w.json()
		if err := tx.SetGame(&g, store.Running); err != nil {
			return err
		}
		out.Play, told = play, g
		_, err = changeRoom(tx, &g, room.Begun{Game: g.ID}, p.now())
		return err
	})
	if err == nil && out.Play != nil {
		p.mu.Lock()
		delete(p.sent, q.Game)
		p.mu.Unlock()
	}
	if err == nil && told.ID != "" {
		p.Over(ctx, &told)
	}
	return out, err
}

// begunBy reports whether the attempt that runs was begun by the same question.
func (w *Work) begunBy(g *store.Game, q *bus.Begin) bool {
	return g.State == store.Running && g.Worker == q.Worker && q.Ask != "" && w.Ask == q.Ask
}

// errResultWaits is said to a worker that asks for a game that may be over.
var errResultWaits = &bus.AskError{Code: "result-waits", Text: "the game may be over: a result of it waits to be taken"}

// errHeld is said to a worker to which a game was delivered that another one plays.
var errHeld = &bus.AskError{Code: "held", Text: "the game is played by another worker, which lives"}

// held refuses a worker that asks for a game of another one that lives: a job is delivered
// anew when nobody extends it, which is no reason to take the game from a worker that the
// registry knows and that names it.
func (p *Dispatcher) held(ctx context.Context, q *bus.Begin) error {
	var g store.Game
	var w Work
	err := p.cfg.Store.View(ctx, func(tx store.Tx) (err error) { g, w, err = workedGame(tx, q.Game); return err })
	if errors.Is(err, store.ErrNotFound) {
		return nil // it begins nothing
	}
	if err != nil {
		return err
	}
	has := w.by(g.Attempt)
	if q.Try != w.Try || g.State != store.Running || has == "" || has == q.Worker || p.cfg.Gone != nil && p.cfg.Gone(has) {
		return nil
	}
	list, err := p.cfg.Bus.Workers(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].ID == has && slices.Contains(list[i].Games, g.ID) {
			return errHeld
		}
	}
	return nil
}

// before returns the latest attempt that left anything, and what. A game is not begun
// while the result of an earlier attempt is on its way: what was finished is not lost.
func (p *Dispatcher) before(ctx context.Context, id string) (attempt int, lines [][]byte, err error) {
	var g store.Game
	var w Work
	err = p.cfg.Store.View(ctx, func(tx store.Tx) (err error) { g, w, err = workedGame(tx, id); return err })
	if errors.Is(err, store.ErrNotFound) || err == nil && g.Attempt == 0 {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	waits, err := p.cfg.Bus.ResultWaits(ctx, id)
	if err != nil {
		return 0, nil, err
	}
	if waits {
		return 0, nil, errResultWaits
	}
	if p.cfg.Logs == nil {
		return 0, nil, nil
	}
	had := func(attempt int, sender string) bool {
		worker := w.by(attempt)
		return worker == "" || bus.Owns(sender, worker)
	}
	if attempt, lines, err = p.cfg.Logs.ReadLog(ctx, id, had); err != nil {
		p.cfg.Log.WarnContext(ctx, "the log of a game cannot be read: it is played from its beginning", "game", id, "error", plain.OneLine(err))
		return 0, nil, nil
	}
	return attempt, lines, nil
}

// Alive answers a worker's sign of life.
func (p *Dispatcher) Alive(ctx context.Context, q bus.Pulse) (bus.Alive, error) {
	out := bus.Alive{}
	err := p.cfg.Store.View(ctx, func(tx store.Tx) error {
		g, w, err := workedGame(tx, q.Game)
		if errors.Is(err, store.ErrNotFound) {
			out.Stale = true
			return nil
		}
		if err != nil {
			return err
		}
		if g.State == store.Aborted && g.Attempt == q.Attempt && w.by(q.Attempt) == q.Worker { // what it has played is to be kept
			out.Order = &bus.Order{Game: g.ID, Kind: bus.OrderAbort}
			return nil
		}
		if g.State != store.Running || g.Attempt != q.Attempt || g.Worker != q.Worker {
			out.Stale = true
			return nil
		}
		out.Order = w.order(g.ID)
		return nil
	})
	return out, err
}

// Order tells the worker of a running game to abort or park it; it is repeated
// until the game ends.
func (p *Dispatcher) Order(tx store.Games, id, kind string) error {
	return change(tx, id, func(_ *store.Game, w *Work) { w.Order = kind })
}

// pauseGame has a game paused by somebody, or, without a name, go on: its worker is told, and whoever begins it.
func pauseGame(tx store.Games, id, by string) error {
	return change(tx, id, func(g *store.Game, w *Work) {
		w.Play.Paused = by
		if g.State != store.Running || w.Order == bus.OrderAbort {
			return
		}
		if w.Order = bus.OrderPause; by == "" {
			w.Order = bus.OrderResume
		}
	})
}

// change changes what a hall knows of a game.
func change(tx store.Games, id string, fn func(g *store.Game, w *Work)) error {
	g, w, err := workedGame(tx, id)
	if err != nil {
		return err
	}
	fn(&g, &w)
	g.Job = w.json()
	return tx.SetGame(&g, g.State)
}
