package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/compat/cutechess"
	"kibitz/run/compat/fastchess"
	"kibitz/run/result"
	"kibitz/tournament"
)

// fcWatch tells of a run in the lines of fastchess. White is the seat First, which moves
// first.
type fcWatch struct {
	*ccWatch
	// met are the results of those who met, by engines in the order of their numbers, as
	// the first of them sees them.
	met map[[2]int]*fcStats
	// halves are first games of pairs whose second one is not over, by the pair: the
	// half points of the engine with the lower number.
	halves map[int]int
	// late and lost count games that an engine lost on time and by a crash.
	late, lost []int
	told       bool // how the test was decided
}

// fcStats are results: losses, draws and wins of games; pairs by half points; and those of
// even pairs that are a win and a loss.
type fcStats struct {
	games   cutechess.Tally
	pairs   [5]int
	winLoss int
}

func (s *fcStats) add(t *fcStats, inverted bool) {
	for i := range s.games {
		s.games[i] += t.games[mirrored(i, 2, inverted)]
	}
	for i := range s.pairs {
		s.pairs[i] += t.pairs[mirrored(i, 4, inverted)]
	}
	s.winLoss += t.winLoss
}

// mirrored is an index, counted from the other end if inverted.
func mirrored(i, last int, inverted bool) int {
	if inverted {
		return last - i
	}
	return i
}

// fcRun plays what the command line of fastchess says.
func fcRun(a *app, args []string, out string) error {
	if ccAsked(a, args, "fastchess", fcTable(&ccOptions{})) {
		return nil
	}
	o, err := readFC(args, ccWarn(a))
	if err != nil {
		return unplayable(err)
	}
	w := &fcWatch{
		ccWatch: newCCWatch(a, o), met: map[[2]int]*fcStats{}, halves: map[int]int{}, late: make([]int, len(o.engines)),
		lost: make([]int, len(o.engines)),
	}
	seed := uint64(a.now().UnixNano())
	if o.fast.seed != nil {
		seed = *o.fast.seed
	}
	err = w.play(out, w, func(openings int, count func(tournament.Finished)) tournament.Scheduler {
		s := fastchess.Settings{
			Gauntlet: o.format == "gauntlet", Players: len(o.engines), Seeds: o.seeds, Games: o.games, Rounds: o.rounds, NoSwap: o.noswap,
			Reverse: o.reverse,
		}
		if x := o.openings; x != nil {
			s.Openings, s.Random, s.Start = openings, x.random, x.start
		}
		return fastchess.NewPlan(s, seed, count)
	})
	if err == nil && w.run.Enough {
		return verdict{}
	}
	return err
}

func (w *fcWatch) Finished(d *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	end := ccEndOf(d.Game)
	if end.Kind == cutechess.Illegal || end.Kind == cutechess.DrawAdjudicated { // there nothing more is said
		end.Reason, _, _ = strings.Cut(end.Reason, ": ")
	}
	w.take(d, end)
	key, whole := w.score(d.Game, end)
	w.fault(d.Game, end)
	f, last := w.o.fast, w.over == w.schedule.Len()
	if f.cutechess && (every(w.over, f.scoreInterval) || last) {
		w.say("%s", w.scoreLine(key))
	}
	at := w.over
	if f.penta {
		at = d.Pairing.Shuffle + 1
	}
	if whole && every(at, w.o.ratingInterval) || last {
		w.interval(key)
	}
	w.decide(key)
}

// every reports whether n is a multiple of interval; there is none of 0.
func every(n, interval int) bool { return interval > 0 && n%interval == 0 }

// score counts a game. It returns who met, and whether no other game of their pair is
// waited for.
func (w *fcWatch) score(p *run.Game, end cutechess.End) (key [2]int, whole bool) {
	key = [2]int{min(p.Pairing.First, p.Pairing.Second), max(p.Pairing.First, p.Pairing.Second)}
	s := w.met[key]
	if s == nil {
		s = &fcStats{}
		w.met[key] = s
	}
	seat := 0
	if key[0] != p.Pairing.First {
		seat = 1
	}
	half := int(2 * p.Outcome.Result.Points[seat])
	if !w.o.fast.penta {
		if end.Token != "*" {
			s.games[half]++
		}
		return key, true
	}
	before, second := w.halves[p.Pairing.Shuffle]
	if !second {
		w.halves[p.Pairing.Shuffle] = half
		if end.Token == "*" {
			w.halves[p.Pairing.Shuffle] = -1
		}
		return key, false
	}
	delete(w.halves, p.Pairing.Shuffle)
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
func (w *fcWatch) fault(p *run.Game, end cutechess.End) {
	if w.run.Enough {
		w.say("Game %d stalled / disconnected and no recover option set for engine, stopping tournament.", p.Pairing.Index+1)
		return
	}
	if end.Token == "*" {
		return
	}
	loser := [2]int{p.Pairing.First, p.Pairing.Second}[max(0, p.Outcome.Result.Winner().Other())]
	switch end.Kind {
	case cutechess.OnTime:
		w.late[loser]++
	case cutechess.Disconnected, cutechess.Stalled:
		w.lost[loser]++
	}
}

// decide tells once that the test is decided.
func (w *fcWatch) decide(key [2]int) {
	if w.sprt == nil || w.told || w.sprt.Decision() == rating.Continue {
		return
	}
	w.told = true
	if w.o.fast.cutechess {
		w.say("%s", w.scoreLine(key))
	}
	w.interval(key)
	if w.o.fast.cutechess {
		w.say("Tournament finished")
		return
	}
	w.say("SPRT (%s) completed - %s was accepted", w.hypotheses(), w.sprt.Decision())
}

func (w *fcWatch) Ended(*result.Summary) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.o.fast.cutechess {
		w.faults()
	}
	took := w.a.now().Sub(w.begin)
	w.say("Finished match")
	w.say("Total Time: %02d:%02d:%02d (hours:minutes:seconds)\n", int(took.Hours()), int(took/time.Minute)%60, int(took/time.Second)%60)
}

// faults lists engines that ran out of time or crashed.
func (w *fcWatch) faults() {
	var b strings.Builder
	for i, name := range w.names {
		if w.late[i]+w.lost[i] > 0 {
			fmt.Fprintf(&b, "Player: %s\n  Timeouts: %d\n  Crashed: %d\n", name, w.late[i], w.lost[i])
		}
	}
	if b.Len() > 0 {
		w.say("\n%s", b.String())
	}
}

func (w *fcWatch) scoreLine(key [2]int) string {
	return cutechess.ScoreLine(w.names[key[0]], w.names[key[1]], w.met[key].games)
}

// interval prints how the run stands.
func (w *fcWatch) interval(key [2]int) {
	const rule = "--------------------------------------------------"
	f := w.o.fast
	var text string
	switch {
	case len(w.names) > 2:
		text = w.ranks()
	case f.cutechess:
		s := w.met[key]
		e := w.estimate(s)
		text = fmt.Sprintf("Elo difference: %s +/- %s, LOS: %s %%, DrawRatio: %s %%", fcFloat(e.Elo), fcFloat(e.Error), fcFloat(100*e.LOS),
			fcFloat(100*w.draws(s)))
	default:
		text = w.duel(key)
	}
	if w.sprt != nil {
		text += "\n" + w.test()
	}
	if f.cutechess {
		w.say("%s", text)
		return
	}
	w.say("%s\n%s\n%s", rule, text, rule)
}

func fcFloat(x float64) string { return cutechess.Float(x, 'f', 2) }

// counts are the outcomes that statistics are made of.
func (w *fcWatch) counts(s *fcStats) rating.Counts {
	if p := s.pairs; w.o.fast.penta {
		return rating.Pentanomial(p[0], p[1], p[2], p[3], p[4])
	}
	return rating.Trinomial(s.games[0], s.games[1], s.games[2])
}

func (w *fcWatch) estimate(s *fcStats) rating.Estimate {
	return w.counts(s).EstimateBy(rating.FastchessWay)
}

func (w *fcWatch) draws(s *fcStats) float64 { return w.counts(s).DrawRatio() }

// duel is how two engines stand, as the first one sees it.
func (w *fcWatch) duel(key [2]int) string {
	s := w.met[key]
	e := w.estimate(s)
	var b strings.Builder
	fmt.Fprintf(&b, "Results of %s vs %s (%s):\n", w.names[key[0]], w.names[key[1]], w.conditions())
	fmt.Fprintf(&b, "Elo: %s +/- %s, nElo: %s +/- %s\n", fcFloat(e.Elo), fcFloat(e.Error), fcFloat(e.NElo), fcFloat(e.NError))
	fmt.Fprintf(&b, "LOS: %s %%, DrawRatio: %s %%", fcFloat(100*e.LOS), fcFloat(100*w.draws(s)))
	if w.o.fast.penta {
		fmt.Fprintf(&b, ", PairsRatio: %s", fcFloat(w.counts(s).Ratio()))
	}
	t := s.games
	fmt.Fprintf(&b, "\nGames: %d, Wins: %d, Losses: %d, Draws: %d, Points: %.1f (%s %%)", t.Games(), t[2], t[0], t[1],
		float64(2*t[2]+t[1])/2, fcFloat(100*t.Score()))
	if w.o.fast.penta {
		fmt.Fprintf(&b, "\nPtnml(0-2): %s, WL/DD Ratio: %s", s.penta(), fcFloat(float64(s.winLoss)/float64(s.pairs[2]-s.winLoss)))
	}
	return b.String()
}

// penta lists pairs, lost ones first.
func (s *fcStats) penta() string {
	p := s.pairs
	return fmt.Sprintf("[%d, %d, %d, %d, %d]", p[0], p[1], p[2], p[3], p[4])
}

// conditions are clock, threads, memory and file of openings; NULL for what an engine was
// told nothing of.
func (w *fcWatch) conditions() string {
	each := func(of func(e *ccEngine) string) string {
		a, b := of(&w.o.engines[0]), of(&w.o.engines[1])
		if a == b {
			return a
		}
		return a + " - " + b
	}
	option := func(name, unit string) func(*ccEngine) string {
		return func(e *ccEngine) string {
			for _, x := range e.options {
				if key, value, _ := strings.Cut(x, "="); strings.EqualFold(key, name) {
					return value + unit
				}
			}
			return "NULL"
		}
	}
	list := []string{each(fcLimit), each(option("threads", "t")), each(option("hash", "MB"))}
	if x := w.o.openings; x != nil {
		list = append(list, filepath.Base(x.file))
	}
	return strings.Join(list, ", ")
}

// fcLimit is what an engine may use for its moves.
func fcLimit(e *ccEngine) string {
	switch {
	case !e.tc.infinite:
		return e.tc.String()
	case e.depth > 0:
		return fmt.Sprintf("%d plies", e.depth)
	case e.nodes > 0:
		return fmt.Sprintf("%d nodes", e.nodes)
	}
	return ""
}

// ranks lists more than two engines, the strongest first.
func (w *fcWatch) ranks() string {
	type row struct {
		name string
		s    fcStats
		e    rating.Estimate
	}
	wide := 25
	var rows []row
	for i, name := range w.names {
		wide = max(wide, len(name))
		r := row{name: name}
		for key, s := range w.met {
			if key[0] == i || key[1] == i {
				r.s.add(s, key[1] == i)
			}
		}
		r.e = w.estimate(&r.s)
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.e.Elo, a.e.Elo) }) // NaN is below all
	var b strings.Builder
	fmt.Fprintf(&b, "%-4s %-*s %10s %10s %10s %10s %10s %10s %10s", "Rank", wide, "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score",
		"Draw")
	if !w.o.fast.cutechess {
		fmt.Fprintf(&b, " %20s", "Ptnml(0-2)")
	}
	for i, r := range rows {
		fmt.Fprintf(&b, "\n%4d %-*s %10s %10s %10s %10s %10d %9s%% %9s%%", i+1, wide, r.name, fcFloat(r.e.Elo), fcFloat(r.e.Error),
			fcFloat(r.e.NElo), fcFloat(r.e.NError),
			r.s.games.Games(), cutechess.Float(100*r.s.games.Score(), 'f', 1), cutechess.Float(100*w.draws(&r.s), 'f', 1))
		if w.o.fast.cutechess {
			continue
		}
		text := ""
		if w.o.fast.penta {
			text = r.s.penta()
		}
		fmt.Fprintf(&b, " %20s", text)
	}
	return b.String()
}

// hypotheses are the two of the test.
func (w *fcWatch) hypotheses() string {
	return fmt.Sprintf("[%s, %s]", fcFloat(w.sprt.Test.Elo0), fcFloat(w.sprt.Test.Elo1))
}

// test is how the sequential test stands.
func (w *fcWatch) test() string {
	llr := w.sprt.LLR()
	lower, upper := w.sprt.Bounds()
	share := 100 * llr / upper
	if llr < 0 {
		share = -100 * llr / lower
	}
	if !w.o.fast.cutechess {
		return fmt.Sprintf("LLR: %s (%s%%) (%s, %s) %s", fcFloat(llr), cutechess.Float(share, 'f', 1), fcFloat(lower), fcFloat(upper),
			w.hypotheses())
	}
	verdict := ""
	if d := w.sprt.Decision(); d != rating.Continue {
		verdict = fmt.Sprintf(" - %s was accepted", d)
	}
	return fmt.Sprintf("SPRT: llr %s (%s%%), lbound %s, ubound %s%s", fcFloat(llr), cutechess.Float(math.Abs(share), 'f', 1), fcFloat(lower),
		fcFloat(upper), verdict)
}
