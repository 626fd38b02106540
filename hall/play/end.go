package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/internal/plain"
)

// Result takes the end of an attempt. It fails only if it shall come again. What a
// worker finished that was thought lost counts, unless the game was begun again.
func (p *Dispatcher) Result(ctx context.Context, r bus.Result) error {
	err := p.result(ctx, r)
	if errors.Is(err, health.ErrAway) {
		return fmt.Errorf("%w: %w", bus.ErrNotNow, err)
	}
	return err
}

func (p *Dispatcher) result(ctx context.Context, r bus.Result) error {
	positions, known, refused, err := p.examine(ctx, &r)
	if err != nil || !known {
		return err
	}
	if refused != nil {
		return p.refuse(ctx, &r, refused)
	}
	g, early, changed, err := p.take(ctx, &r, positions)
	if err != nil || !changed {
		return err
	}
	if early {
		p.tell(&g)
		p.cfg.purge(ctx, g.ID)
		return nil
	}
	if r.Fault != "" {
		p.cfg.Log.WarnContext(ctx, "a worker could not play", "game", g.ID, "worker", r.Worker, "fault", r.Fault)
	}
	if g.State == store.Queued {
		p.Publish(ctx, g.ID)
	}
	p.Over(ctx, &g)
	return nil
}

// take changes a game as a result says that was found right. Early tells that it was ended before, and
// has what was played now.
func (p *Dispatcher) take(ctx context.Context, r *bus.Result, positions []store.Position) (g store.Game, early, changed bool, err error) {
	if p.cfg.Tournaments != nil {
		defer p.cfg.Tournaments.GameEnds(r.Game)()
	}
	err = p.Update(ctx, func(tx store.Tx) (err error) {
		changed = false
		if g, err = tx.Game(r.Game); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil || g.Attempt != r.Attempt || g.State == store.Over {
			return err
		}
		if (g.State == store.Queued || g.State == store.Aborted) && (r.Parked || r.Fault != "") {
			return nil // it is known: the game waits to be begun again, or was ended early
		}
		early = g.State == store.Aborted
		switch {
		case early:
			changed, err = keep(tx, &g, r, positions)
		case r.Parked:
			changed, err = p.parked(tx, &g)
		case r.Fault != "":
			changed, err = p.failed(tx, &g, r.Fault, r.Why)
		default:
			changed, err = p.ended(tx, &g, r, positions)
		}
		return err
	})
	return g, early, changed, err
}

// Over tells everybody of what has become of a game, after the transaction.
func (p *Dispatcher) Over(ctx context.Context, g *store.Game) {
	p.tell(g)
	if g.State != store.Over && g.State != store.Aborted {
		return
	}
	p.played(g)
	p.cfg.purge(ctx, g.ID)
	if g.Tournament != "" && p.cfg.Tournaments != nil {
		p.cfg.Tournaments.GameTold(ctx, g)
	}
}

// purge removes the log of a game that is over.
func (c *Config) purge(ctx context.Context, id string) {
	if c.Logs == nil {
		return
	}
	if err := c.Logs.PurgeLog(ctx, id); err != nil {
		c.Log.WarnContext(ctx, "the log of a game stays", "game", id, "error", plain.OneLine(err))
	}
}

// maxFaults is how many workers may fail to play a game before it is given up.
const maxFaults = 3

// parked puts a game aside. Those of people wait until they ask, others go on at once.
func (p *Dispatcher) parked(tx store.Tx, g *store.Game) (bool, error) {
	if g.State == store.Parked {
		return false, nil
	}
	w, err := WorkOf(g)
	if err != nil {
		return false, err
	}
	w.Order = ""
	if !w.Play.Keep || g.Room == "" || w.Ruling != nil {
		return true, w.requeue(tx, g, store.Running, p.now())
	}
	g.State, g.Worker, g.Job = store.Parked, "", w.json()
	if err := tx.SetGame(g, store.Running); err != nil {
		return false, err
	}
	_, err = changeRoom(tx, g, room.Park{Game: g.ID}, p.now())
	return true, err
}

// failed has another worker play, or gives the game up.
func (p *Dispatcher) failed(tx store.Tx, g *store.Game, fault string, why game.Why) (bool, error) {
	w, err := WorkOf(g)
	if err != nil {
		return false, err
	}
	w.Faults++
	if w.Faults < maxFaults {
		return true, w.requeue(tx, g, g.State, p.now())
	}
	why.Code = cmp.Or(why.Code, bus.WhyFault)
	why.Text = "no worker could play it: " + fault
	return true, p.Drop(tx, g, g.State, &w, why)
}

// Drop aborts a game that nobody plays.
func (p *Dispatcher) Drop(tx store.Tx, g *store.Game, was store.GameState, w *Work, why game.Why) error {
	g.State, g.Worker, g.Job = store.Aborted, "", w.json()
	g.Result = game.Result{Reason: game.ByAbort, Detail: game.Shown(why.Text, 500)}
	g.Note = g.Result.Detail
	if err := tx.SetGame(g, was); err != nil {
		return err
	}
	return p.after(tx, g, why)
}

// ended keeps a result with all that follows from it.
func (p *Dispatcher) ended(tx store.Tx, g *store.Game, r *bus.Result, positions []store.Position) (bool, error) {
	if ok, err := keep(tx, g, r, positions); err != nil || !ok {
		return false, err
	}
	w, err := WorkOf(g)
	if err != nil {
		return false, err
	}
	if x := w.Ruling; x != nil { // ratings stay as they are
		return true, p.after(tx, g, game.Why{Code: bus.WhyRuled, Name: x.By, Text: x.Result.Detail})
	}
	if err := rate(tx, g, p.now()); err != nil {
		return false, err
	}
	return true, p.after(tx, g, r.Why)
}

// keep keeps what was played. A game that was ended early counts as it did, whatever its worker had
// found by then: its record says so.
func keep(tx store.Tx, g *store.Game, r *bus.Result, positions []store.Position) (bool, error) {
	w, err := WorkOf(g)
	if err != nil {
		return false, err
	}
	w.Host, w.Hashes, w.Hints = game.Shown(r.Host, 60), r.Hashes, [2]int{max(0, r.Hints[0]), max(0, r.Hints[1])}
	was, res := g.State, r.Result
	if was != store.Aborted && w.Ruling != nil {
		res, g.Ruled, g.Note = w.Ruling.Result, true, w.Ruling.By+": "+w.Ruling.Result.Detail
	}
	if was == store.Aborted {
		res, g.Ruled = g.Result, g.Ruled || r.Result.Reason != game.ByAbort
	}
	if g.Job = w.json(); was != store.Parked {
		g.State = store.Running
	}
	if err := tx.SetGame(g, was); err != nil {
		return false, err
	}
	ok, err := tx.EndAttempt(&store.Ending{
		Game: r.Game, Attempt: r.Attempt, Result: res, Plies: r.Plies, Seconds: r.Seconds,
		Ended: r.Ended, Record: r.Record, Positions: positions, Consoles: r.Consoles,
	})
	if err != nil || !ok {
		return false, err
	}
	g.State, g.Result, g.Plies, g.Seconds, g.Ended = store.Over, res, r.Plies, r.Seconds, r.Ended
	return true, nil
}

// after changes room and tournament of a game that is over.
func (p *Dispatcher) after(tx store.Tx, g *store.Game, why game.Why) error {
	if _, err := changeRoom(tx, g, room.Over{Game: g.ID, Result: g.Result, Why: why}, p.now()); err != nil {
		return err
	}
	if g.Tournament != "" && p.cfg.Tournaments != nil {
		return p.cfg.Tournaments.GameEnded(tx, g)
	}
	return nil
}

// Positions gives the keys of the positions that a game went through, the one that it
// began from first, each once with the first ply after which it stood.
func Positions(keys []int64) []store.Position {
	seen := make(map[int64]bool, len(keys))
	out := make([]store.Position, 0, len(keys))
	for i, k := range keys {
		if !seen[k] {
			seen[k] = true
			out = append(out, store.Position{Key: k, Ply: i})
		}
	}
	return out
}
