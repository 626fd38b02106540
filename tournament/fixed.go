package tournament

import (
	"math"
	"slices"

	"kibitz/game"
)

// fixed schedules the formats that do not depend on results. It remembers nothing
// but how far it is.
type fixed struct {
	plan  Plan
	next  int
	index int // of the wave
	wave  wave
	top   int   // numbers from here on are free
	late  int   // engines that entered late
	gone  []int // engines that have withdrawn
}

func newFixed(plan Plan) *fixed {
	f := &fixed{plan: plan}
	f.wave = f.at(0)
	f.top = f.Len()
	return f
}

func (f *fixed) waves() int                       { return 0 }
func (f *fixed) advance() bool                    { return false }
func (f *fixed) missing() (int, int)              { return 0, 0 }
func (f *fixed) change(Pairing, game.Result, int) {}
func (f *fixed) hold(int)                         {}
func (f *fixed) withdraw(engine int)              { f.gone = append(f.gone, engine) }
func (f *fixed) meet(int, int)                    {}

// standing is the share of the points: numbers of games differ in a gauntlet, while a
// run goes on, and for who comes late.
func (f *fixed) standing(int) (float64, bool) { return 0, false }

func (f *fixed) mayMeet(int, int) (ok bool, err error) { return false, nil }

func (f *fixed) mayEnter(int) error { return nil }

func (f *fixed) reserve(n int) int {
	f.top += n
	return f.top - n
}

// find returns a game of the plan.
func (f *fixed) find(index int) (Pairing, bool) {
	if index < 0 || index >= f.Len() {
		return Pairing{}, false
	}
	p := &f.plan
	i := index / (p.pairs() * p.Games) // the turn
	if p.Format == Pyramid {
		b := index % (p.pairs() * p.Games) / p.Games
		_, newcomer := triangle(b)
		i = i*(p.Engines-1) + newcomer - 1
	}
	w := f.at(i)
	return p.at(&w, index), true
}

// enter adds games of a newcomer against everyone, in a gauntlet against those who
// run it: as many as any two of them play.
func (f *fixed) enter(int) *block {
	others := f.plan.Engines + f.late
	if f.plan.Format == Gauntlet {
		others = f.plan.Seeds
	}
	newcomer := f.plan.Engines + f.late
	f.late++
	b := &block{games: f.plan.turns() * f.plan.Games, late: true}
	for e := range others {
		if slices.Contains(f.gone, e) {
			continue
		}
		m := [2]int{e, newcomer}
		if (newcomer-e)%2 == 0 {
			m = [2]int{newcomer, e}
		}
		b.matches = append(b.matches, m)
	}
	return b
}

// Len returns the number of games.
func (f *fixed) Len() int { return f.plan.turns() * f.plan.pairs() * f.plan.Games }

// Most is the number of games.
func (f *fixed) Most() int { return f.Len() }

// Record has nothing to do: no game depends on a result.
func (f *fixed) Record(Finished) {}

// Next returns the next game.
func (f *fixed) Next() (Pairing, State) {
	if f.next >= f.Len() {
		return Pairing{}, Over
	}
	if f.next >= f.wave.end() {
		f.index++
		f.wave = f.at(f.index)
	}
	f.next++
	return f.plan.at(&f.wave, f.next-1), Ready
}

// at returns wave number i: a round, or the games of one newcomer of a pyramid.
func (f *fixed) at(i int) wave {
	p := &f.plan
	w := wave{round: i + 1, games: p.Games, matches: p.pairs(), shuffles: p.pairs()}
	pair, turn := triangle, i
	switch p.Format {
	case Gauntlet:
		pair = func(k int) (int, int) { return k % p.Seeds, p.Seeds + k/p.Seeds }
	case Pyramid:
		newcomer := 1 + i%(p.Engines-1)
		turn = i / (p.Engines - 1)
		w.matches, w.pair = newcomer, newcomer*(newcomer-1)/2
		pair = func(k int) (int, int) { return k, newcomer }
	}
	w.before = turn * p.Games
	w.start = w.before*p.pairs() + w.pair*p.Games
	w.match = func(k int) (int, int) {
		a, b := pair(k)
		// Who begins is spread evenly over the pairs, and exchanged from game to
		// game also from round to round.
		if ((b-a)%2 == 0) != (w.before%2 == 1) {
			return b, a
		}
		return a, b
	}
	return w
}

// triangle returns the engines of pair number k: 0-1, 0-2, 1-2, 0-3, …
func triangle(k int) (int, int) {
	b := int((1 + math.Sqrt(float64(8*k+1))) / 2)
	for b*(b-1)/2 > k {
		b--
	}
	for b*(b+1)/2 <= k {
		b++
	}
	return k - b*(b-1)/2, b
}
