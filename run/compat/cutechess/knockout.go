package cutechess

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/tournament"
)

// knockout is a knockout as cutechess-cli plays it: a pair plays until one is
// ahead by enough.
type knockout struct {
	games   int
	rounds  [][]*encounter
	running int
	byIndex map[int]*encounter
	issued  int
	players int
}

// encounter is a meeting of two players, -1 for nobody, with half points.
type encounter struct {
	player  [2]int
	half    [2]int
	started int
}

// newKnockout draws the field: the first players are placed, the others drawn.
func newKnockout(n, seeds, games int, rng *twister) *knockout {
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
		place[bracketSeat(i+1, size)] = field[i]
	}
	for bye := 1; bye <= size-n; bye++ { // those placed highest have none to play
		from, to := bracketSeat(n+bye, size), bracketSeat(bye, size)+1
		place[from] = place[to]
		place[to] = -1
	}
	k := &knockout{games: games, byIndex: map[int]*encounter{}, players: n}
	var first []*encounter
	for i := 0; i < size; i += 2 {
		first = append(first, &encounter{player: [2]int{place[i], place[i+1]}})
	}
	k.rounds = append(k.rounds, first)
	return k
}

// bracketSeat is the place of a rank, from 1, in a bracket of that size.
func bracketSeat(rank, size int) int {
	switch {
	case rank <= 1:
		return 0
	case rank%2 == 0:
		return size/2 + bracketSeat(rank/2, size/2)
	}
	return bracketSeat(rank/2+1, size/2)
}

func (m *encounter) bye() bool    { return m.player[0] < 0 || m.player[1] < 0 }
func (m *encounter) running() int { return m.started - (m.half[0]+m.half[1])/2 }

// leader is who goes on, -1 while both stand equal.
func (m *encounter) leader() int {
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
func (k *knockout) open(m *encounter) bool {
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

func (k *knockout) next() (pair [2]int, round int, state tournament.State) {
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
		var following []*encounter
		for i := 0; i < len(last); i += 2 {
			following = append(following, &encounter{player: [2]int{last[i].leader(), last[i+1].leader()}})
		}
		k.rounds = append(k.rounds, following)
	}
}

// record counts a game; one without a verdict is not played again.
func (k *knockout) record(f tournament.Finished) {
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
func (k *knockout) bracket(names []string) string {
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
