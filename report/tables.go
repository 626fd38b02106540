package report

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/rating"
)

// Standing is an engine's line in the standings.
type Standing struct {
	// Rank counts from 1; engines share one if the run ended so.
	Rank                       int
	Engine                     int
	Name                       string
	Games, Wins, Draws, Losses int
	// Seats are wins, draws and losses in the first and in the second seat.
	Seats  [2][3]int
	Points float64
	// WonUnplayed and LostUnplayed are the wins and losses of games that an organiser
	// awarded. They are in no estimate.
	WonUnplayed, LostUnplayed int
	// Byes are points that came without a game.
	Byes float64
	// Score is Points for each game, byes as the games that they stand for; NaN without any.
	Score    float64
	Forfeits int
	// Estimate is of two engines the difference to the other, by pairs where all games
	// come in pairs; of more the rating in the field (rating.Fit).
	Estimate rating.Estimate
}

// Meeting is what two engines made against each other, as A saw it.
type Meeting struct {
	A, B int
	// Trio counts losses, draws and wins, Awarded those of them that were not played.
	Trio, Awarded [3]int
	// Penta counts pairs of games from two losses to two wins.
	Penta    [5]int
	Estimate rating.Estimate
	// ByPairs tells that the estimate is of pairs.
	ByPairs bool
}

// TimeUse is how an engine used its time.
type TimeUse struct {
	Engine         int
	Turns          int
	Total, Longest time.Duration
	// Mean is of an answer.
	Mean time.Duration
	// Share is the mean share of the clock that was used, NaN without clocks; Most
	// is the largest.
	Share, Most float64
	// Depth and Speed (nodes a second) are means, 0 where nothing was reported.
	Depth, Speed float64
	Losses       int // on time
	// CPU is the mean processor time of a game, NaN seconds where nothing is known;
	// Memory is the highest peak in bytes, 0 if unknown.
	CPU    float64
	Memory int64
}

// OpeningLine is what the first seat made from an opening.
type OpeningLine struct {
	Name                string
	Wins, Draws, Losses int
	Score               float64
}

// counts are the games of who sat where.
type counts struct {
	engines []Standing
	duels   map[[2]int]*[3]int // by first and second seat: losses, draws, wins of the first
	awarded map[[2]int]*[3]int // those of duels that were not played
	pairs   map[[2]int]*[5]int // by smaller and larger engine
	waiting map[pairKey][]float64
}

// pairKey is what the two games of a pair have in common, with its seats.
type pairKey struct {
	round, first, second          int
	opening, position, commitment string
}

func countGames(c *Config, games []*Game) *counts {
	k := &counts{
		engines: make([]Standing, len(c.Engines)), duels: map[[2]int]*[3]int{}, awarded: map[[2]int]*[3]int{},
		pairs: map[[2]int]*[5]int{}, waiting: map[pairKey][]float64{},
	}
	for i, e := range c.Engines {
		k.engines[i] = Standing{Engine: i, Name: e.Name}
	}
	for _, g := range games {
		if !g.counts() {
			continue
		}
		k.add(c, g)
		if c.Repeat && g.tells() {
			k.pair(g)
		}
	}
	return k
}

func (k *counts) add(c *Config, g *Game) {
	way := int(2*g.score() + 0.5) // 0 a loss, 1 a draw, 2 a win of the first seat
	bump(k.duels, g.Engines, way)
	if g.Unplayed() {
		bump(k.awarded, g.Engines, way)
		k.engines[g.Engines[g.Result.Winner()]].WonUnplayed++
		k.engines[g.Engines[g.Result.Winner().Other()]].LostUnplayed++
	}
	for seat, e := range g.Engines {
		s, mine := &k.engines[e], way
		if seat == 1 {
			mine = 2 - way
		}
		s.Games++
		s.Seats[seat][2-mine]++
		switch mine {
		case 2:
			s.Wins++
			s.Points += c.Points.Win
		case 1:
			s.Draws++
			s.Points += c.Points.Draw
		default:
			s.Losses++
			s.Points += c.Points.Loss
			if g.Forfeit() {
				s.Forfeits++
			}
		}
	}
}

// bump counts a result of who sat where.
func bump(m map[[2]int]*[3]int, seats [2]int, way int) {
	d := m[seats]
	if d == nil {
		d = &[3]int{}
		m[seats] = d
	}
	d[way]++
}

// pair finds the other half of a game: the oldest of the round that waits with
// seats exchanged and the same opening or shuffle.
func (k *counts) pair(g *Game) {
	key := pairKey{g.Round, g.Engines[0], g.Engines[1], g.Opening, g.Position, g.Commitment}
	other := key
	other.first, other.second = key.second, key.first
	waiting := k.waiting[other]
	if len(waiting) == 0 {
		k.waiting[key] = append(k.waiting[key], g.score())
		return
	}
	if len(waiting) == 1 {
		delete(k.waiting, other)
	} else {
		k.waiting[other] = waiting[1:]
	}
	sum := g.score() + 1 - waiting[0]
	low, high := g.Engines[0], g.Engines[1]
	if low > high {
		low, high, sum = high, low, 2-sum
	}
	p := k.pairs[[2]int{low, high}]
	if p == nil {
		p = &[5]int{}
		k.pairs[[2]int{low, high}] = p
	}
	p[int(2*sum+0.5)]++
}

// between returns losses, draws and wins of a against b.
func (k *counts) between(a, b int) [3]int { return seen(k.duels, a, b) }

// seen returns results of who sat where as a saw those against b.
func seen(m map[[2]int]*[3]int, a, b int) (out [3]int) {
	if d := m[[2]int{a, b}]; d != nil {
		out = *d
	}
	if d := m[[2]int{b, a}]; d != nil {
		out[0], out[1], out[2] = out[0]+d[2], out[1]+d[1], out[2]+d[0]
	}
	return out
}

// meeting returns what a made against b.
func (k *counts) meeting(a, b int) Meeting {
	m := Meeting{A: a, B: b, Trio: k.between(a, b), Awarded: seen(k.awarded, a, b)}
	if p := k.pairs[[2]int{min(a, b), max(a, b)}]; p != nil {
		m.Penta = *p
		if a > b {
			slices.Reverse(m.Penta[:])
		}
	}
	x, u := m.Trio, m.Awarded
	m.Estimate = rating.Trinomial(x[0]-u[0], x[1]-u[1], x[2]-u[2]).Estimate()
	if p, n := m.Penta, m.games()-m.Unplayed(); 2*(p[0]+p[1]+p[2]+p[3]+p[4]) == n && n > 0 {
		m.Estimate, m.ByPairs = rating.Pentanomial(p[0], p[1], p[2], p[3], p[4]).Estimate(), true
	}
	return m
}

func (m *Meeting) games() int { return m.Trio[0] + m.Trio[1] + m.Trio[2] }

// Unplayed is how many games were won without being played.
func (m *Meeting) Unplayed() int { return m.Awarded[0] + m.Awarded[2] }

// Unplayed is how many games were won and lost without being played.
func (s *Standing) Unplayed() int { return s.WonUnplayed + s.LostUnplayed }

// Played is how many games were played.
func (s *Standing) Played() int { return s.Games - s.Unplayed() }

// standings returns the engines in the order of the run.
func (k *counts) standings(c *Config) []Standing {
	out := slices.Clone(k.engines)
	var duels []rating.Duel
	for _, key := range sortedKeys(k.duels) {
		d, u := *k.duels[key], [3]int{}
		if x := k.awarded[key]; x != nil {
			u = *x
		}
		if key[0] != key[1] && d != u {
			duels = append(duels, rating.Duel{
				First: key[0], Second: key[1], Losses: float64(d[0] - u[0]),
				Draws: float64(d[1] - u[1]), Wins: float64(d[2] - u[2]),
			})
		}
	}
	field := rating.Fit(len(out), duels)
	for i := range out {
		s := &out[i]
		if len(out) == 2 {
			s.Estimate = k.meeting(i, 1-i).Estimate
			continue
		}
		s.Estimate = field.Estimate(i, rating.Trinomial(s.Losses-s.LostUnplayed, s.Draws, s.Wins-s.WonUnplayed))
	}
	return rank(c, out)
}

// rank gives the engines the points and the order of the run's own ranking. Those
// that it does not name follow, as without one: by points for each game, then by wins, then by
// name, each on a place of its own. Those that it ranks 0 are left out.
func rank(c *Config, list []Standing) []Standing {
	place := map[string]int{} // in the ranking, from 1
	for i, r := range c.Ranking {
		place[r.Name] = i + 1
	}
	for i := range list {
		s := &list[i]
		total := s.Points
		if x, ok := c.Totals[s.Name]; ok {
			total = max(total, x)
		}
		if n := place[s.Name]; n > 0 {
			s.Rank, total = c.Ranking[n-1].Rank, c.Ranking[n-1].Points
		}
		if more := total - s.Points; more > 1e-9 {
			s.Byes = more
		}
		s.Points, s.Score = total, math.NaN()
		games := float64(s.Games)
		if c.Points.Win > 0 {
			games += s.Byes / c.Points.Win
		}
		if games > 0 {
			s.Score = total / games
		}
	}
	slices.SortStableFunc(list, func(a, b Standing) int {
		// No place, which is 0, becomes the largest.
		return cmp.Or(cmp.Compare(uint(place[a.Name]-1), uint(place[b.Name]-1)),
			cmp.Compare(b.Score, a.Score), cmp.Compare(b.Wins, a.Wins), cmp.Compare(a.Name, b.Name))
	})
	list = slices.DeleteFunc(list, func(s Standing) bool { return place[s.Name] > 0 && s.Rank == 0 })
	for i := range list {
		list[i].Rank = cmp.Or(list[i].Rank, i+1)
	}
	return list
}

func sortedKeys(m map[[2]int]*[3]int) [][2]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// timeUse sums how the engines used their time.
func timeUse(engines int, games []*Game) []TimeUse {
	out := make([]TimeUse, engines)
	depths, nodes, busy := make([][2]int, engines), make([]int64, engines), make([]time.Duration, engines)
	shares := make([]struct {
		sum float64
		n   int
	}, engines)
	cpu, measured := make([]time.Duration, engines), make([]int, engines)
	for i := range out {
		out[i].Engine = i
	}
	for _, g := range games {
		for seat, e := range g.Engines {
			t := &out[e]
			if u := &g.Resources[seat]; u.Known {
				cpu[e] += u.CPU
				measured[e]++
				t.Memory = max(t.Memory, u.Memory)
			}
			t.Turns += g.Turns[seat]
			t.Total += g.Used[seat]
			t.Longest = max(t.Longest, g.Longest[seat])
			depths[e][0] += g.Depth[seat]
			depths[e][1] += g.Depths[seat]
			nodes[e] += g.Nodes[seat]
			busy[e] += g.Busy[seat]
			if x := g.Share[seat]; !math.IsNaN(x) {
				shares[e].sum += x
				shares[e].n++
				t.Most = max(t.Most, x)
			}
			if g.Result.Reason == game.ByTime && g.Result.Winner() == game.Seat(1-seat) {
				t.Losses++
			}
		}
	}
	for i := range out {
		t := &out[i]
		t.Share, t.CPU = math.NaN(), math.NaN()
		if measured[i] > 0 {
			t.CPU = cpu[i].Seconds() / float64(measured[i])
		}
		if t.Turns > 0 {
			t.Mean = t.Total / time.Duration(t.Turns)
		}
		if shares[i].n > 0 {
			t.Share = shares[i].sum / float64(shares[i].n)
		}
		if depths[i][1] > 0 {
			t.Depth = float64(depths[i][0]) / float64(depths[i][1])
		}
		if s := busy[i].Seconds(); s > 0 {
			t.Speed = float64(nodes[i]) / s
		}
	}
	return out
}

// openings counts the games of each opening; nil if none is named.
func openings(games []*Game) []OpeningLine {
	index := map[string]int{}
	var out []OpeningLine
	for _, g := range games {
		if g.Opening == "" || !g.tells() {
			continue
		}
		i, ok := index[g.Opening]
		if !ok {
			i = len(out)
			index[g.Opening] = i
			out = append(out, OpeningLine{Name: g.Opening})
		}
		switch o := &out[i]; g.score() {
		case 1:
			o.Wins++
		case 0:
			o.Losses++
		default:
			o.Draws++
		}
	}
	for i := range out {
		o := &out[i]
		o.Score = (float64(o.Wins) + float64(o.Draws)/2) / float64(o.Wins+o.Draws+o.Losses)
	}
	slices.SortStableFunc(out, func(a, b OpeningLine) int {
		return cmp.Or(cmp.Compare(b.Wins+b.Draws+b.Losses, a.Wins+a.Draws+a.Losses), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// number prints a number without needless decimals.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}

// resultText prints an outcome for people: "A wins 33–31 (discs)".
func resultText(r *game.Result, names [2]string) string {
	var b strings.Builder
	switch w := r.Winner(); {
	case w.IsPlayer():
		b.WriteString(names[w] + " wins")
	case r.Draw():
		b.WriteString("draw")
	default:
		b.WriteString("no result")
	}
	if r.HasBoard {
		b.WriteString(" " + number(r.Board[0]) + "–" + number(r.Board[1]))
	}
	if r.Reason != "" {
		b.WriteString(" (" + string(r.Reason) + ")")
	}
	return b.String()
}

// Games is how many games were played from the opening.
func (o OpeningLine) Games() int { return o.Wins + o.Draws + o.Losses }
