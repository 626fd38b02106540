package cutechess

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"kibitz/opening"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/result"
)

// Watch tells of a run in the lines of cutechess-cli, and writes its files. White is the
// seat First, which moves first.
type Watch struct {
	compat.Silent
	*compat.Env
	o        *Options
	Names    []string
	Begin    time.Time
	rules    rules.Rules
	openings []opening.Opening
	files    compat.Files
	// Run is set when the games are known, knockout in that format.
	Run      *run.Compat
	knockout *knockout

	sync.Mutex
	table *table
	// Over is how many games are over, Test the sequential test, nil without one.
	Over int
	Test *rating.Sequence
}

// NewWatch returns a watch of engines under these names.
func NewWatch(env *compat.Env, o *Options, names []string) *Watch {
	w := &Watch{Env: env, o: o, Begin: env.Now(), Names: names}
	var controls []string
	for i := range o.Engines {
		controls = append(controls, o.Engines[i].TC.String())
	}
	w.table = newTable(names, controls)
	return w
}

// Play plays the run that describe returns when its openings are known.
func (w *Watch) Play(describe func(*compat.Start) *run.Compat) error {
	o := w.o
	err := w.open()
	if err == nil {
		err = w.Env.Play(o.Settings(w.Names), func(s *compat.Start) (*run.Compat, error) {
			if n, start := len(s.Openings), o.Schedule.Openings.Start; n > 0 && start > n {
				w.Warned(fmt.Sprintf("-openings: start=%d: the file holds %d; counting goes on from its beginning", start, n))
			}
			w.rules, w.openings = s.Rules, s.Openings
			w.Run = describe(s)
			w.Run.Program = o.Program
			return w.Run, nil
		})
	}
	return w.files.End(err)
}

// open opens the files that the options name.
func (w *Watch) open() error {
	o := w.o
	err := w.files.Open("pgn", "-pgnout", o.PGN, o.FreshPGN)
	if err == nil {
		err = w.files.Open("epd", "-epdout", o.EPD, o.FreshEPD)
	}
	for i := range o.Engines {
		if err == nil {
			err = w.files.Open(stderrOf(i), "stderr", o.Engines[i].Stderr, false)
		}
	}
	return err
}

// stderrOf is the key of the file for what an engine writes to standard error.
func stderrOf(engine int) string { return fmt.Sprint("stderr", engine) }

// Began tells that a game begins.
func (w *Watch) Began(g *run.Game) {
	w.Lock()
	defer w.Unlock()
	w.Say("Started game %d of %d %s", g.Pairing.Index+1, w.Run.Schedule.Len(), compat.Versus(g, w.Names))
}

// Finished tells how a game ended and how the run stands.
func (w *Watch) Finished(g *run.Finished) {
	w.Lock()
	defer w.Unlock()
	w.Take(g, EndOf(g.Outcome.Result, compat.Answer(g.Game)))
	if len(w.Names) == 2 {
		w.Say("Score of %s vs %s: %v", w.Names[0], w.Names[1], w.table.players[0].all())
	}
	if n := w.o.RatingInterval; n > 0 && w.Over%n == 0 {
		w.Say("%s", w.results())
	}
	if n := w.o.OutcomeInterval; n > 0 && w.Over%n == 0 {
		w.Say("%s", w.table.outcomes())
	}
}

// Take counts a game, writes it into the files and tells how it ended.
func (w *Watch) Take(g *run.Finished, end End) {
	w.table.count(g.Pairing.First, g.Pairing.Second, g.Outcome.Result, end)
	w.Test = g.Test
	lines := compat.Lines(g.Log)
	for _, l := range lines {
		if l.Mark == '!' {
			w.files.Writeln(stderrOf(compat.Engines(g.Game)[l.Seat]), l.Text)
		}
	}
	w.files.Writeln("epd", strings.ReplaceAll(g.Outcome.Final, "\n", " "))
	if w.files.Has("pgn") {
		w.files.Add(g.Pairing.Index, map[string][]byte{"pgn": w.pgn(g.Game, end)})
	}
	if w.o.Debug {
		w.traffic(g.Game, lines)
	}
	w.Say("Finished game %d %s: %s {%s}", g.Pairing.Index+1, compat.Versus(g.Game, w.Names), end.Token, end.Reason)
	if (end.Kind == Disconnected || end.Kind == Stalled) && !w.o.Recover {
		w.Run.Enough = true
	}
	w.Over++
}

// Ended tells how the run ended.
func (w *Watch) Ended(*result.Summary) {
	w.Lock()
	defer w.Unlock()
	if n := w.o.RatingInterval; n == 0 || w.Over%n != 0 {
		w.Say("%s", w.results())
	}
	if n := w.o.OutcomeInterval; n == 0 || w.Over%n != 0 {
		w.Say("%s", w.table.outcomes())
	}
	w.Say("Finished match")
}

// traffic prints the lines of a game for -debug: milliseconds since the run began, the
// direction and the engine.
func (w *Watch) traffic(g *run.Game, lines []compat.Line) {
	since := g.Began.Sub(w.Begin)
	for _, l := range lines {
		if l.Mark == '>' || l.Mark == '<' {
			e := compat.Engines(g)[l.Seat]
			w.Say("%d %c%s(%d): %s", (since + l.At).Milliseconds(), l.Mark, w.Names[e], e, l.Text)
		}
	}
}

// results is how the run stands.
func (w *Watch) results() string {
	if w.knockout != nil {
		return w.knockout.bracket(w.Names)
	}
	r := ranking{Format: w.o.ResultFormat, Gauntlet: w.o.Schedule.Format == "gauntlet", Seeds: w.o.Schedule.Seeds}
	return w.table.results(r) + "\n" + testLine(w.Test)
}
