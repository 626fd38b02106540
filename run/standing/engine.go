package standing

import (
	"math"

	"kibitz/rating"
	"kibitz/run/result"
)

// engine is what the run knows of an engine.
func (s *Standing) engine(i int) result.Engine {
	e, est, use := s.Table().Entry(i), s.Director.Estimate(i), s.Totals.Used[i]
	line := result.Engine{
		CPU: use.Mean(), Memory: use.Peak(), Name: s.Names[i], Games: e.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses, Score: e.Points,
		Elo: finite(est.Elo), Error: finite(est.Error), Crashes: e.Crashes, Timeouts: e.Timeouts, Illegal: e.Illegal, Starts: e.Starts,
		Other: e.Other,
		LOS:   ratio(est.LOS),
	}
	if len(s.Names) == 2 {
		c, pairs := s.Counts(i)
		line.NElo, line.NError, line.DrawRatio, line.Ratio = finite(est.NElo), finite(est.NError), ratio(c.DrawRatio()), ratio(c.Ratio())
		if pairs {
			line.Pentanomial = c.N
		}
	}
	return line
}

// Counts returns an engine's pairs of games, or its single games where openings are
// not played twice.
func (s *Standing) Counts(i int) (_ rating.Counts, pairs bool) {
	if c, ok := s.Table().Pairs(i); ok && c.Total() > 0 {
		return c, true
	}
	return s.Table().Singles(i), false
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
