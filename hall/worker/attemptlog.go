package worker

import (
	"context"
	"time"

	"kibitz/journal"
)

// attemptLogWait is how long the referee waits for a log that has fallen far behind.
const attemptLogWait = 2 * time.Second

// attemptLog keeps the arbiter's events of a game where another worker finds them. Only the
// goroutine of the game uses it.
type attemptLog struct {
	a    *attempt
	log  Log
	seq  uint64
	lost bool
}

// newAttemptLog returns nil if there is no log.
func newAttemptLog(a *attempt) *attemptLog {
	log, err := a.w.Bus.OpenLog(a.p.Game, a.p.Attempt)
	if err != nil {
		a.log.Warn("the game is not kept: " + err.Error())
		return nil
	}
	return &attemptLog{a: a, log: log}
}

// add takes an event. What follows a gap would be of no use.
func (b *attemptLog) add(ev *journal.Event) {
	if b.lost || b.a.stopped() {
		return
	}
	e := *ev
	b.seq++
	e.Seq = b.seq
	line, err := journal.AppendEvent(nil, &e)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), attemptLogWait)
		err = b.log.Append(ctx, line)
		cancel()
	}
	if err != nil {
		b.lost = true
		b.a.log.Warn("the log of the game ends here: " + err.Error())
	}
}

// close waits for what is left, for a while, unless the game is played elsewhere.
func (b *attemptLog) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if b.a.stopped() {
		cancel()
	}
	if err := b.log.Close(ctx); err != nil {
		b.a.log.Warn("the log of the game is not complete: " + err.Error())
	}
}
