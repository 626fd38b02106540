package tournament

import (
	"cmp"
	"maps"
	"slices"

	"kibitz/rating"
)

// Estimate returns how strong an engine is by the games that were played. Of two
// engines it is the difference to the other, from pairs of games where each opening
// is played twice. Of more it is the rating that makes all results likeliest
// (Bradley-Terry), against the mean of the field: a plain score would depend on whom
// an engine met. NElo is NaN in a field.
func (d *Director) Estimate(engine int) rating.Estimate {
	if d.plan.Engines == 2 {
		return d.standings.Difference(engine)
	}
	if d.fitted == nil || d.fittedAt != d.standings.changes || len(d.fitted.Elo) != d.plan.Engines {
		d.fitted, d.fittedAt = rating.Fit(d.plan.Engines, d.duels()), d.standings.changes
	}
	return d.fitted.Estimate(engine, d.standings.Singles(engine))
}

// Count counts a game that another schedule handed out.
func (d *Director) Count(f Finished) {
	d.standings.Add(f)
	if d.counted == nil {
		d.counted = duels{}
	}
	d.counted.add(f)
}

// duels are games by who had which seat.
type duels map[[2]int]rating.Duel

func (s duels) add(f Finished) {
	if f.Unplayed() || f.Result.Points == [2]float64{} {
		return
	}
	key := [2]int{f.Pairing.First, f.Pairing.Second}
	x := s[key]
	x.First, x.Second = key[0], key[1]
	switch f.Result.Points[0] {
	case 1:
		x.Wins++
	case 0:
		x.Losses++
	default:
		x.Draws++
	}
	s[key] = x
}

// duels returns the games that were played in the order of the engines: the last
// digits of a rating depend on it.
func (d *Director) duels() []rating.Duel {
	sums := duels{}
	maps.Copy(sums, d.counted)
	for f := range d.Results {
		sums.add(f)
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b rating.Duel) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}
