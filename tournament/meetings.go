package tournament

import (
	"slices"

	"kibitz/game"
)

// meetings plays one wave after another: the games of a wave are started as there
// is room, and the next wave is known when all of them are over. It is what the
// formats that depend on results share.
type meetings struct {
	plan  Plan
	wave  wave
	pairs []meeting
	next  int // number of the next game
	open  int // games that have not ended
	// balance is how many more games each engine has begun than not, last 1 if it
	// began its last one and -1 if not.
	balance, last []int
}

// meeting is two engines in a wave: whoever begins first, and what it took.
type meeting struct {
	first, second int
	// number is that of the match in its round, from 1.
	number int
	// points are what the two scored, first of the meeting first, as results count
	// (1, ½, 0); played is how many games ended with a verdict.
	points [2]float64
	played int
	// won, drawn and lost are the games of the first.
	won, drawn, lost int
}

func newMeetings(plan Plan) meetings {
	return meetings{plan: plan, balance: make([]int, plan.Engines), last: make([]int, plan.Engines)}
}

// begin starts a wave of games for each of the pairs, as part of a round.
func (m *meetings) begin(round, games int, pairs []meeting) {
	before := 0
	if m.wave.match != nil {
		before = m.wave.before + m.wave.games
	}
	m.pairs = pairs
	m.wave = wave{
		round: round, start: m.next, before: before, matches: len(pairs), games: games,
		match: func(k int) (int, int) { return pairs[k].first, pairs[k].second },
	}
	m.open = m.wave.len()
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

// take returns the next game of the wave, and false if all have started.
func (m *meetings) take() (Pairing, bool) {
	if m.next >= m.wave.end() {
		return Pairing{}, false
	}
	p := m.plan.at(&m.wave, m.next)
	p.Pair = m.pairs[p.Pair-1].number
	m.next++
	return p, true
}

// record counts a game of the wave and reports whether it was the last.
func (m *meetings) record(f Finished) bool {
	p := &m.pairs[slices.IndexFunc(m.pairs, func(p meeting) bool { return p.number == f.Pairing.Pair })]
	m.open--
	if f.Result.Points[0]+f.Result.Points[1] > 0 {
		mine := game.First
		if f.Pairing.First != p.first {
			mine = game.Second
		}
		p.played++
		p.points[0] += f.Result.Points[mine]
		p.points[1] += f.Result.Points[mine.Other()]
		switch f.Result.Winner() {
		case mine:
			p.won++
		case game.Nobody:
			p.drawn++
		default:
			p.lost++
		}
	}
	return m.open == 0
}

// seats returns a match of two engines, whoever should begin first: who has begun less often,
// or did not begin last time, or the first named.
func (m *meetings) seats(number, a, b int) meeting {
	switch d := m.balance[a] - m.balance[b]; {
	case d > 0, d == 0 && m.last[a] > m.last[b]:
		a, b = b, a
	}
	return meeting{number: number, first: a, second: b}
}
