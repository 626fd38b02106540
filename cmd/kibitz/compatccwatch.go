package main

import (
	"fmt"
	"sync"
	"time"

	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/compat/cutechess"
	"kibitz/run/result"
	"kibitz/tournament"
)

// ccWatch tells of a run in the lines of cutechess-cli. White is the seat First,
// which moves first.
type ccWatch struct {
	a     *app
	o     *ccOptions
	rules rules.Rules
	// schedule hands out the games, knockout is set in that format.
	schedule tournament.Scheduler
	knockout *cutechess.Knockout
	run      *run.Compat
	names    []string
	files    *ccFiles
	// openings are those of the run.
	openings []opening
	begin    time.Time

	mu    sync.Mutex
	table *cutechess.Table
	over  int
	sprt  *rating.Sequence
}

func newCCWatch(a *app, o *ccOptions) *ccWatch {
	w := &ccWatch{a: a, o: o, begin: a.now()}
	w.names = o.names()
	var controls []string
	for i := range o.engines {
		controls = append(controls, o.engines[i].tc.String())
	}
	w.table = cutechess.NewTable(w.names, controls)
	w.files = newCCFiles(w)
	return w
}

func (w *ccWatch) say(format string, args ...any) { fmt.Fprintf(w.a.stdout, format+"\n", args...) }

func (w *ccWatch) Warned(text string) { fmt.Fprintf(w.a.stderr, "Warning: %s\n", text) }

// ordered says nothing: the other program has no orders.
func (w *ccWatch) Ordered(string) {}

func (w *ccWatch) Began(p *run.Game) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.say("Started game %d of %d (%s vs %s)", p.Pairing.Index+1, w.schedule.Len(), w.names[p.Pairing.First], w.names[p.Pairing.Second])
}

func (w *ccWatch) Finished(d *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.take(d, ccEndOf(d.Game))
	if len(w.names) == 2 {
		w.say("%s", cutechess.ScoreLine(w.names[0], w.names[1], w.table.Tally(0)))
	}
	if n := w.o.ratingInterval; n > 0 && w.over%n == 0 {
		w.say("%s", w.results())
	}
	if n := w.o.outcomeInterval; n > 0 && w.over%n == 0 {
		w.say("%s", w.table.Outcomes())
	}
}

// take counts a game, writes it into the files and tells how it ended.
func (w *ccWatch) take(d *run.Finished, end cutechess.End) {
	w.table.Count(d.Pairing.First, d.Pairing.Second, d.Outcome.Result, end)
	w.sprt = d.Test
	lines := trafficOf(d.Log)
	w.files.add(d.Game, end, lines)
	if w.o.debug {
		w.traffic(d.Game, lines)
	}
	w.say("Finished game %d (%s vs %s): %s {%s}", d.Pairing.Index+1, w.names[d.Pairing.First], w.names[d.Pairing.Second], end.Token,
		end.Reason)
	if (end.Kind == cutechess.Disconnected || end.Kind == cutechess.Stalled) && !w.o.recovering {
		w.run.Enough = true
	}
	w.over++
}

func (w *ccWatch) Ended(*result.Summary) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := w.o.ratingInterval; n == 0 || w.over%n != 0 {
		w.say("%s", w.results())
	}
	if n := w.o.outcomeInterval; n == 0 || w.over%n != 0 {
		w.say("%s", w.table.Outcomes())
	}
	w.say("Finished match")
}

// traffic prints the lines of a game for -debug: milliseconds since the run began,
// the direction and the engine.
func (w *ccWatch) traffic(p *run.Game, lines []trafficLine) {
	since := p.Began.Sub(w.begin)
	for _, l := range lines {
		if l.mark == '>' || l.mark == '<' {
			e := [2]int{p.Pairing.First, p.Pairing.Second}[l.seat]
			w.say("%d %c%s(%d): %s", (since + l.at).Milliseconds(), l.mark, w.names[e], e, l.text)
		}
	}
}

// ccEndOf puts the result of a game into cutechess-cli's words.
func ccEndOf(p *run.Game) cutechess.End { return cutechess.EndOf(p.Outcome.Result, answerOf(p)) }

// results is how the run stands.
func (w *ccWatch) results() string {
	if w.knockout != nil {
		return w.knockout.Bracket(w.names)
	}
	r := cutechess.Ranking{Format: w.o.resultFormat, Gauntlet: w.o.format == "gauntlet", Seeds: w.o.seeds}
	return w.table.Results(r) + "\n" + cutechess.TestLine(w.sprt)
}
