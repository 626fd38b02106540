package play

import (
	"context"
	"errors"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// Reaper makes up for what is lost between database and bus: jobs of queued games, and
// workers that end without a word. Any number of halls may sweep the same games. It is
// used by one goroutine.
type Reaper struct {
	p *Dispatcher
	// start is when it began to sweep, fresh that it has not yet seen all that was
	// queued before.
	start time.Time
	fresh bool
	// absent are running games that no living worker plays, by their identifier.
	absent map[string]absence
}

// absence is an attempt of which nothing is heard.
type absence struct {
	attempt int
	since   time.Time
}

// NewReaper returns a Reaper that has swept nothing yet.
func NewReaper(p *Dispatcher) *Reaper {
	return &Reaper{p: p, start: p.now(), fresh: true, absent: map[string]absence{}}
}

// Sweep looks at all games that wait or run; soon tells that something is to be looked
// at again before long: the first worker, too, offers its engines soon after it is there.
func (s *Reaper) Sweep(ctx context.Context) (soon bool, err error) {
	workers, err := s.p.cfg.Bus.Workers(ctx)
	if err != nil {
		return false, err
	}
	s.p.mu.Lock()
	s.p.workers = workers
	s.p.mu.Unlock()
	soon, lost := s.running(ctx, workers)
	if s.fresh {
		lost = errors.Join(lost, s.p.unseen(ctx))
	}
	lost = errors.Join(lost, s.p.announced(ctx, workers), s.p.resend(ctx), s.queued(ctx, workers))
	inQueue, err := s.deserted(ctx)
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	return soon || inQueue || len(s.p.waits) > 0 || len(workers) == 0, errors.Join(lost, err)
}

// queued publishes games again that no worker has begun for long, and at first all that
// were queued before: the queue may have been lost. A job that is still waiting then is
// stale.
func (s *Reaper) queued(ctx context.Context, workers Offers) error {
	now, due := s.p.now(), []string(nil)
	waits, gone := map[string]game.Why{}, []string(nil)
	var lacking []store.Game
	var line []queuedGame
	late := func(g *store.Game, w *Work) bool {
		if s.fresh {
			return !w.told(g).After(s.start)
		}
		return now.Sub(w.told(g)) >= queuedFor<<min(w.Try, mostDoubled)
	}
	err := each(ctx, s.p.cfg.Store, store.Queued, func(g *store.Game) {
		w, err := WorkOf(g)
		if err != nil {
			return
		}
		if late(g, &w) {
			due = append(due, g.ID)
		}
		if lack := workers.lacks(&w.Play); lack.Text != "" {
			waits[g.ID] = lack
			lacking = append(lacking, store.Game{ID: g.ID, Room: g.Room, Tournament: g.Tournament})
			if w.Picked {
				gone = append(gone, g.ID)
			}
			return
		}
		line = append(line, queuedOf(g, &w))
	})
	if err != nil {
		return err
	}
	s.waiting(lacking, waits)
	for _, id := range s.p.line(line) {
		s.p.Wake("room." + id)
	}
	for _, id := range gone {
		if err := s.p.unname(ctx, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		due = append(due, id)
	}
	for _, id := range due {
		if err := s.p.again(ctx, id, late); err != nil {
			return err
		}
		if err := s.p.publish(ctx, id); err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, errLacks) {
			return err
		}
	}
	s.fresh = false
	return nil
}

// waiting replaces what is said of games that no worker can play.
func (s *Reaper) waiting(list []store.Game, waits map[string]game.Why) {
	for i := range list {
		s.p.wait(&list[i], waits[list[i].ID])
	}
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	for id := range s.p.waits {
		if waits[id].Text == "" {
			delete(s.p.waits, id)
		}
	}
}

// told is when workers were told of a game.
func (w *Work) told(g *store.Game) time.Time {
	if w.Told.IsZero() {
		return g.Created
	}
	return w.Told
}

// again makes the job of a queued game stale, if it is late.
func (p *Dispatcher) again(ctx context.Context, id string, late func(*store.Game, *Work) bool) error {
	return p.Update(ctx, func(tx store.Tx) error {
		g, w, err := workedGame(tx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && (g.State != store.Queued || !late(&g, &w)) {
			return nil
		}
		if err != nil {
			return err
		}
		return w.requeue(tx, &g, store.Queued, p.now())
	})
}

// running has games begun again whose workers are gone.
func (s *Reaper) running(ctx context.Context, workers []bus.Worker) (soon bool, err error) {
	var list []store.Game
	if err := each(ctx, s.p.cfg.Store, store.Running, func(g *store.Game) {
		g.Job = nil
		list = append(list, *g)
	}); err != nil || len(list) == 0 {
		return false, err
	}
	played := playedBy(workers)
	absent := map[string]absence{}
	for i := range list {
		g := &list[i]
		gone := s.p.cfg.Gone != nil && s.p.cfg.Gone(g.Worker)
		if !gone && played[playing{g.Worker, g.ID}] {
			continue
		}
		a := s.absent[g.ID]
		if a.attempt != g.Attempt {
			a = absence{g.Attempt, s.p.now()}
		}
		absent[g.ID] = a
		if !gone && s.p.now().Sub(a.since) < absentFor {
			continue
		}
		waits, lost := s.p.lost(ctx, g)
		err = errors.Join(err, lost)
		soon = soon || waits
	}
	s.absent = absent
	return soon, err
}

type playing struct{ worker, game string }

// playedBy is what living workers say that they play.
func playedBy(workers []bus.Worker) map[playing]bool {
	out := map[playing]bool{}
	for i := range workers {
		for _, id := range workers[i].Games {
			out[playing{workers[i].ID, id}] = true
		}
	}
	return out
}

// lost has a game begun again whose worker is gone, unless its result is on the way.
func (p *Dispatcher) lost(ctx context.Context, g *store.Game) (waits bool, err error) {
	if waits, err = p.cfg.Bus.ResultWaits(ctx, g.ID); err != nil || waits {
		return waits, err
	}
	var now store.Game
	err = p.Update(ctx, func(tx store.Tx) error {
		now = store.Game{}
		is, w, err := workedGame(tx, g.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (is.State != store.Running || is.Attempt != g.Attempt) {
			return nil // another hall was quicker
		}
		if err != nil {
			return err
		}
		now = is
		if w.Order == bus.OrderAbort {
			return p.Drop(tx, &now, store.Running, &w, bus.ByHost())
		}
		return w.requeue(tx, &now, store.Running, p.now())
	})
	if err != nil || now.ID == "" {
		return false, err
	}
	p.cfg.Log.WarnContext(ctx, "the worker of a game is gone", "game", g.ID, "attempt", g.Attempt, "worker", g.Worker)
	if now.State == store.Queued {
		p.Publish(ctx, g.ID)
	}
	p.Over(ctx, &now)
	return false, nil
}

// each passes all games in a state to fn.
func each(ctx context.Context, st store.Store, state store.GameState, fn func(*store.Game)) error {
	q := store.GameQuery{States: []store.GameState{state}, Limit: 500}
	for {
		page, err := store.Get(ctx, st, store.Tx.FindGames, q)
		if err != nil {
			return err
		}
		for i := range page.Games {
			fn(&page.Games[i])
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return nil
		}
	}
}
