package main

import (
	"time"

	"kibitz/rating"
)

// tuiTally is where a run stands between two games.
type tuiTally struct {
	done, of int
	rows     []tuiRow // best first
	sprt     *rating.Standing
	// late is the worst lateness of the referee; the transmission errors are those of
	// plies that a host measured.
	late                time.Duration
	transit, worstError time.Duration
	measured            int
}

// tuiRow is an engine's line in the standings.
type tuiRow struct {
	rank                int
	name                string
	points              float64
	wins, draws, losses int
	elo, err            float64
}

// tuiTally returns where the run stands. It is called between two games.
func (r *matchRun) tuiTally() tuiTally {
	t := tuiTally{
		done: r.standings.Games(), of: r.director.Len(), late: r.totals.late,
		transit: r.totals.transit.mean(), worstError: r.totals.transit.worst, measured: r.totals.transit.plies,
	}
	if r.sprt != nil {
		t.sprt = rating.NewStanding(r.sprt, r.names[0])
	}
	for _, row := range r.director.Ranking(r.breaks) {
		t.rows = append(t.rows, r.tuiRow(row.Engine, row.Rank, row.Points))
	}
	return t
}

func (r *matchRun) tuiRow(engine, rank int, points float64) tuiRow {
	e, est := r.standings.Entry(engine), r.director.Estimate(engine)
	return tuiRow{
		rank: rank, name: clean(r.names[engine]), points: points, wins: e.Wins, draws: e.Draws, losses: e.Losses, elo: est.Elo, err: est.Error,
	}
}
