package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/store"
	"kibitz/internal/plain"
)

// Verifier plays the record of a result by the rules, which a server does not know.
type Verifier interface {
	// Verify returns the positions that the game went through, the one that it began
	// from first, or what is wrong with the record: it is of another game, its shuffle
	// is not the one that was dealt, a decision is not legal, or the board says
	// something else than the result. bus.ErrNotNow puts it off.
	Verify(ctx context.Context, play *bus.Play, r *bus.Result) ([]store.Position, error)
}

// clockSkew is how far the clock of a worker may be from that of the hall.
const clockSkew = 10 * time.Minute

// mostBoard bounds a score on the board; no game comes near it.
const mostBoard = 1e6

// claim is a result with what the hall knows of the attempt that it is of.
type claim struct {
	g *store.Game
	w *Work
	r *bus.Result
}

// sender says what is wrong with where a result comes from: it must be from the worker
// that has the attempt, by the name that it showed the queue.
func (c *claim) sender() error {
	if c.r.Sender != "" && !bus.Owns(c.r.Sender, c.r.Worker) {
		return fmt.Errorf("%s sent it, whose worker that is not", game.Shown(c.r.Sender, 60))
	}
	has := c.w.by(c.g.Attempt)
	if has == "" {
		has = c.g.Worker // begun before a hall noted it
	}
	if has != "" && c.r.Worker != has {
		return fmt.Errorf("it is from worker %s, which does not have the attempt: %s has it", game.Shown(c.r.Worker, 60), has)
	}
	return nil
}

// bounds says what is wrong with the figures of a verdict, and brings its times to the
// clock of the hall.
func (c *claim) bounds(now time.Time) error {
	r := c.r
	p := r.Result.Points
	points := [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}}
	if r.Result.Reason == game.ByAbort {
		points = [][2]float64{{}}
	}
	if !slices.Contains(points, p) {
		return fmt.Errorf("%g and %g are no points of a game that ended by %q", p[0], p[1], game.Shown(string(r.Result.Reason), 40))
	}
	for _, b := range r.Result.Board {
		if math.IsNaN(b) || math.Abs(b) > mostBoard {
			return fmt.Errorf("%g is no score on the board", b)
		}
	}
	for s := range c.w.Play.Seats {
		seat := &c.w.Play.Seats[s]
		if len(r.Hashes[s]) > 128 || seat.Kind == bus.EngineSeat && seat.Hash != "" && r.Hashes[s] != seat.Hash {
			return fmt.Errorf("the %s seat was played by a program with the hash %q instead of %q", game.Seat(s), game.Shown(r.Hashes[s], 60),
				seat.Hash)
		}
	}
	span := now.Sub(c.g.Begun) + clockSkew
	for s, used := range r.Seconds {
		if math.IsNaN(used) || used < 0 || used > span.Seconds() {
			return fmt.Errorf("the %s seat used %g seconds of a game that was begun %s ago", game.Seat(s), used,
				now.Sub(c.g.Begun).Round(time.Second))
		}
	}
	begun := c.g.Begun
	if !c.w.Since.IsZero() {
		begun = c.w.Since
	}
	if r.Ended.Before(begun.Add(-clockSkew)) || r.Ended.After(now.Add(clockSkew)) {
		return fmt.Errorf("it ended at %s by the worker's clock, the attempt ran from %s to %s by the hall's",
			r.Ended.UTC().Format(time.RFC3339), begun.Format(time.RFC3339), now.Format(time.RFC3339))
	}
	if r.Ended = store.Kept(r.Ended); r.Ended.Before(begun) {
		r.Ended = begun
	}
	if r.Ended.After(now) {
		r.Ended = now
	}
	r.Result.Reason = game.Reason(game.Shown(string(r.Result.Reason), 40))
	r.Result.Detail = game.Shown(r.Result.Detail, 500)
	if r.Plies < 0 {
		return fmt.Errorf("%d plies", r.Plies)
	}
	return nil
}

// foreignError tells that a result is not of the worker that has the attempt: it is
// refused, and the game is played on.
type foreignError struct{ error }

// examine says whether a result counts: nothing is wrong, it is late (known is false), or
// it is refused with the reason. Positions are what its record shows.
func (p *Dispatcher) examine(ctx context.Context, r *bus.Result) (positions []store.Position, known bool, refused, err error) {
	var g store.Game
	var w Work
	err = p.cfg.Store.View(ctx, func(tx store.Tx) (err error) { g, w, err = workedGame(tx, r.Game); return err })
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil, nil
	}
	if err != nil || g.Attempt != r.Attempt || g.State == store.Over || g.State == store.Aborted && (r.Record == nil || r.Plies == 0) {
		return nil, false, nil, err
	}
	c := claim{&g, &w, r}
	if err := c.sender(); err != nil {
		return nil, true, foreignError{err}, nil
	}
	if r.Parked || r.Fault != "" {
		r.Fault = game.Shown(r.Fault, 500)
		return nil, true, nil, nil
	}
	if err := c.bounds(p.now()); err != nil {
		return nil, true, err, nil
	}
	if p.cfg.Verify == nil {
		return nil, true, nil, nil
	}
	if positions, err = p.cfg.Verify.Verify(ctx, w.dealt(&g), r); err != nil && ctx.Err() == nil && !errors.Is(err, bus.ErrNotNow) {
		return nil, true, err, nil
	}
	return positions, true, nil, err
}

// refuse tells of a result that does not count, in the log and in the audit log. Unless
// it came from elsewhere the game is handed out anew, and given up after a few times.
func (p *Dispatcher) refuse(ctx context.Context, r *bus.Result, why error) error {
	_, foreign := why.(foreignError) //nolint:errorlint // examine returns it as it is
	text := plain.OneLine(why)
	p.cfg.Log.WarnContext(ctx, "a result was refused", "game", r.Game, "attempt", r.Attempt, "worker", game.Shown(r.Worker, 60), "why", text)
	var g store.Game
	changed := false
	err := p.Update(ctx, func(tx store.Tx) (err error) {
		changed = false
		entry := store.Entry{
			At: p.now(), Action: ResultRefused, Subject: r.Game,
			Detail: game.Shown(fmt.Sprintf("worker %s: %s", r.Worker, text), 500),
		}
		if err := tx.AddEntry(&entry); err != nil || foreign {
			return err
		}
		if g, err = tx.Game(r.Game); err != nil {
			return err
		}
		if g.Attempt != r.Attempt || g.State != store.Running {
			return nil
		}
		changed, err = p.failed(tx, &g, "a result was refused: "+text, game.Why{})
		return err
	})
	if err != nil || !changed {
		return err
	}
	if g.State == store.Queued {
		p.Publish(ctx, g.ID)
	}
	p.Over(ctx, &g)
	return nil
}

// ResultRefused is the action of the audit log that tells of a result that did not count.
const ResultRefused = "result-refused"
