package main

import (
	"context"
	"fmt"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/internal/drain"
	"kibitz/internal/plain"
	"kibitz/internal/process"
	"kibitz/journal"
	"kibitz/link/procfs"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/result"
	"kibitz/run/watchdog"
	"kibitz/tournament"
)

// play runs all games and reports.
func (r *matchRun) play() (*result.Summary, error) {
	defer process.SurviveClosedOutput()()
	if err := r.readyPrograms(); err != nil {
		return nil, err
	}
	r.fitProcessors(r.cmd.Concurrency)
	defer r.freeProcessors()
	r.began = r.a.now()
	r.watchers = append(r.watchers, r.newWatchers()...)
	r.followers = eventWatchers(r.watchers)
	r.remark()
	r.remarkCrowd(r.cmd.Concurrency)
	r.remarkUnopened()
	r.pool = newPool(r)
	r.watchdog = watchdog.New(r.a.now)
	defer r.watchdog.Start()()
	r.runner = tournament.NewRunner(r.schedule(), r.cmd.Concurrency, r.playKept, r.finished)
	ctx, stop := context.WithCancel(r.a.ctx)
	defer stop()
	r.control = &control{r: r, stop: stop}
	defer drain.Do(r.a.drain, r.runner.Drain)()
	defer r.takeOrders()()
	if r.decided() {
		r.runner.Drain()
	}
	done := r.runner.Run(ctx)
	r.pool.close()
	if err := r.programs.Close(); err != nil {
		r.warn(plain.OneLine(err))
	}
	r.totals.unfinished = r.schedule().Len() - done - r.earlier.games()
	if r.decided() {
		r.totals.unneeded, r.totals.unfinished = r.totals.unfinished, 0
	}
	return r.report()
}

// remark tells what is odd about the openings.
func (r *matchRun) remark() {
	if r.opened == nil || r.cmd.Quiet || r.earlier != nil {
		return
	}
	for _, text := range r.opened.remarks {
		r.warn("--openings: " + text)
	}
}

// takeOrders lets others steer the run, by signals and by the socket in its folder,
// until release is called.
func (r *matchRun) takeOrders() (release func()) {
	unsign := process.OnUserSignals(func() { r.widen(1) }, func() { r.widen(-1) })
	unlisten, err := r.control.listen(r.dir.Path)
	if err != nil {
		r.warn("kibitz control cannot reach this run: " + plain.OneLine(err))
		return unsign
	}
	return func() {
		unlisten()
		unsign()
	}
}

// widen changes how many games run at a time; none is a pause.
func (r *matchRun) widen(by int) {
	st := r.runner.Status()
	switch n := st.Limit + by; {
	case st.Paused && by > 0:
		r.runner.Pause(false)
	case n < 1:
		r.runner.Pause(true)
	case !st.Paused:
		r.setConcurrency(min(n, maxConcurrency))
	}
}

// setConcurrency changes how many games run at a time.
func (r *matchRun) setConcurrency(n int) {
	r.fitProcessors(n)
	r.remarkCrowd(n)
	r.runner.SetConcurrency(n)
}

// decided reports whether the sequential test has ended the match.
func (r *matchRun) decided() bool { return r.sprt != nil && r.sprt.Decision() != rating.Continue }

// newPlayed returns a game before it begins.
func (r *matchRun) newPlayed(p tournament.Pairing) *run.Game {
	id := replayName(p)
	g := &run.Game{Pairing: p, ID: id, Attempt: r.earlier.attempt(id)}
	for i, e := range [2]int{p.First, p.Second} {
		g.Names[i] = r.roster.at(e).Name
	}
	if p.Opening >= 0 {
		g.Opening = r.openings[p.Opening].Name
	}
	return g
}

// playGame plays one game of the plan.
func (r *matchRun) playGame(ctx context.Context, p tournament.Pairing, slot int) (tournament.Finished, bool) {
	played := r.newPlayed(p)
	played.Slot = slot
	if res, ok := p.Awarded(); ok {
		return r.award(played, res), true
	}
	if r.cmd.Wait > 0 && p.Index > 0 {
		select {
		case <-time.After(time.Duration(r.cmd.Wait) * time.Millisecond):
		case <-ctx.Done():
			return tournament.Finished{}, false
		}
	}
	var seats [2]*seated
	for i, e := range [2]int{p.First, p.Second} {
		var err error
		if seats[i], err = r.pool.take(e, slot); err != nil {
			r.warn(err.Error())
			return tournament.Finished{}, false
		}
		defer r.pool.give(seats[i])
		seats[i].traffic.Begin(r.a.now())
	}
	g := r.newGame(played, seats)
	played.Began = r.a.now()
	for _, w := range r.watchers {
		w.Began(played)
	}
	engines := [2]int{p.First, p.Second}
	for i, e := range engines {
		if !r.cmd.Recover && r.readiness.hopeless(e) {
			g.Sides[i].Player = givenUp{g.Sides[i].Player}
		}
	}
	own, over := r.control.play(ctx, played.ID)
	played.Outcome = match.Play(own, g)
	over()
	r.readiness.count(engines, &played.Outcome)
	for i, s := range seats {
		played.Log = s.traffic.Take(played.Log, fmt.Sprintf("%s (%s)", g.Sides[i].Name, game.Seat(i)))
	}
	o := &played.Outcome
	if o.Result.Reason == game.ByAbort {
		switch {
		case protocol.HostFault(o.Fault):
			r.halt(fmt.Errorf("game %s was not played to a verdict: %s", played.ID, o.Result.Detail))
		case ctx.Err() == nil:
			r.warn(fmt.Sprintf("game %s was not played to a verdict: %s", played.ID, o.Result.Detail))
		}
		return tournament.Finished{}, false
	}
	return tournament.Finished{
		Pairing: p, Result: o.Result, Plies: o.Plies, Seconds: [2]float64{seconds(o.Used[0]), seconds(o.Used[1])}, Data: played,
	}, true
}

// sink appends an event to the journal. Its errors repeat for every later event
// and are reported once, when a game is over.
func (r *matchRun) sink(e *journal.Event) {
	for _, w := range r.followers {
		w.Event(e)
	}
	if e.Kind == journal.KindView { // for those who look on: it follows from the decisions
		return
	}
	if err := r.dir.Journal.Append(e); err != nil {
		r.notJournalled(e, err)
	}
}

// retries is how many illegal answers the custom of an engine's protocol gives back.
func (r *matchRun) retries(e *engineSpec) int {
	if !r.cmd.Illegal.Usual || len(e.Cmd) == 0 {
		return 0
	}
	p, err := catalog.ProtocolFor(r.rules.Spec().ID(), e.Proto)
	if err != nil {
		return 0 // it is told elsewhere
	}
	return p.Retries
}

func (r *matchRun) newGame(played *run.Game, seats [2]*seated) *match.Game {
	p := played.Pairing
	g := &match.Game{
		ID: played.ID, Rules: r.rules, Policy: r.policy, Rated: !r.cmd.Casual, Tournament: r.roster.count() > 2, Now: r.a.now, Round: p.Round,
		Pair: p.Pair, Attempt: played.Attempt,
		Slept: r.watchdog.Slept, Load: procfs.Load, Sink: r.sink, Views: len(r.followers) > 0,
	}
	for i, s := range seats {
		e := r.roster.at(s.engine)
		g.Sides[i] = match.Side{
			Player: s.player, Name: e.Name, Clock: e.Control, Limits: e.Limits(), Margin: e.Margin, Suspend: e.Suspend,
			Ponder: e.Ponder, Retries: r.retries(e),
		}
	}
	if p.Opening >= 0 {
		o := r.openings[p.Opening]
		g.Position, g.Opening, g.OpeningName = o.Start, o.Steps, o.Name
	}
	if r.foreign != nil && r.foreign.Adjust != nil {
		r.foreign.Adjust(g)
	}
	played.Seed = r.shuffles.deal(g, r.rules, p)
	played.Commitment = g.Commitment
	return g
}
