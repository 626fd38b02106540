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
	f := &d.fit
	if f.ratings == nil || f.at != d.standings.changes || len(f.ratings.Elo) != d.plan.Engines {
		sums := duels{}
		maps.Copy(sums, f.counted)
		for g := range d.Results {
			sums.add(g)
		}
		f.ratings, f.at = rating.Fit(d.plan.Engines, sums.list()), d.standings.changes
	}
	return f.ratings.Estimate(engine, d.standings.Singles(engine))
}

// fit is the ratings of the field after so many changes of the standings.
type fit struct {
	counted duels // games that another schedule handed out
	ratings *rating.Ratings
	at      int
}

// Count counts a game that another schedule handed out.
func (d *Director) Count(f Finished) {
	d.standings.Add(f)
	if d.fit.counted == nil {
		d.fit.counted = duels{}
	}
	d.fit.counted.add(f)
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

// list returns the games in the order of the engines: the last digits of a rating depend
// on it.
func (s duels) list() []rating.Duel {
	return slices.SortedFunc(maps.Values(s), func(a, b rating.Duel) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}
