package cgomoku

import (
	"fmt"
	"os"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/opening"
	"kibitz/record"
	"kibitz/rules"
	"kibitz/run/compat"
	"kibitz/tournament"
)

// plan hands out the games in the order of c-gomoku-cli.
type plan struct {
	compat.Schedule
	jobs  []job
	games []tournament.Pairing
}

// job is a game as c-gomoku-cli numbers it.
type job struct {
	engines     [2]int // the pair; the first begins unless reverse
	reverse     bool
	round, game int // from 0
}

// plan makes the schedule from the openings of the file, and puts into the run those that
// are played. The order of openings depends on the seed.
func (o *Options) plan(s *compat.Start, base []opening.Opening, seed uint64) (*plan, error) {
	order := compat.Order(len(base), false, nil)
	if o.random {
		shuffle(order, seed)
	}
	p := &plan{jobs: o.jobs()}
	p.Schedule = compat.Schedule{Counter: s.Count, Games: len(p.jobs), At: func(i int) tournament.Pairing { return p.games[i] }}
	placed := map[[2]int]int{} // opening by its number and pass
	for i := range p.jobs {
		j := &p.jobs[i]
		g := tournament.Pairing{Index: i, Round: j.round + 1, Pair: 1, Opening: -1, Shuffle: i}
		stones := 0
		if len(base) > 0 {
			k := i
			if o.repeat {
				k /= 2
			}
			pass := 0 // how often all openings have been played
			if o.transform {
				pass = k / len(base) % 8
			}
			key := [2]int{order[k%len(base)], pass}
			at, ok := placed[key]
			if !ok {
				at = len(s.Openings)
				placed[key] = at
				s.Openings = append(s.Openings, turned(base[key[0]], o.size, pass))
			}
			g.Opening, stones = at, len(s.Openings[at].Steps)
		}
		first := 0 // of the pair, who has the black stones
		if j.reverse != (stones%2 == 1) {
			first = 1
		}
		g.First, g.Second = j.engines[first], j.engines[1-first]
		p.games = append(p.games, g)
		if o.drawAfter > 0 && stones >= o.drawAfter {
			return nil, fmt.Errorf("-drawafter %d: an opening has %d stones", o.drawAfter, stones)
		}
	}
	return p, nil
}

func (o *Options) jobs() []job {
	n := len(o.engines)
	last := n - 1
	if o.gauntlet {
		last = 1
	}
	var out []job
	for round := range o.rounds {
		added := 0
		for a := range last {
			for b := a + 1; b < n; b++ {
				for g := range o.games {
					out = append(out, job{engines: [2]int{a, b}, reverse: g%2 == 1, round: round, game: added})
					added++
				}
			}
		}
	}
	return out
}

// shuffle orders openings as c-gomoku-cli does: SplitMix64 by the seed, swaps from the end.
func shuffle(order []int, seed uint64) {
	for i := len(order) - 1; i > 0; i-- {
		j := splitMix(&seed) % uint64(i+1)
		order[i], order[j] = order[j], order[i]
	}
}

// splitMix is SplitMix64 (Steele, Lea and Flood 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// turned is an opening in another place of the board, that of one of the eight passes.
func turned(o opening.Opening, size, pass int) opening.Opening {
	way := grid.Symmetries(size, size)[[8]int{0, 6, 3, 5, 2, 1, 4, 7}[pass]]
	steps := slices.Clone(o.Steps)
	for i := range steps {
		if steps[i].Op == game.Place {
			steps[i].To = way(steps[i].To)
		}
	}
	o.Steps = steps
	return o
}

// readOpenings reads the openings in the type that is named.
func (o *Options) readOpenings(env *compat.Env, r rules.Rules) ([]opening.Opening, error) {
	if o.openings == "" {
		return nil, nil
	}
	data, err := os.ReadFile(o.openings)
	if err != nil {
		return nil, fmt.Errorf("-openings: %w", err)
	}
	read := func(data []byte, f func(*record.Game) error) error {
		return env.Openings.Records(o.openings, data, r.Spec(), o.kind(), f)
	}
	list, err := env.Openings.ReadBy(o.openings, data, read, r, 0)
	if err != nil {
		return nil, fmt.Errorf("-openings: %w", err)
	}
	return list, nil
}
