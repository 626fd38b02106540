package fastchess

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kibitz/match"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/compat/cutechess"
	"kibitz/run/result"
)

// watch tells of a run in the lines of fastchess. White is the seat First, which moves
// first.
type watch struct {
	*cutechess.Watch
	o *Options
	// met are the results of those who met, by engines in the order of their numbers, as
	// the first of them sees them.
	met map[[2]int]*stats
	// halves are first games of pairs whose second one is not over, by the pair: the
	// half points of the engine with the lower number.
	halves map[int]int
	// late and lost count games that an engine lost on time and by a crash.
	late, lost []int
	told       bool // how the test was decided
}

// Run plays what a command line of fastchess says.
func Run(env *compat.Env, args []string) error {
	if env.Asked("fastchess", args, Known(newOptions())) {
		return nil
	}
	o, err := Read(args, env.Warned)
	if err != nil {
		return err
	}
	n := len(o.Engines)
	w := &watch{
		Watch: cutechess.NewWatch(env, o.Options, o.names()), o: o, met: map[[2]int]*stats{}, halves: map[int]int{},
		late: make([]int, n), lost: make([]int, n),
	}
	seed := uint64(env.Now().UnixNano())
	if o.Seed != nil {
		seed = *o.Seed
	}
	err = w.Play(func(x *compat.Start) *run.Compat {
		s := o.Schedule
		s.Openings.N = len(x.Openings)
		return &run.Compat{Watcher: w, Schedule: newPlan(s, seed, x.Count), Adjust: o.adjust}
	})
	if err == nil && w.Run.Enough {
		return compat.Fail("")
	}
	return err
}

// names are the names of the engines, none twice.
func (o *Options) names() []string {
	out, seen := make([]string, len(o.Engines)), map[string]int{}
	for i := range o.Engines {
		out[i] = o.Engines[i].Title()
		if o.Engines[i].Name == "" {
			out[i] = strings.TrimSuffix(out[i], filepath.Ext(out[i]))
		}
		if seen[out[i]]++; seen[out[i]] > 1 {
			out[i] += fmt.Sprintf("_%d", seen[out[i]])
		}
	}
	return out
}

// adjust does not count the moves of the opening, but for a draw.
func (o *Options) adjust(g *match.Game) {
	if o.Adjust(g); o.MaxMoves > 0 {
		g.Policy.MaxMoves = 2 * o.MaxMoves
	}
}

// Finished tells how a game ended and how the run stands.
func (w *watch) Finished(g *run.Finished) {
	w.Lock()
	defer w.Unlock()
	end := cutechess.EndOf(g.Outcome.Result, "")
	if end.Kind == cutechess.DrawAdjudicated { // there nothing more is said
		end.Reason, _, _ = strings.Cut(end.Reason, ": ")
	}
	w.Take(g, end)
	key, whole := w.score(g.Game, end)
	w.fault(g.Game, end)
	last := w.Over == w.Run.Schedule.Len()
	if w.o.Cutechess && (every(w.Over, w.o.ScoreInterval) || last) {
		w.Say("%s", w.scoreLine(key))
	}
	at := w.Over
	if w.o.Penta {
		at = g.Pairing.Shuffle + 1
	}
	if whole && every(at, w.o.RatingInterval) || last {
		w.interval(key)
	}
	w.decide(key)
}

// every reports whether n is a multiple of interval; there is none of 0.
func every(n, interval int) bool { return interval > 0 && n%interval == 0 }

// score counts a game. It returns who met, and whether no other game of their pair is
// waited for.
func (w *watch) score(g *run.Game, end cutechess.End) (key [2]int, whole bool) {
	key = [2]int{min(g.Pairing.First, g.Pairing.Second), max(g.Pairing.First, g.Pairing.Second)}
	s := w.met[key]
	if s == nil {
		s = &stats{}
		w.met[key] = s
	}
	seat := 0
	if key[0] != g.Pairing.First {
		seat = 1
	}
	half := int(2 * g.Outcome.Result.Points[seat])
	if !w.o.Penta {
		if end.Token != "*" {
			s.games[half]++
		}
		return key, true
	}
	before, second := w.halves[g.Pairing.Shuffle]
	if !second {
		w.halves[g.Pairing.Shuffle] = half
		if end.Token == "*" {
			w.halves[g.Pairing.Shuffle] = -1
		}
		return key, false
	}
	delete(w.halves, g.Pairing.Shuffle)
	if before < 0 || end.Token == "*" {
		return key, true
	}
	s.games[before]++
	s.games[half]++
	s.pairs[before+half]++
	if before != half && before+half == 2 {
		s.winLoss++
	}
	return key, true
}

// fault counts what went wrong and tells where it ends the run.
func (w *watch) fault(g *run.Game, end cutechess.End) {
	if w.Run.Enough {
		w.Say("Game %d stalled / disconnected and no recover option set for engine, stopping tournament.", g.Pairing.Index+1)
		return
	}
	if end.Token == "*" {
		return
	}
	loser := compat.Engines(g)[max(0, g.Outcome.Result.Winner().Other())]
	switch end.Kind {
	case cutechess.OnTime:
		w.late[loser]++
	case cutechess.Disconnected, cutechess.Stalled:
		w.lost[loser]++
	}
}

// decide tells once that the test is decided.
func (w *watch) decide(key [2]int) {
	if w.Test == nil || w.told || w.Test.Decision() == rating.Continue {
		return
	}
	w.told = true
	if w.o.Cutechess {
		w.Say("%s", w.scoreLine(key))
	}
	w.interval(key)
	if w.o.Cutechess {
		w.Say("Tournament finished")
		return
	}
	w.Say("SPRT (%s) completed - %s was accepted", w.hypotheses(), w.Test.Decision())
}

// Ended tells how the run ended.
func (w *watch) Ended(*result.Summary) {
	w.Lock()
	defer w.Unlock()
	if !w.o.Cutechess {
		w.faults()
	}
	took := w.Now().Sub(w.Begin)
	w.Say("Finished match")
	w.Say("Total Time: %02d:%02d:%02d (hours:minutes:seconds)\n", int(took.Hours()), int(took/time.Minute)%60, int(took/time.Second)%60)
}

// faults lists engines that ran out of time or crashed.
func (w *watch) faults() {
	var b strings.Builder
	for i, name := range w.Names {
		if w.late[i]+w.lost[i] > 0 {
			fmt.Fprintf(&b, "Player: %s\n  Timeouts: %d\n  Crashed: %d\n", name, w.late[i], w.lost[i])
		}
	}
	if b.Len() > 0 {
		w.Say("\n%s", b.String())
	}
}
