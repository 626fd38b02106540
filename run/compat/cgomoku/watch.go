package cgomoku

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/protocol/piskvork"
	"kibitz/run"
	"kibitz/run/compat"
)

// watch tells of a run in the lines of c-gomoku-cli, and writes its files.
type watch struct {
	compat.Silent
	*compat.Env
	o     *Options
	about []piskvork.Identity
	names []string
	plan  *plan
	run   *run.Compat
	begin time.Time

	mu      sync.Mutex
	files   compat.Files
	samples *rand.Rand
	loaded  map[int][2]int          // by slot: the engines that its games have started
	tally   map[[2]int]compat.Tally // by pair: losses, draws and wins of its first
	// started and over count games.
	started, over int
	failed        bool // an engine crashed or hung
}

// Run plays what a command line of c-gomoku-cli says.
func Run(env *compat.Env, args []string) error {
	w := &watch{Env: env, begin: env.Now(), loaded: map[int][2]int{}, tally: map[[2]int]compat.Tally{}}
	o, err := Read(args, w.Warned)
	if err != nil {
		return err
	}
	w.o, w.samples = o, rand.New(rand.NewPCG(uint64(o.srand), 1))
	o.print(env.Stdout)
	for i := range o.engines {
		id, err := o.engines[i].introduce(env)
		if err != nil {
			return err
		}
		w.about = append(w.about, id)
		w.names = append(w.names, plain.Printable(cmp.Or(o.engines[i].name, id.Name, o.engines[i].cmd)))
	}
	if o.openings != "" {
		env.Say("Load opening file %s", o.openings)
	}
	if err = w.open(); err == nil {
		err = env.Play(o.Settings(w.names), w.prepare)
	}
	if err = w.files.End(err); err == nil && o.fatal && w.failed {
		err = compat.Fail("")
	}
	return err
}

// prepare gives the run its games and openings.
func (w *watch) prepare(s *compat.Start) (*run.Compat, error) {
	base, err := w.o.readOpenings(w.Env, s.Rules)
	if err != nil {
		return nil, err
	}
	seed := cmp.Or(uint64(w.o.srand), uint64(w.Now().UnixMilli()))
	if w.plan, err = w.o.plan(s, base, seed); err != nil {
		return nil, err
	}
	w.run = &run.Compat{Program: "c-gomoku-cli", Watcher: w, Schedule: w.plan, Adjust: w.o.adjust}
	return w.run, nil
}

// Warned tells of what is odd.
func (w *watch) Warned(text string) { fmt.Fprintf(w.Stderr, "kibitz: %s\n", text) }

// seats returns the names of black and white.
func (w *watch) seats(g *run.Game) [2]string {
	return [2]string{w.names[g.Pairing.First], w.names[g.Pairing.Second]}
}

func (w *watch) job(g *run.Game) *job { return &w.plan.jobs[g.Pairing.Index] }

// Began tells that a game begins, and which engines are started for it.
func (w *watch) Began(g *run.Game) {
	w.mu.Lock()
	defer w.mu.Unlock()
	pair := w.job(g).engines
	at, ok := w.loaded[g.Slot]
	for i, e := range pair {
		if !ok || at[i] != e {
			id := &w.about[e]
			w.Say("[%d] Load engine: %s (version %s) by %s, %s", g.Slot+1, orMark(id.Name), orMark(id.Version), orMark(id.Author),
				orMark(id.Country))
		}
	}
	w.loaded[g.Slot] = pair
	w.started++
	w.Say("[%d] Started game %d of %d %s", g.Slot+1, g.Pairing.Index+1, w.plan.Len(), compat.Versus(g, w.names))
}

func orMark(s string) string { return cmp.Or(plain.Printable(s), "?") }

// Finished tells how a game ended and how its pair stands.
func (w *watch) Finished(g *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := endOf(g.Game)
	w.fault(g.Game, e)
	w.write(g.Game, e)
	w.Say("[%d] Finished game %d %s: %s {%s}", g.Slot+1, g.Pairing.Index+1, compat.Versus(g.Game, w.names),
		e.token("1-0", "0-1"), e.reason)
	w.score(g.Game)
	if g.Test != nil {
		lower, upper := g.Test.Bounds()
		w.Say("SPRT: LLR = %.3f [%.3f,%.3f]%s", g.Test.LLR(), lower, upper, compat.Decided(g.Test, ". ", " accepted."))
	}
	w.over++
	if len(w.names) > 2 && w.over%w.o.games == 0 {
		w.update()
	}
}

// score counts a game and prints how its pair stands.
func (w *watch) score(g *run.Game) {
	pair := w.job(g).engines
	t := w.tally[pair]
	t[w.outcome(g)]++
	w.tally[pair] = t
	w.Say("Score of %s", w.pairLine(pair))
}

// outcome is 0, 1 or 2 for a loss, draw or win of the first of the pair.
func (w *watch) outcome(g *run.Game) int {
	seat := game.First
	if g.Pairing.First != w.job(g).engines[0] {
		seat = game.Second
	}
	return int(2 * g.Outcome.Result.Points[seat])
}

// pairLine is "A vs B: W - L - D  [score] games".
func (w *watch) pairLine(pair [2]int) string {
	return fmt.Sprintf("%s vs %s: %v", w.names[pair[0]], w.names[pair[1]], w.tally[pair])
}

// update prints the table of a tournament.
func (w *watch) update() {
	w.Say("Tournament update:")
	shown := map[[2]int]bool{}
	for _, j := range w.plan.jobs {
		if shown[j.engines] || w.tally[j.engines].Games() == 0 {
			continue
		}
		shown[j.engines] = true
		w.Say("%s", w.pairLine(j.engines))
	}
	if n := w.plan.Len(); w.started < n {
		speed := float64(w.started) / max(float64(w.Now().Sub(w.begin).Milliseconds()), 1)
		left := int64(float64(n-w.started)/speed) / 1000
		w.Say("Matches/min: %.3f, Estimated time to complete: %02d:%02d:%02d", speed*60000, left/3600, left/60%60, left%60)
	}
}

// fault prints why an engine lost that went wrong.
func (w *watch) fault(g *run.Game, e end) {
	if e.fault == "" {
		return
	}
	loser := e.winner.Other()
	name := w.seats(g)[loser]
	at := fmt.Sprintf("at %d moves after opening", e.plies)
	switch e.fault {
	case "illegal":
		w.Say("[%d] engine %s output illegal move %s: %s", g.Slot+1, name, at, compat.Answer(g))
	case "late":
		w.Say("[%d] engine %s timeout %s", g.Slot+1, name, at)
	default: // crashed, timeout
		fmt.Fprintf(w.Stderr, "[%d] engine %s %s %s\n", g.Slot+1, name, e.fault, at)
		w.failed = true
		w.run.Enough = w.o.fatal
		loaded := w.loaded[g.Slot]
		for i := range loaded {
			if loaded[i] == compat.Engines(g)[loser] { // it is started anew
				loaded[i] = -1
			}
		}
		w.loaded[g.Slot] = loaded
	}
}
