package tournament

import (
	"slices"
	"sort"

	"kibitz/game"
)

// meetings plays one wave after another: the games of a wave are started as there
// is room, and the next wave is known when all of them are over. It is what the
// formats that depend on results share.
type meetings struct {
	plan Plan
	// wave is the current one, list who plays in it, past those before if keep.
	wave  wave
	list  []seats
	past  []pastWave
	keep  bool
	count int // waves that have begun
	pairs []meeting
	next  int // number of the next game
	top   int // numbers from here on are free
	open  int // games that have not ended, those of waves before that are played again among them
	total int // games of all waves that have begun
	// balance is how many more games each engine has begun than not, last 1 if it
	// began its last one and -1 if not.
	balance, last []int
}

// seats is who plays in a match, whoever begins first, and its number in the round.
type seats struct{ first, second, number int32 }

// pastWave is a wave that is over.
type pastWave struct {
	wave wave
	list []seats
}

// meeting is two engines in a wave: whoever begins first, and what it took.
type meeting struct {
	first, second int
	// number is that of the match in its round, from 1.
	number int
	// points are what the two scored, first of the meeting first, as results count
	// (1, ½, 0).
	points [2]float64
}

func newMeetings(plan Plan) meetings {
	return meetings{plan: plan, balance: make([]int, plan.Engines), last: make([]int, plan.Engines)}
}

// start begins a wave of games for each of the pairs, as part of a round.
func (m *meetings) start(round, games int, pairs []meeting) {
	before := 0
	if m.count > 0 {
		before = m.wave.before + m.wave.games
		if m.keep {
			m.past = append(m.past, pastWave{m.wave, m.list})
		}
	}
	list := make([]seats, len(pairs))
	for i, p := range pairs {
		list[i] = seats{int32(p.first), int32(p.second), int32(p.number)}
	}
	m.pairs, m.list = pairs, list
	m.wave = wave{
		round: round, start: m.top, before: before, matches: len(pairs), games: games, shuffles: m.plan.pairs(),
		match: func(k int) (int, int) { return int(list[k].first), int(list[k].second) },
	}
	m.count++
	m.next, m.open = m.top, m.wave.len()
	m.top += m.open
	m.total += m.open
	if games%2 == 1 {
		for _, p := range pairs {
			m.begun(p.first, 1)
			m.begun(p.second, -1)
		}
	}
}

func (m *meetings) begun(engine, by int) {
	m.balance[engine] += by
	m.last[engine] = by
}

// follow returns the next game of the wave, and begins another when it is over.
func (m *meetings) follow(advance func() bool) (Pairing, State) {
	for m.count == 0 || m.next >= m.wave.end() {
		switch {
		case m.open > 0:
			return Pairing{}, Wait
		case !advance():
			return Pairing{}, Over
		}
	}
	m.next++
	return m.game(&m.wave, m.list, m.next-1), Ready
}

func (m *meetings) game(w *wave, list []seats, index int) Pairing {
	p := m.plan.at(w, index)
	p.Pair = int(list[p.Pair-1].number)
	return p
}

func (m *meetings) waves() int { return m.count }

func (m *meetings) keepPast() { m.keep = true }

func (m *meetings) missing() (from, to int) { return m.wave.start, m.wave.end() }

func (m *meetings) reserve(n int) int {
	m.top += n
	return m.top - n
}

// has reports whether a game is of the current wave.
func (m *meetings) has(index int) bool {
	return m.count > 0 && index >= m.wave.start && index < m.wave.end()
}

func (m *meetings) find(index int) (Pairing, bool) {
	if m.has(index) {
		return m.game(&m.wave, m.list, index), true
	}
	i := sort.Search(len(m.past), func(i int) bool { return m.past[i].wave.end() > index })
	if i == len(m.past) || index < m.past[i].wave.start {
		return Pairing{}, false
	}
	return m.game(&m.past[i].wave, m.past[i].list, index), true
}

func (m *meetings) hold(by int) { m.open += by }

// tally adds a result to its meeting; it is false if the game is of an older wave.
func (m *meetings) tally(p Pairing, r game.Result, by int) bool {
	if !m.has(p.Index) {
		return false
	}
	at := &m.pairs[slices.IndexFunc(m.pairs, func(x meeting) bool { return x.number == p.Pair })]
	mine := game.First
	if p.First != at.first {
		mine = game.Second
	}
	at.points[0] += float64(by) * r.Points[mine]
	at.points[1] += float64(by) * r.Points[mine.Other()]
	return true
}

// grow makes room for one engine more.
func (m *meetings) grow() {
	m.plan.Engines++
	m.balance, m.last = append(m.balance, 0), append(m.last, 0)
}

func (m *meetings) meet(int, int) {}

func (m *meetings) mayMeet(int, int) (ok bool, err error) { return false, nil }

// seat returns a match of two engines, whoever should begin first: who has begun less often,
// or did not begin last time, or the first named.
func (m *meetings) seat(number, a, b int) meeting {
	switch d := m.balance[a] - m.balance[b]; {
	case d > 0, d == 0 && m.last[a] > m.last[b]:
		a, b = b, a
	}
	return meeting{number: number, first: a, second: b}
}

// errBegun tells that nobody can enter any more.
func errBegun(why string) error {
	return refuse("", game.Because("toolate"), "nobody can enter any more: %s", why)
}
