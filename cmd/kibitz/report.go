package main

import (
	"fmt"
	"math"
	"strings"

	"kibitz/rating"
	"kibitz/run/result"
	"kibitz/tournament"
)

// engineLine is what the run knows of an engine.
func (r *matchRun) engineLine(i int) result.Engine {
	e, est, use := r.standings.Entry(i), r.director.Estimate(i), r.totals.used[i]
	line := result.Engine{
		CPU: use.mean(), Memory: use.peak(), Name: r.names[i], Games: e.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses, Score: e.Points,
		Elo: finite(est.Elo), Error: finite(est.Error), Crashes: e.Crashes, Timeouts: e.Timeouts, Illegal: e.Illegal, Starts: e.Starts,
		Other: e.Other,
		LOS:   ratio(est.LOS),
	}
	if len(r.names) == 2 {
		c, pairs := r.counts(i)
		line.NElo, line.NError, line.DrawRatio, line.Ratio = finite(est.NElo), finite(est.NError), ratio(c.DrawRatio()), ratio(c.Ratio())
		if pairs {
			line.Pentanomial = c.N
		}
	}
	return line
}

// counts returns an engine's pairs of games, or its single games where openings are
// not played twice.
func (r *matchRun) counts(i int) (_ rating.Counts, pairs bool) {
	if c, ok := r.standings.Pairs(i); ok && c.Total() > 0 {
		return c, true
	}
	return r.standings.Singles(i), false
}

// ratio is a share as JSON holds it, nil where there is none.
func ratio(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = math.Round(x*1e4) / 1e4
	return &x
}

// finite returns nil for what JSON cannot hold: no games, or all games won.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = rating.Unsigned(math.Round(x*10) / 10)
	return &x
}

func rounded(x float64) float64 { return math.Round(x*100) / 100 }

func forfeits(e tournament.Entry) string {
	var out []string
	for _, x := range []struct {
		n    int
		what string
	}{{e.Crashes, "crash"}, {e.Timeouts, "time"}, {e.Illegal, "illegal"}, {e.Starts, "start"}, {e.Other, "other"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}
