package main

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/tournament"
)

// twister is the generator of cutechess-cli: the Mersenne Twister, but with the
// lowest bit of each word where the usual one takes the highest.
type twister struct {
	state [624]uint32
	at    int
}

func newTwister(seed uint32) *twister {
	t := &twister{}
	t.state[0] = seed
	for i := 1; i < len(t.state); i++ {
		before := t.state[i-1]
		t.state[i] = 0x6c078965*(before^before>>30) + uint32(i)
	}
	return t
}

// next returns the next number.
func (t *twister) next() uint32 {
	const n = len(t.state)
	if t.at == 0 {
		for i := range t.state {
			y := t.state[i]&1 + t.state[(i+1)%n]&0x7fffffff
			t.state[i] = t.state[(i+397)%n] ^ y>>1
			if y%2 == 1 {
				t.state[i] ^= 0x9908b0df
			}
		}
	}
	y := t.state[t.at]
	t.at = (t.at + 1) % n
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// ccPlan numbers the games of a tournament as cutechess-cli does. It is a schedule.
type ccPlan struct {
	o       *ccOptions
	players int
	// first returns who meets next when a pair has played its games: the next pair
	// and its round, from 1; false after the last. Knockouts have none.
	pairs func() (a, b, round int, ok bool)
	// knockout is set in that format.
	knockout *ccKnockout

	total  int // games, as far as is known
	issued int
	// current is the pair that played last, turned those that meet with seats
	// exchanged the next time, by the pair in ascending order.
	current [2]int
	round   int
	turned  map[[2]int]bool

	openings *ccOrder
	count    func(tournament.Finished)
}

// newCCPlan returns the schedule of so many players and openings.
func newCCPlan(o *ccOptions, players, openings int, rng *twister, count func(tournament.Finished)) *ccPlan {
	p := &ccPlan{o: o, players: players, current: [2]int{-1, -1}, turned: map[[2]int]bool{}, count: count}
	p.openings = newCCOrder(o, openings, rng)
	cycle := players * (players - 1) / 2
	switch o.format {
	case "round-robin":
		p.pairs = circlePairs(players)
	case "pyramid":
		p.pairs = pyramidPairs(players)
	case "gauntlet":
		seeds := min(max(o.seeds, 1), players-1)
		cycle = (players - seeds) * seeds
		p.pairs = gauntletPairs(players, seeds)
	case "knockout":
		p.knockout = newCCKnockout(players, min(o.seeds, players), o.games, rng)
		cycle = p.knockout.matches()
	}
	p.total = cycle * o.games * o.rounds
	return p
}

// circlePairs is a round robin by the circle method.
func circlePairs(n int) func() (int, int, int, bool) {
	even := n + n%2
	var top, bottom []int
	for i := range even / 2 {
		top, bottom = append(top, i), append(bottom, even-1-i)
	}
	at, round := 0, 1
	return func() (int, int, int, bool) {
		for {
			if at == len(top) {
				at = 0
				round++
				if len(top) > 1 {
					top = slices.Insert(top, 1, bottom[0])
					bottom = append(bottom[1:], top[len(top)-1])
					top = top[:len(top)-1]
				}
			}
			at++
			if a, b := top[at-1], bottom[at-1]; a < n && b < n {
				return a, b, round, true
			}
		}
	}
}

// pyramidPairs lets every player meet all before it, again and again.
func pyramidPairs(n int) func() (int, int, int, bool) {
	at, newcomer, round := 0, 1, 1
	return func() (int, int, int, bool) {
		if at == newcomer {
			at = 0
			round++
			if newcomer++; newcomer == n {
				newcomer = 1
			}
		}
		at++
		return newcomer, at - 1, round, true
	}
}

// gauntletPairs lets each of the first players meet all the others.
func gauntletPairs(n, seeds int) func() (int, int, int, bool) {
	runner, opponent, round := 0, seeds, 1
	return func() (int, int, int, bool) {
		if opponent == n {
			opponent = seeds
			if runner++; runner == seeds {
				runner = 0
				round++
			}
		}
		opponent++
		return runner, opponent - 1, round, true
	}
}

// Len is how many games there are, as far as is known.
func (p *ccPlan) Len() int { return p.total }

// Most is how many there can be: rematches of a knockout have no end.
func (p *ccPlan) Most() int {
	if p.knockout != nil {
		return 1 << 20
	}
	return p.total
}

// Record counts a game.
func (p *ccPlan) Record(f tournament.Finished) {
	if p.knockout != nil {
		p.knockout.record(f)
	}
	p.count(f)
}

// Next returns the next game.
func (p *ccPlan) Next() (tournament.Pairing, tournament.State) {
	var pair [2]int
	round := p.round
	switch {
	case p.knockout != nil:
		var state tournament.State
		if pair, round, state = p.knockout.next(); state != tournament.Ready {
			return tournament.Pairing{}, state
		}
	case p.issued == p.total:
		return tournament.Pairing{}, tournament.Over
	case p.issued%p.o.games == 0:
		pair[0], pair[1], round, _ = p.pairs()
	default:
		pair = p.current
	}
	return p.start(pair, round), tournament.Ready
}

// start numbers a game of a pair.
func (p *ccPlan) start(pair [2]int, round int) tournament.Pairing {
	key := [2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}
	same := p.current == pair || p.current == [2]int{pair[1], pair[0]}
	if _, met := p.turned[key]; !met {
		p.turned[key] = pair[0] > pair[1] // as it is named at first
	}
	if !same && p.o.reverse {
		p.turned[key] = !p.turned[key]
	}
	newRound := round > p.openings.round
	if policy := p.openings.policy; !same && p.players > 2 && policy != "round" || policy == "round" && newRound {
		p.openings.renew(round)
	}
	first, second := key[0], key[1]
	if p.turned[key] {
		first, second = second, first
	}
	if !p.o.noswap {
		p.turned[key] = !p.turned[key]
	}
	p.current, p.round = pair, round
	p.issued++
	p.total = max(p.total, p.issued)
	return tournament.Pairing{
		Index: p.issued - 1, Round: round, Pair: 1, First: first, Second: second, Opening: p.openings.take(), Shuffle: p.issued - 1,
	}
}

// ccOrder hands out openings.
type ccOrder struct {
	list   []int
	at     int
	repeat int
	policy string
	round  int // of the last opening, with policy=round
	kept   int // the opening to play again, -1 for none
	times  int // how often it was played
}

func newCCOrder(o *ccOptions, openings int, rng *twister) *ccOrder {
	c := &ccOrder{repeat: o.repeat, policy: "default", kept: -1}
	for i := range openings {
		c.list = append(c.list, i)
	}
	if openings == 0 {
		return c
	}
	if c.policy = o.openings.policy; c.policy != "default" {
		c.repeat = 1<<31 - 1
	}
	if o.openings.random {
		for i := 0; i+1 < openings; i++ {
			j := i + int(rng.next()%uint32(openings-i))
			c.list[i], c.list[j] = c.list[j], c.list[i]
		}
	}
	c.at = (o.openings.start - 1) % openings
	return c
}

// renew gives the opening up that would be played again.
func (c *ccOrder) renew(round int) { c.kept, c.times, c.round = -1, 1, round }

// take returns the opening of the next game, -1 for none.
func (c *ccOrder) take() int {
	if len(c.list) == 0 {
		return -1
	}
	now := c.kept
	if now >= 0 {
		c.times++
	} else {
		c.times = 1
		now = c.list[c.at]
		c.at = (c.at + 1) % len(c.list)
	}
	if c.kept = -1; c.times < c.repeat {
		c.kept = now
	}
	return now
}

// ccKnockout is a knockout as cutechess-cli plays it: a pair plays until one is
// ahead by enough.
type ccKnockout struct {
	games   int
	rounds  [][]*ccMatch
	running int
	byIndex map[int]*ccMatch
	issued  int
	players int
}

// ccMatch is a meeting of two players, -1 for nobody, with half points.
type ccMatch struct {
	player  [2]int
	half    [2]int
	started int
}

// newCCKnockout draws the field: the first players are placed, the others drawn.
func newCCKnockout(n, seeds, games int, rng *twister) *ccKnockout {
	var field, rest []int
	for i := range n {
		if i < seeds {
			field = append(field, i)
		} else {
			rest = append(rest, i)
		}
	}
	for len(rest) > 0 {
		i := int(rng.next() % uint32(len(rest)))
		field = append(field, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	size := 1
	for size < n {
		size *= 2
	}
	place := make([]int, size)
	for i := range place {
		place[i] = -1
	}
	for i := range n {
		place[ccSeat(i+1, size)] = field[i]
	}
	for bye := 1; bye <= size-n; bye++ { // those placed highest have none to play
		from, to := ccSeat(n+bye, size), ccSeat(bye, size)+1
		place[from] = place[to]
		place[to] = -1
	}
	k := &ccKnockout{games: games, byIndex: map[int]*ccMatch{}, players: n}
	var first []*ccMatch
	for i := 0; i < size; i += 2 {
		first = append(first, &ccMatch{player: [2]int{place[i], place[i+1]}})
	}
	k.rounds = append(k.rounds, first)
	return k
}

// ccSeat is the place of a rank, from 1, in a bracket of that size.
func ccSeat(rank, size int) int {
	switch {
	case rank <= 1:
		return 0
	case rank%2 == 0:
		return size/2 + ccSeat(rank/2, size/2)
	}
	return ccSeat(rank/2+1, size/2)
}

// matches is how many pairs meet.
func (k *ccKnockout) matches() int { return k.players - 1 }

func (m *ccMatch) bye() bool    { return m.player[0] < 0 || m.player[1] < 0 }
func (m *ccMatch) running() int { return m.started - (m.half[0]+m.half[1])/2 }

// leader is who goes on, -1 while both stand equal.
func (m *ccMatch) leader() int {
	switch {
	case m.player[0] < 0 || m.player[1] >= 0 && m.half[1] > m.half[0]:
		return m.player[1]
	case m.player[1] < 0 || m.half[0] > m.half[1]:
		return m.player[0]
	}
	return -1
}

// open reports whether a match needs more games: unless, with all that runs, the
// leader could be over half of the points and ahead by more than a drawn game.
func (k *ccKnockout) open(m *ccMatch) bool {
	if m.bye() {
		return false
	}
	pending := 2 * m.running()
	if max(m.half[0], m.half[1])+pending <= k.games {
		return true
	}
	need := 1
	if k.games%2 == 0 {
		need = 3
	}
	ahead := max(m.half[0]-m.half[1], m.half[1]-m.half[0]) + pending
	switch {
	case ahead >= need:
		return false
	case need == 1 || ahead == 0:
		return true
	}
	return m.started%2 != 0
}

// next returns the next pair with its round.
func (k *ccKnockout) next() (pair [2]int, round int, state tournament.State) {
	for {
		last := k.rounds[len(k.rounds)-1]
		for _, m := range last {
			if k.open(m) {
				m.started++
				k.byIndex[k.issued] = m
				k.issued++
				k.running++
				return m.player, len(k.rounds), tournament.Ready
			}
		}
		switch {
		case k.running > 0:
			return pair, 0, tournament.Wait
		case len(last) == 1:
			return pair, 0, tournament.Over
		}
		var following []*ccMatch
		for i := 0; i < len(last); i += 2 {
			following = append(following, &ccMatch{player: [2]int{last[i].leader(), last[i+1].leader()}})
		}
		k.rounds = append(k.rounds, following)
	}
}

// record counts a game; one without a verdict is not played again.
func (k *ccKnockout) record(f tournament.Finished) {
	m := k.byIndex[f.Pairing.Index]
	k.running--
	if f.Result.Points[0]+f.Result.Points[1] == 0 {
		m.started--
		return
	}
	for seat, e := range [2]int{f.Pairing.First, f.Pairing.Second} {
		i := 0
		if m.player[1] == e {
			i = 1
		}
		m.half[i] += int(2 * f.Result.Points[seat])
	}
}

// bracket prints the matches as cutechess-cli does.
func (k *ccKnockout) bracket(names []string) string {
	var lines []string
	for _, m := range k.rounds[0] {
		second := "bye"
		if !m.bye() {
			second = names[m.player[1]]
		}
		lines = append(lines, names[max(m.player[0], 0)], "", second, "")
	}
	lines = lines[:len(lines)-1]
	for r, matches := range k.rounds {
		for x, m := range matches {
			winner := "..."
			if !k.open(m) && m.running() == 0 {
				winner = names[m.leader()]
			}
			text := strings.Repeat("\t", 2*(r+1)) + winner
			if m.half != [2]int{} {
				text += fmt.Sprintf(" (%g-%g)", float64(m.half[0])/2, float64(m.half[1])/2)
			}
			lines[2<<r-1+x*(2<<(r+1))] += text
		}
	}
	return strings.Join(lines, "\n")
}
