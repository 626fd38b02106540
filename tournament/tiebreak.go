package tournament

import (
	"cmp"
	"math"
	"slices"
)

// SwissRow is how an engine stands in a Swiss.
type SwissRow struct {
	Engine int
	// Rank counts from 1. Those whom no tie-break parts share a rank.
	Rank int
	// Points includes those of byes.
	Points float64
	Byes   int
	// ByePoints are those of byes, also of those of half a match.
	ByePoints float64
	// Buchholz is the sum of the opponents' points, Median the same without the
	// highest and the lowest.
	Buchholz, Median float64
	// SonnebornBerger is the sum of the opponents' points, each times the share
	// of the games won from it, a draw being half.
	SonnebornBerger float64
	// Direct is the points won from those with whom all of the above is shared,
	// if all of them have met each other.
	Direct float64
}

// Table returns the standing after the games that are over, the first first. Ties
// are broken by Buchholz, median Buchholz, Sonneborn-Berger and the direct
// encounter. A bye counts as a match won against one with the engine's own points,
// as the handbook of FIDE has it for rounds that were not played (C.07).
func (s *Swiss) Table() []SwissRow {
	rows := make([]SwissRow, len(s.players))
	for e := range s.players {
		rows[e] = s.row(e)
	}
	slices.SortStableFunc(rows, byTieBreaks)
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && byTieBreaks(rows[i], rows[end]) == 0 {
			end++
		}
		s.direct(rows[i:end])
		for k := i; k < end; k++ {
			rows[k].Rank = k + 1
			if k > i && rows[k].Direct == rows[k-1].Direct {
				rows[k].Rank = rows[k-1].Rank
			}
		}
		i = end
	}
	return rows
}

func byTieBreaks(a, b SwissRow) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Buchholz, a.Buchholz), cmp.Compare(b.Median, a.Median),
		cmp.Compare(b.SonnebornBerger, a.SonnebornBerger))
}

func (s *Swiss) row(engine int) SwissRow {
	p := &s.players[engine]
	r := SwissRow{
		Engine: engine, Points: p.score, Byes: p.byes,
		ByePoints: exact((float64(p.byes) + float64(p.half)/2) * s.ByeValue()),
	}
	var lowest, highest float64
	count := 0
	meet := func(points, share float64) {
		r.Buchholz += points
		r.SonnebornBerger += points * share
		if count == 0 || points < lowest {
			lowest = points
		}
		if count == 0 || points > highest {
			highest = points
		}
		count++
	}
	for _, m := range p.met {
		meet(s.players[m.opponent].score, (float64(m.won)+float64(m.drawn)/2)/float64(s.plan.Games))
	}
	for range p.byes {
		meet(p.score, 1)
	}
	for range p.half {
		meet(p.score, 0.5)
	}
	if count > 2 {
		r.Median = r.Buchholz - lowest - highest
	}
	r.Buchholz, r.Median, r.SonnebornBerger = exact(r.Buchholz), exact(r.Median), exact(r.SonnebornBerger)
	return r
}

// exact takes away what sums of fractions differ by when they are added in another
// order: equal points must be equal.
func exact(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// direct sorts those who share everything else by what they won from each other.
func (s *Swiss) direct(rows []SwissRow) {
	if len(rows) < 2 {
		return
	}
	for i, a := range rows {
		for _, b := range rows[:i] {
			if s.times[a.Engine+1][b.Engine+1] == 0 {
				return
			}
		}
	}
	among := map[int]bool{}
	for _, r := range rows {
		among[r.Engine] = true
	}
	for i := range rows {
		for _, m := range s.players[rows[i].Engine].met {
			if among[m.opponent] {
				rows[i].Direct = exact(rows[i].Direct + s.value(m))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b SwissRow) int { return cmp.Compare(b.Direct, a.Direct) })
}
