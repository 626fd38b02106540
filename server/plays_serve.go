package server

import (
	"context"
	"errors"
	"time"

	"kibitz/store"
)

const (
	// sweepEvery is the time between two sweeps.
	sweepEvery = 30 * time.Second
	// queuedFor is how long a game may be queued before it is published again: a hall
	// may have ended between its transaction and the publication.
	queuedFor = 2 * time.Minute
)

// Serve answers workers until the context ends.
func (p *Plays) Serve(ctx context.Context) error {
	begin, err := p.cfg.Bus.ServeBegin(p.Begin)
	if err != nil {
		return err
	}
	defer begin.Close()
	alive, err := p.cfg.Bus.ServeAlive(p.Alive)
	if err != nil {
		return err
	}
	defer alive.Close()
	results, err := p.cfg.Bus.ServeResults(p.Result)
	if err != nil {
		return err
	}
	defer results.Close()
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := p.Sweep(ctx); err != nil && ctx.Err() == nil {
			p.cfg.Log.WarnContext(ctx, "sweep", "error", oneLine(err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// Sweep publishes queued games again that no worker has begun for long. A job that is
// still waiting then is there twice, and whoever takes the second one finds the game
// begun.
func (p *Plays) Sweep(ctx context.Context) error {
	var due []string
	q := store.GameQuery{States: []store.GameState{store.Queued}}
	for {
		var page store.GamePage
		if err := p.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
			page, err = tx.FindGames(q)
			return err
		}); err != nil {
			return err
		}
		for i := range page.Games {
			if g := &page.Games[i]; p.now().Sub(g.Created) >= queuedFor {
				due = append(due, g.ID)
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	var all error
	for _, id := range due {
		if err := p.again(ctx, id); err != nil {
			all = errors.Join(all, err)
			continue
		}
		p.Publish(ctx, id)
	}
	return all
}

// again raises the number of a queued game's publication, at most once in queuedFor.
func (p *Plays) again(ctx context.Context, id string) error {
	return p.update(ctx, func(tx store.Tx) error {
		g, err := tx.Game(id)
		if err != nil || g.State != store.Queued {
			return err
		}
		w, err := workOf(&g)
		if err != nil {
			return err
		}
		w.Try = max(w.Try, int(p.now().Sub(g.Created)/queuedFor))
		g.Job = w.json()
		return tx.SetGame(&g, store.Queued)
	})
}
