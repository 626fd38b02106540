package gogui

import (
	"kibitz/run/compat"
	"kibitz/tournament"
)

// plan numbers the games as gogui-twogtp does: those that the table has are left out. It is a
// schedule.
type plan struct {
	compat.Counter
	o        *Options
	openings int
	has      map[int]bool
	games    int // how many are played, where there is an end
	next     int
	issued   int
}

// newPlan returns the schedule of the games that a table lacks.
func newPlan(o *Options, table *Table, openings int, count compat.Counter) *plan {
	p := &plan{Counter: count, o: o, openings: openings, has: map[int]bool{}, games: o.Games}
	for i := range table.Games {
		n := table.Games[i].Number
		if !p.has[n] && n < o.Games {
			p.games--
		}
		p.has[n] = true
	}
	return p
}

// Next returns the next game.
func (p *plan) Next() (tournament.Pairing, tournament.State) {
	for p.has[p.next] {
		p.next++
	}
	if p.o.Games > 0 && p.next >= p.o.Games {
		return tournament.Pairing{}, tournament.Over
	}
	i := p.next
	p.next++
	p.issued++
	g := tournament.Pairing{Index: i, Round: 1, Pair: 1, Second: 1, Opening: -1, Shuffle: i}
	at := i
	if p.o.Alternate {
		g.First, g.Second, at = i%2, 1-i%2, i/2
	}
	if p.openings > 0 {
		g.Opening = at % p.openings
	}
	return g, tournament.Ready
}

// Len is how many games are played; those of a run without end as far as they have begun.
func (p *plan) Len() int {
	if p.o.Games == 0 {
		return p.issued
	}
	return p.games
}

// Most is how many numbers there may be.
func (p *plan) Most() int {
	if p.o.Games == 0 {
		return 1_000_000
	}
	return p.o.Games
}
