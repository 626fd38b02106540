package fastchess

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/rating"
	"kibitz/run/compat"
	"kibitz/run/compat/cutechess"
)

// stats are results: losses, draws and wins of games; pairs by half points; and those of even
// pairs that are a win and a loss.
type stats struct {
	games   compat.Tally
	pairs   [5]int
	winLoss int
}

func (s *stats) add(t *stats, inverted bool) {
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

func (w *watch) scoreLine(key [2]int) string {
	return fmt.Sprintf("Score of %s vs %s: %v", w.Names[key[0]], w.Names[key[1]], w.met[key].games)
}

// interval prints how the run stands.
func (w *watch) interval(key [2]int) {
	const rule = "--------------------------------------------------"
	var text string
	switch {
	case len(w.Names) > 2:
		text = w.ranks()
	case w.o.Cutechess:
		s := w.met[key]
		e := w.estimate(s)
		text = fmt.Sprintf("Elo difference: %s +/- %s, LOS: %s %%, DrawRatio: %s %%", float(e.Elo), float(e.Error), float(100*e.LOS),
			float(100*w.draws(s)))
	default:
		text = w.duel(key)
	}
	if w.Test != nil {
		text += "\n" + w.test()
	}
	if !w.o.Cutechess {
		text = rule + "\n" + text + "\n" + rule
	}
	w.Say("%s", text)
}

func float(x float64) string { return compat.Float(x, 'f', 2) }

// counts are the outcomes that statistics are made of.
func (w *watch) counts(s *stats) rating.Counts {
	if p := s.pairs; w.o.Penta {
		return rating.Pentanomial(p[0], p[1], p[2], p[3], p[4])
	}
	return rating.Trinomial(s.games[0], s.games[1], s.games[2])
}

func (w *watch) estimate(s *stats) rating.Estimate {
	return w.counts(s).EstimateBy(rating.FastchessWay)
}

func (w *watch) draws(s *stats) float64 { return w.counts(s).DrawRatio() }

// duel is how two engines stand, as the first one sees it.
func (w *watch) duel(key [2]int) string {
	s := w.met[key]
	e := w.estimate(s)
	var b strings.Builder
	fmt.Fprintf(&b, "Results of %s vs %s (%s):\n", w.Names[key[0]], w.Names[key[1]], w.conditions())
	fmt.Fprintf(&b, "Elo: %s +/- %s, nElo: %s +/- %s\n", float(e.Elo), float(e.Error), float(e.NElo), float(e.NError))
	fmt.Fprintf(&b, "LOS: %s %%, DrawRatio: %s %%", float(100*e.LOS), float(100*w.draws(s)))
	if w.o.Penta {
		fmt.Fprintf(&b, ", PairsRatio: %s", float(w.counts(s).Ratio()))
	}
	t := s.games
	fmt.Fprintf(&b, "\nGames: %d, Wins: %d, Losses: %d, Draws: %d, Points: %.1f (%s %%)", t.Games(), t[2], t[0], t[1],
		t.Points(), float(100*t.Score()))
	if w.o.Penta {
		fmt.Fprintf(&b, "\nPtnml(0-2): %s, WL/DD Ratio: %s", s.penta(), float(float64(s.winLoss)/float64(s.pairs[2]-s.winLoss)))
	}
	return b.String()
}

// penta lists pairs, lost ones first.
func (s *stats) penta() string {
	p := s.pairs
	return fmt.Sprintf("[%d, %d, %d, %d, %d]", p[0], p[1], p[2], p[3], p[4])
}

// conditions are clock, threads, memory and file of openings; NULL for what an engine was
// told nothing of.
func (w *watch) conditions() string {
	each := func(of func(e *cutechess.Engine) string) string {
		a, b := of(&w.o.Engines[0]), of(&w.o.Engines[1])
		if a == b {
			return a
		}
		return a + " - " + b
	}
	option := func(name, unit string) func(*cutechess.Engine) string {
		return func(e *cutechess.Engine) string {
			for _, x := range e.Options {
				if key, value, _ := strings.Cut(x, "="); strings.EqualFold(key, name) {
					return value + unit
				}
			}
			return "NULL"
		}
	}
	list := []string{each(limit), each(option("threads", "t")), each(option("hash", "MB"))}
	if x := w.o.Run.Openings; x != nil {
		list = append(list, filepath.Base(x.File))
	}
	return strings.Join(list, ", ")
}

// limit is what an engine may use for its moves.
func limit(e *cutechess.Engine) string {
	switch {
	case !e.TC.Infinite:
		return e.TC.String()
	case e.Depth > 0:
		return fmt.Sprintf("%d plies", e.Depth)
	case e.Nodes > 0:
		return fmt.Sprintf("%d nodes", e.Nodes)
	}
	return ""
}

// ranks lists more than two engines, the strongest first.
func (w *watch) ranks() string {
	type row struct {
		name string
		s    stats
		e    rating.Estimate
	}
	wide := 25
	var rows []row
	for i, name := range w.Names {
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
	if !w.o.Cutechess {
		fmt.Fprintf(&b, " %20s", "Ptnml(0-2)")
	}
	for i, r := range rows {
		fmt.Fprintf(&b, "\n%4d %-*s %10s %10s %10s %10s %10d %9s%% %9s%%", i+1, wide, r.name, float(r.e.Elo), float(r.e.Error),
			float(r.e.NElo), float(r.e.NError), r.s.games.Games(), compat.Float(100*r.s.games.Score(), 'f', 1),
			compat.Float(100*w.draws(&r.s), 'f', 1))
		if w.o.Cutechess {
			continue
		}
		text := ""
		if w.o.Penta {
			text = r.s.penta()
		}
		fmt.Fprintf(&b, " %20s", text)
	}
	return b.String()
}

// hypotheses are the two of the test.
func (w *watch) hypotheses() string {
	return fmt.Sprintf("[%s, %s]", float(w.Test.Test.Elo0), float(w.Test.Test.Elo1))
}

// test is how the sequential test stands.
func (w *watch) test() string {
	llr := w.Test.LLR()
	lower, upper := w.Test.Bounds()
	share := 100 * llr / upper
	if llr < 0 {
		share = -100 * llr / lower
	}
	if !w.o.Cutechess {
		return fmt.Sprintf("LLR: %s (%s%%) (%s, %s) %s", float(llr), compat.Float(share, 'f', 1), float(lower), float(upper),
			w.hypotheses())
	}
	return fmt.Sprintf("SPRT: llr %s (%s%%), lbound %s, ubound %s%s", float(llr), compat.Float(math.Abs(share), 'f', 1), float(lower),
		float(upper), compat.Decided(w.Test, " - ", " was accepted"))
}
