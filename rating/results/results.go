// Package results gathers games that were played, as records tell them, into what ratings
// are computed from: duels, pairs of games with seats exchanged, groups for residuals.
package results

import (
	"cmp"
	"slices"

	"kibitz/game"
	"kibitz/rating"
	"kibitz/record"
)

// Pool are the games that count for a rating. Players have numbers in the order in which
// the records name them.
type Pool struct {
	numbered // players
	games    []played
	// waiting are games whose other half is to come, by their place in games; pairs
	// the whole pairs: half points of the player with the lower number.
	waiting map[half][]int
	pairs   map[[2]int]*[5]int
	couples int
	// Left are the games that do not count.
	Left Left
}

// Left are numbers of games that do not count: without a result, without names, of one
// player against itself, annulled by a ruling or won without being played.
type Left struct{ Unfinished, Nameless, Alone, Annulled int }

// played is a game in the order of the records.
type played struct {
	first, second int
	// score is that of the first seat: 1, ½ or 0.
	score float64
	round string
	// opening and host are what residuals may be grouped by, couple the number of
	// the pair that the game belongs to, from 1, 0 for none.
	opening, host string
	couple        int
}

// half is what the two games of a pair have in common, and who had the first seat.
type half struct {
	first, second  int
	start, opening string
}

// New returns a pool without games.
func New() *Pool {
	return &Pool{numbered: numbered{index: map[string]int{}}, waiting: map[half][]int{}, pairs: map[[2]int]*[5]int{}}
}

// Names are the players.
func (p *Pool) Names() []string { return p.names }

// Number returns the number of a player, or -1.
func (p *Pool) Number(name string) int {
	if i, ok := p.index[name]; ok {
		return i
	}
	return -1
}

// Len is how many games count.
func (p *Pool) Len() int { return len(p.games) }

// Add counts a game with its result, nil for none; paired tells that it may be one of a
// pair with seats exchanged and the same opening.
func (p *Pool) Add(g *record.Game, res *game.Result, paired bool) {
	switch {
	case res == nil || res.Points == [2]float64{}:
		p.Left.Unfinished++
		return
	case g.Names[0] == "" || g.Names[1] == "":
		p.Left.Nameless++
		return
	case g.Names[0] == g.Names[1]:
		p.Left.Alone++
		return
	}
	opening, _ := g.Tag("opening")
	x := played{
		first: p.number(g.Names[0]), second: p.number(g.Names[1]), score: 0.5,
		round: g.Round, opening: cmp.Or(opening, g.Start), host: hostOf(g),
	}
	switch res.Winner() {
	case game.First:
		x.score = 1
	case game.Second:
		x.score = 0
	}
	p.games = append(p.games, x)
	if paired {
		p.pair(len(p.games)-1, g.Start, opening)
	}
}

// hostOf is where a game was played: the tag host, else the place.
func hostOf(g *record.Game) string {
	host, _ := g.Tag("host")
	return cmp.Or(host, g.Place)
}

// pair finds the other half of a game: the oldest that waits with seats exchanged
// and the same opening.
func (p *Pool) pair(at int, start, opening string) {
	x := &p.games[at]
	other := half{x.second, x.first, start, opening}
	waiting := p.waiting[other]
	if len(waiting) == 0 {
		key := half{x.first, x.second, start, opening}
		p.waiting[key] = append(p.waiting[key], at)
		return
	}
	p.waiting[other] = waiting[1:]
	y := &p.games[waiting[0]]
	p.couples++
	x.couple, y.couple = p.couples, p.couples
	sum, low, high := x.score+1-y.score, x.first, x.second
	if low > high {
		low, high, sum = high, low, 2-sum
	}
	n := p.pairs[[2]int{low, high}]
	if n == nil {
		n = &[5]int{}
		p.pairs[[2]int{low, high}] = n
	}
	n[int(2*sum+0.5)]++
}

// Duels sums the games by who sat where.
func (p *Pool) Duels() []rating.Duel {
	index := map[[2]int]int{}
	var out []rating.Duel
	for _, g := range p.games {
		key := [2]int{g.first, g.second}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, rating.Duel{First: g.first, Second: g.second})
		}
		switch g.score {
		case 1:
			out[i].Wins++
		case 0:
			out[i].Losses++
		default:
			out[i].Draws++
		}
	}
	return out
}

// Made returns what each player made, worst first, and who met.
func Made(duels []rating.Duel) (sum map[int][3]float64, met map[[2]int]bool) {
	sum, met = map[int][3]float64{}, map[[2]int]bool{}
	for _, d := range duels {
		a, b := sum[d.First], sum[d.Second]
		sum[d.First] = [3]float64{a[0] + d.Losses, a[1] + d.Draws, a[2] + d.Wins}
		sum[d.Second] = [3]float64{b[0] + d.Wins, b[1] + d.Draws, b[2] + d.Losses}
		met[[2]int{d.First, d.Second}], met[[2]int{d.Second, d.First}] = true, true
	}
	return sum, met
}

// Between returns the games of player a against player b as a saw them.
func Between(duels []rating.Duel, a, b int) rating.Counts {
	var c [3]float64
	for _, d := range duels {
		switch {
		case d.First == a && d.Second == b:
			c[0], c[1], c[2] = c[0]+d.Losses, c[1]+d.Draws, c[2]+d.Wins
		case d.First == b && d.Second == a:
			c[0], c[1], c[2] = c[0]+d.Wins, c[1]+d.Draws, c[2]+d.Losses
		}
	}
	return rating.Counts{N: c[:]}
}

// Pairs returns the whole pairs of player a against player b; false if there are none.
func (p *Pool) Pairs(a, b int) (rating.Counts, bool) {
	n := p.pairs[[2]int{min(a, b), max(a, b)}]
	if n == nil {
		return rating.Counts{}, false
	}
	q := *n
	if a > b {
		slices.Reverse(q[:])
	}
	return rating.Pentanomial(q[0], q[1], q[2], q[3], q[4]), true
}

// Halves returns how many games wait for their other half.
func (p *Pool) Halves() int {
	n := 0
	for _, w := range p.waiting {
		n += len(w)
	}
	return n
}

// Glicko rates by Glicko-2, a player a number: everybody begins unknown, games that
// follow each other with the same round are a rating period.
func (p *Pool) Glicko(tau float64) []rating.Glicko2 {
	now := make([]rating.Glicko2, len(p.names))
	for i := range now {
		now[i] = rating.NewGlicko2()
	}
	for from := 0; from < len(p.games); {
		to := from
		met := make([][]rating.Met, len(now))
		for ; to < len(p.games) && p.games[to].round == p.games[from].round; to++ {
			g := p.games[to]
			met[g.first] = append(met[g.first], rating.Met{Opponent: now[g.second], Score: g.score})
			met[g.second] = append(met[g.second], rating.Met{Opponent: now[g.first], Score: 1 - g.score})
		}
		next := make([]rating.Glicko2, len(now))
		for i := range now {
			next[i] = now[i].Update(met[i], tau)
		}
		now, from = next, to
	}
	return now
}
