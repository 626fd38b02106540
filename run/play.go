package run

import (
	"context"
	"fmt"
	"time"

	"kibitz/internal/drain"
	"kibitz/internal/plain"
	"kibitz/run/result"
	"kibitz/run/roster"
	"kibitz/run/standing"
	"kibitz/run/watchdog"
	"kibitz/tournament"
)

// Play plays the run, or what is left of it, opens it first if nobody has, and keeps all of
// it. Of a run that is over it is the summary alone. A *BadOutcome is the error of a run that
// came to a bad end; the summary is there as well if games were played.
func (r *Run) Play(ctx context.Context) (*result.Summary, error) {
	switch {
	case r.Over():
		return r.tellOver()
	case r.earlier.resumed:
		if err := r.goOn(); err != nil {
			return nil, ofDisk(err)
		}
	case r.keep.dir == nil:
		if err := r.Open(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.players.open(ctx, r.keep.dir, &roster.Pool{Seeds: r.seeds, Warn: r.audience.warn}, r.say); err != nil {
		return nil, err
	}
	r.players.cpus.Fit(r.set.Concurrency, r.players.roster)
	defer r.players.cpus.Free()
	r.began = r.now()
	r.assemble()
	r.warnBefore()
	dog, games := watchdog.New(r.now), &running{}
	defer dog.Start()()
	x := &arbiter{
		set: r.set, policy: r.policy, compat: r.compat, earlier: &r.earlier, players: r.players, openings: &r.openings, keep: &r.keep,
		audience: &r.audience, watchdog: dog, running: games, abort: r.abort,
		placing: newPlacing(r.set, r.players.began, r.players.places, func(text string) {
			if !r.set.Quiet {
				r.warnings.tell(text)
			}
		}),
	}
	runner := tournament.NewRunner(r.schedule(), r.set.Concurrency, x.play, r.finished)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.control = &Control{runner: runner, r: r, ctx: ctx, stop: stop, running: games}
	defer drain.Do(r.with.Drain, runner.Drain)()
	defer r.control.listen()()
	st := &r.standing
	if st.Decided() {
		runner.Drain()
	}
	done := runner.Run(ctx)
	if err := r.players.close(); err != nil {
		r.audience.warn(plain.OneLine(err))
	}
	st.Totals.Unfinished = r.schedule().Len() - done - r.earlier.kept
	if st.Decided() {
		st.Totals.Unneeded, st.Totals.Unfinished = st.Totals.Unfinished, 0
	}
	return r.end()
}

// assemble gathers those who watch.
func (r *Run) assemble() {
	switch {
	case r.compat != nil:
		r.audience.add(r.compat.Watcher)
	case r.with.Watchers != nil:
		r.audience.add(r.with.Watchers(r)...)
	}
}

// warnBefore tells what is odd about the run before its first game.
func (r *Run) warnBefore() {
	if r.earlier.resumed {
		r.warnOfFiles(r.players.filesNow())
	} else {
		r.warnings.openings(r.openings.made)
	}
	r.players.warnOfCrowd(&r.warnings, r.set.Concurrency)
	if !r.earlier.resumed && r.set.Games > 2 && len(r.openings.list) == 0 {
		r.warnings.unopened(r.players.began, r.rules, r.with.Launcher.Warn)
	}
}

// finished takes a game as it ends: files, standings, lines for people and
// programs. It is called for one game at a time, and returns whether further ones
// are to start.
func (r *Run) finished(f tournament.Finished) (goOn bool) {
	p, st := f.Data.(*Game), &r.standing
	if err := r.keep.keep(p); err != nil {
		r.Fail(r.keep.unwritten(p.ID, err))
	} else if err := r.keep.failed(); err != nil {
		r.Fail(err)
	}
	r.organiser.annulled(p)
	st.Totals.Add(p.Pairing, &p.Outcome)
	r.replayStarved(p)
	st.Update()
	r.warnings.repeats(st)
	for i, e := range [2]int{p.Pairing.First, p.Pairing.Second} {
		r.warnings.memory(p, i, r.players.roster.At(e), st.Totals.Used[e])
	}
	if !r.set.Quiet {
		for _, w := range p.Outcome.Warnings {
			r.audience.warn("game " + p.ID + ": " + w)
		}
	}
	r.audience.finished(&Finished{Game: p, Line: p.line(r.rules.Spec(), &f), Of: r.schedule().Len(), Done: st.Games(), Test: st.Test})
	return len(r.failures) == 0 && !st.Decided() && (r.compat == nil || !r.compat.Enough)
}

// mostStarved is how often a game is played again that an engine lost by waiting for a
// processor.
const mostStarved = 2

// replayStarved notes a game that was lost on time by an engine which had waited for a
// processor longer than it was over its time, and has it played again where that is wanted.
func (r *Run) replayStarved(p *Game) {
	x := p.Outcome.Starved
	if x == nil {
		return
	}
	line := result.Starved{Game: p.ID, Engine: p.Names[x.Seat], Waited: standing.Seconds(x.Waited), Over: standing.Seconds(x.Over)}
	why := fmt.Sprintf("%s waited %s for a processor and was %s over its time", line.Engine,
		x.Waited.Round(time.Millisecond), x.Over.Round(time.Millisecond))
	text := "game " + p.ID + ": " + why
	switch {
	case !r.set.ReplayStarved || r.compat != nil:
		text += "; --replay-starved plays such games again"
	case p.Pairing.Replays >= mostStarved:
		text += fmt.Sprintf("; it counts, having been played %d times", mostStarved+1)
	default:
		if err := r.organiser.replay(p.Pairing.Index+1, why, "the referee"); err != nil {
			r.Fail(err)
			return
		}
		line.Again = true
		text += "; it is played again"
	}
	r.standing.Totals.Starved = append(r.standing.Totals.Starved, line)
	if !r.set.Quiet {
		r.audience.warn(text)
	}
}

// What is done where not an engine fails but the machine below: a full disk, a limit
// that is reached. No engine loses by it. The run ends in a state in which it can be
// taken up: a game counts if the journal has its result, and else as not played.

// Fail notes that something of ours went wrong, which ends the run. It is called
// while a game is handed over, or at the end.
func (r *Run) Fail(err error) {
	if len(r.failures) == 0 && !r.over {
		r.audience.warn(plain.OneLine(err) + "; running games end, no new ones start")
	}
	r.failures = append(r.failures, err)
}

// abort is Fail for whoever plays a game.
func (r *Run) abort(err error) {
	r.control.Between(func() { r.Fail(err) })
	r.control.runner.Drain()
}
