package tournament

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// TieBreak orders engines of equal points.
type TieBreak string

// The tie-breaks. Points are as they count in the tournament, those of byes among
// them; a meeting has as many games as two engines play whenever they meet.
const (
	// Direct: points won from those who are still equal, if all of them have met.
	Direct TieBreak = "direct"
	// SonnebornBerger: the points of all opponents, each times the share of the games
	// of a meeting won from it, a draw being half.
	SonnebornBerger TieBreak = "sb"
	// Buchholz: the points of all opponents, once for each meeting.
	Buchholz TieBreak = "buchholz"
	// Median: Buchholz without the highest and the lowest opponent, 0 if there are
	// no others.
	Median TieBreak = "median"
	// Wins: games won, without those that were not played.
	Wins TieBreak = "wins"
	// Ratio: games won for each game lost.
	Ratio TieBreak = "ratio"
	// Koya: points won from those who made at least half of the points that they
	// could make.
	Koya TieBreak = "koya"
)

// TieBreaks returns all tie-breaks.
func TieBreaks() []TieBreak {
	return []TieBreak{Direct, SonnebornBerger, Buchholz, Median, Wins, Ratio, Koya}
}

// DefaultTieBreaks returns those of a format if nobody says: in a Swiss Buchholz,
// median, Sonneborn-Berger and the direct encounter; none in a knockout, where those
// who lost in one round share a rank, and on a ladder; else the direct encounter,
// Sonneborn-Berger and wins.
func DefaultTieBreaks(f Format) []TieBreak {
	switch f {
	case SwissSystem:
		return []TieBreak{Buchholz, Median, SonnebornBerger, Direct}
	case KnockoutSystem, LadderSystem:
		return nil
	}
	return []TieBreak{Direct, SonnebornBerger, Wins}
}

// ParseTieBreaks reads a list like "direct,sb,wins": the first decides first. Errors
// name --tiebreaks.
func ParseTieBreaks(text string) ([]TieBreak, error) {
	var out []TieBreak
	for w := range strings.SplitSeq(text, ",") {
		b := TieBreak(strings.TrimSpace(w))
		switch {
		case !slices.Contains(TieBreaks(), b):
			return nil, &Fault{"tiebreaks", text, fmt.Sprintf("%q is unknown; known are %s", b, strings.Trim(fmt.Sprint(TieBreaks()), "[]"))}
		case slices.Contains(out, b):
			return nil, &Fault{"tiebreaks", text, fmt.Sprintf("%s is there twice", b)}
		}
		out = append(out, b)
	}
	return out, nil
}

// Row is how an engine stands.
type Row struct {
	Engine int
	// Rank counts from 1; those whom no tie-break parts share one. Engines whose
	// games were annulled are out of the ranking: they come last and have rank 0.
	Rank   int
	Points float64
	// Share is Points for each game counted, byes of a Swiss as the games that they
	// stand for; NaN without any.
	Share float64
	// Values are those of the tie-breaks, in their order. That of the direct encounter
	// is NaN where it was not asked or not all have met.
	Values []float64
}

// cross is what engines won from each other.
type cross struct {
	d *Director
	// points are all, won those from single opponents, share wins and half draws,
	// games how many.
	points             []float64
	won, share, played []map[int]float64
	swiss              map[int]SwissRow
}

// Ranking returns the engines in the order that the format means, the first first:
// by points in a Swiss, by the round reached in a knockout, by place on a ladder, else
// by points for each game, which are the points where all have played as many. Those
// who stand equal are parted by tie-breaks.
func (d *Director) Ranking(order []TieBreak) []Row {
	c := d.cross()
	rows := make([]Row, d.plan.Engines)
	standing := make([]float64, len(rows))
	for e := range rows {
		rows[e] = Row{Engine: e, Points: c.points[e], Share: c.shareOf(e), Values: make([]float64, len(order))}
		for i, b := range order {
			rows[e].Values[i] = c.value(b, e)
		}
		standing[e] = d.standing(&rows[e])
	}
	compare := func(a, b Row) int { return cmp.Compare(standing[b.Engine], standing[a.Engine]) }
	slices.SortStableFunc(rows, compare)
	c.rank(rows, 1, order, 0, func(a, b Row) bool { return compare(a, b) == 0 })
	for i := range rows {
		if d.rulings.gone[rows[i].Engine] == annulled {
			rows[i].Rank = 0
		}
	}
	return rows
}

// standing is what an engine is ranked by before tie-breaks, higher is better.
func (d *Director) standing(r *Row) float64 {
	if d.rulings.gone[r.Engine] == annulled {
		return math.Inf(-1)
	}
	if x, ok := d.core.standing(r.Engine); ok {
		return x
	}
	if math.IsNaN(r.Share) {
		return -1 // below who has lost all
	}
	return r.Share
}

// shareOf is an engine's points for each game.
func (c *cross) shareOf(engine int) float64 {
	games := float64(c.d.standings.Entry(engine).Games)
	if r, ok := c.swiss[engine]; ok && c.d.standings.points.Win > 0 {
		games += r.ByePoints / c.d.standings.points.Win
	}
	if games == 0 {
		return math.NaN()
	}
	return exact(c.points[engine] / games)
}

func (d *Director) cross() *cross {
	n := d.plan.Engines
	c := &cross{d: d, points: make([]float64, n), won: tables(n), share: tables(n), played: tables(n), swiss: map[int]SwissRow{}}
	for e := range n {
		c.points[e] = d.standings.Entry(e).Points
	}
	if s, ok := d.core.(*Swiss); ok {
		for _, r := range s.Table() {
			c.swiss[r.Engine] = r
			c.points[r.Engine] = r.Points
		}
	}
	w := d.standings.points
	for f := range d.Results {
		e := [2]int{f.Pairing.First, f.Pairing.Second}
		for seat := range e {
			x := f.Result.Points[seat]
			worth := map[float64]float64{0: w.Loss, 0.5: w.Draw, 1: w.Win}[x]
			c.won[e[seat]][e[1-seat]] += worth
			c.share[e[seat]][e[1-seat]] += x
			c.played[e[seat]][e[1-seat]]++
		}
	}
	return c
}

func tables(n int) []map[int]float64 {
	out := make([]map[int]float64, n)
	for i := range out {
		out[i] = map[int]float64{}
	}
	return out
}

// value is a tie-break of an engine, NaN for the direct encounter.
func (c *cross) value(b TieBreak, engine int) float64 {
	entry := c.d.standings.Entry(engine)
	row, swiss := c.swiss[engine]
	per := 1 / float64(c.d.plan.Games)
	switch b {
	case SonnebornBerger:
		if swiss {
			return row.SonnebornBerger
		}
		return c.sum(engine, func(o int) float64 { return c.points[o] * c.share[engine][o] * per })
	case Buchholz, Median:
		if swiss {
			return map[TieBreak]float64{Buchholz: row.Buchholz, Median: row.Median}[b]
		}
		return c.buchholz(engine, b == Median)
	case Wins:
		return float64(entry.Wins - entry.WonUnplayed)
	case Ratio:
		if entry.Wins == 0 {
			return 0
		}
		return float64(entry.Wins) / float64(entry.Losses)
	case Koya:
		return c.sum(engine, func(o int) float64 {
			other := c.d.standings.Entry(o)
			if 2*other.Points < float64(other.Games)*c.d.standings.points.Win {
				return 0
			}
			return c.won[engine][o]
		})
	}
	return math.NaN()
}

// sum adds over opponents, in the order of their numbers.
func (c *cross) sum(engine int, of func(opponent int) float64) float64 {
	total := 0.0
	for o := range c.points {
		if c.played[engine][o] > 0 {
			total += of(o)
		}
	}
	return exact(total)
}

// buchholz is the points of the opponents, once for each meeting.
func (c *cross) buchholz(engine int, median bool) float64 {
	low, high, n := math.Inf(1), math.Inf(-1), 0
	total := c.sum(engine, func(o int) float64 {
		x := c.points[o] * c.played[engine][o] / float64(c.d.plan.Games)
		low, high = min(low, x), max(high, x)
		n++
		return x
	})
	switch {
	case !median:
		return total
	case n < 3:
		return 0
	}
	return exact(total - low - high)
}

// rank parts those who are the same by the tie-breaks from number at on; rank is that
// of the first.
func (c *cross) rank(rows []Row, rank int, order []TieBreak, at int, same func(a, b Row) bool) {
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && same(rows[i], rows[end]) {
			end++
		}
		group := rows[i:end]
		for k := range group {
			group[k].Rank = rank + i
		}
		if at < len(order) && len(group) > 1 {
			if order[at] == Direct {
				c.direct(group, at)
			}
			slices.SortStableFunc(group, func(a, b Row) int { return cmp.Compare(b.Values[at], a.Values[at]) })
			c.rank(group, rank+i, order, at+1, func(a, b Row) bool { return cmp.Compare(a.Values[at], b.Values[at]) == 0 })
		}
		i = end
	}
}

// direct sets what engines won from each other, if all of them have met.
func (c *cross) direct(rows []Row, at int) {
	for i, a := range rows {
		for _, b := range rows[:i] {
			if c.played[a.Engine][b.Engine] == 0 {
				return
			}
		}
	}
	for i := range rows {
		rows[i].Values[at] = 0
		for _, b := range rows {
			rows[i].Values[at] += c.won[rows[i].Engine][b.Engine]
		}
		rows[i].Values[at] = exact(rows[i].Values[at])
	}
}
