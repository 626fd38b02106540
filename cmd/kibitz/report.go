package main

import (
	"fmt"
	"math"
	"strings"

	"kibitz/rating"
	"kibitz/tournament"
)

// gameLine is one finished game as --json prints it.
type gameLine struct {
	Type    string      `json:"type"`
	ID      string      `json:"id"`
	Game    string      `json:"game"`
	Round   int         `json:"round"`
	Pair    int         `json:"pair"`
	First   string      `json:"first"`
	Second  string      `json:"second"`
	Winner  *string     `json:"winner"`
	Score   [2]float64  `json:"score"`
	Board   *[2]float64 `json:"board"`
	Reason  string      `json:"reason"`
	Detail  string      `json:"detail"`
	Plies   int         `json:"plies"`
	Seconds [2]float64  `json:"seconds"`
	Opening string      `json:"opening"`
	// CPU is processor seconds of the seats' processes, Memory their peaks in bytes;
	// null where nobody can tell.
	CPU    [2]*float64 `json:"cpu"`
	Memory [2]*int64   `json:"memory"`
}

// summaryLine ends the output of --json and is the run's summary.json.
type summaryLine struct {
	Type    string           `json:"type"`
	Engines []engineLine     `json:"engines"`
	SPRT    *rating.Standing `json:"sprt"`
	Games   int              `json:"games"`
	Seconds float64          `json:"seconds"`
	Extra   *summaryExtra    `json:"extra,omitempty"`
}

// summaryExtra is what a summary tells beyond the contract.
type summaryExtra struct {
	Distinct    int     `json:"distinct_games"`
	Plies       int     `json:"plies"`
	WorstLateMS float64 `json:"worst_referee_lateness_ms"`
	Warnings    int     `json:"warnings"`
	Unfinished  int     `json:"unfinished"`
	// Starved are the games that engines lost on time by waiting for a processor.
	Starved []starvedLine `json:"starved,omitempty"`
	// The transmission errors are microseconds, the mean of a ply and the worst.
	TransmissionMeanUS  float64 `json:"transmission_error_mean_us"`
	TransmissionWorstUS float64 `json:"transmission_error_worst_us"`
	// WallPerMove and ProcessorPerMove are microseconds of the whole run and of
	// Kibitz's own processor time, PeakMiB its largest resident size.
	WallPerMove      float64 `json:"wall_us_per_move"`
	ProcessorPerMove float64 `json:"processor_us_per_move"`
	PeakMiB          float64 `json:"peak_mib"`
	// Ranking is how everyone stands in the order of the format, the first first.
	Ranking []rankLine `json:"ranking"`
}

// rankLine is one place of a ranking; those whom nothing parts share a rank. Rank is
// 0 for an engine whose games were annulled. Points are those of byes among them,
// Share is points for each game, null without any.
type rankLine struct {
	Name   string   `json:"name"`
	Rank   int      `json:"rank"`
	Points float64  `json:"points"`
	Share  *float64 `json:"share"`
}

type engineLine struct {
	Name     string   `json:"name"`
	Games    int      `json:"games"`
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    float64  `json:"score"`
	Elo      *float64 `json:"elo"`
	Error    *float64 `json:"error"`
	Crashes  int      `json:"crashes"`
	Timeouts int      `json:"timeouts"`
	Illegal  int      `json:"illegal"`
	// CPU is processor seconds a game, Memory the highest peak of one in bytes; null
	// where nobody can tell.
	CPU    *float64 `json:"cpu_per_game"`
	Memory *int64   `json:"memory_peak"`
	// Starts are forfeits by an engine that never became ready, Other those by silence,
	// a breach of the protocol or of a limit.
	Starts int `json:"starts"`
	Other  int `json:"other"`
	// LOS is the likelihood of being better than the other engine, or than the mean of
	// the field.
	LOS *float64 `json:"los"`
	// What follows is of two engines, null in a field: normalized Elo with its error;
	// the counts of pairs (LL, LD, even, WD, WW), absent where openings are not played
	// twice; the share of draws, or of even pairs; wins for each loss, or pairs won for
	// each lost.
	NElo        *float64  `json:"nelo"`
	NError      *float64  `json:"nelo_error"`
	Pentanomial []float64 `json:"pentanomial,omitempty"`
	DrawRatio   *float64  `json:"draw_ratio"`
	Ratio       *float64  `json:"win_ratio"`
}

// engineLine is what the run knows of an engine.
func (r *matchRun) engineLine(i int) engineLine {
	e, est, use := r.standings.Entry(i), r.director.Estimate(i), r.totals.used[i]
	line := engineLine{
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
