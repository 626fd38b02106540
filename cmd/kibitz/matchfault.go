package main

import (
	"context"
	"fmt"

	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/run"
	"kibitz/tournament"
)

// What is done where not an engine fails but the machine below: a full disk, a limit
// that is reached. No engine loses by it. The run ends in a state in which it can be
// taken up: a game counts if the journal has its result, and else as not played.

// fail notes that something of ours went wrong, which ends the run. It is called
// while a game is handed over.
func (r *matchRun) fail(err error) {
	if len(r.failures) == 0 {
		r.warn(plain.OneLine(err) + "; running games end, no new ones start")
	}
	r.failures = append(r.failures, err)
}

// halt is fail for whoever plays a game.
func (r *matchRun) halt(err error) {
	r.runner.Change(func() { r.fail(err) })
	r.runner.Drain()
}

// unrecorded is what it means that the record or the log of a game is not written.
func (r *matchRun) unrecorded(id string, err error) error {
	if !r.dir.There() {
		return fmt.Errorf("%s: the folder of the run was moved or removed while it went on: %w", r.dir.Path, err)
	}
	return fmt.Errorf("the record of game %s could not be written, its result stands in the journal: %w", id, err)
}

// notJournalled notes that an event is not in the journal.
func (r *matchRun) notJournalled(e *journal.Event, err error) {
	r.journalError.CompareAndSwap(nil, &err)
	if e.Kind == journal.KindResult {
		r.unkept.Store(e.Game, true)
	}
}

// journalFault returns why the journal took no more events, nil if it did.
func (r *matchRun) journalFault() error {
	if err := r.journalError.Load(); err != nil {
		return *err
	}
	return nil
}

// playKept plays a game, which counts if the journal has its result.
func (r *matchRun) playKept(ctx context.Context, p tournament.Pairing, slot int) (tournament.Finished, bool) {
	f, ok := r.playGame(ctx, p, slot)
	if !ok {
		return f, false
	}
	id := f.Data.(*run.Game).ID
	if _, lost := r.unkept.Load(id); lost {
		r.halt(fmt.Errorf("game %s does not count, for its result could not be kept: %w", id, r.journalFault()))
		return tournament.Finished{}, false
	}
	return f, true
}
