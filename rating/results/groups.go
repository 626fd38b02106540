package results

import "kibitz/rating"

// Group is what games are grouped by to find results that ratings do not explain.
type Group string

// The kinds of groups. Openings and seats are counted for the first seat, pairs of players
// for the one named first in the records, hosts for the player whom the results favour:
// games that went wrong pull it down.
const (
	ByOpening Group = "opening"
	BySeat    Group = "seat"
	ByPair    Group = "pair"
	ByHost    Group = "host"
)

// Groups returns all kinds.
func Groups() []Group { return []Group{ByOpening, BySeat, ByPair, ByHost} }

// numbered are names with their numbers, in the order in which they came.
type numbered struct {
	names []string
	index map[string]int
}

// number returns the number of a name, a new one if need be.
func (g *numbered) number(name string) int {
	i, ok := g.index[name]
	if !ok {
		i = len(g.names)
		g.index[name] = i
		g.names = append(g.names, name)
	}
	return i
}

// Observed are the games by group, and the names of the groups. Games whose record does
// not say their group have the number -1.
func (p *Pool) Observed(by Group) (out []rating.Observed, names []string) {
	all := numbered{index: map[string]int{}}
	out = make([]rating.Observed, len(p.games))
	strength := map[[2]int]float64{}
	if by == ByHost {
		for _, g := range p.games {
			strength[[2]int{g.first, g.second}] += g.score - 0.5
			strength[[2]int{g.second, g.first}] -= g.score - 0.5
		}
	}
	for i, g := range p.games {
		o := rating.Observed{First: g.first, Second: g.second, Score: g.score, Group: -1, Pair: g.couple}
		switch by {
		case ByOpening:
			if g.opening != "" {
				o.Group = all.number(g.opening)
			}
			o.Pair = 0
		case BySeat:
			o.Group, o.Pair = all.number(p.names[g.first]+" first"), 0
		case ByPair:
			low, high := min(g.first, g.second), max(g.first, g.second)
			o.Group, o.ForSecond = all.number(p.names[low]+" - "+p.names[high]), g.second == low
		case ByHost:
			if g.host != "" {
				o.Group = all.number(g.host)
			}
			d := strength[[2]int{g.first, g.second}]
			o.ForSecond = d < 0 || d == 0 && g.second < g.first
		}
		out[i] = o
	}
	return out, all.names
}
