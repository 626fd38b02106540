package tournament

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kibitz/game"
)

// swissFaults returns what is wrong with the pairings of a Swiss: everybody plays
// in every round, nobody more than most times with the same, nobody has more than
// most byes.
func swissFaults(p Plan, list []Pairing, most int) string {
	met, played := map[[2]int]int{}, make([]int, p.Engines)
	inRound := map[[2]int]bool{}
	for _, g := range list {
		if (g.Index % p.Games) != 0 {
			continue // only one game at a meeting is looked at, see below
		}
		a, b := min(g.First, g.Second), max(g.First, g.Second)
		met[[2]int{a, b}]++
		for _, e := range []int{a, b} {
			if inRound[[2]int{g.Round, e}] {
				return fmt.Sprintf("engine %d has two opponents in round %d", e, g.Round)
			}
			inRound[[2]int{g.Round, e}] = true
			played[e]++
		}
	}
	for pair, n := range met {
		if n > most {
			return fmt.Sprintf("%v meet %d times", pair, n)
		}
	}
	for e, n := range played {
		if p.Rounds-n > most*(p.Engines%2) {
			return fmt.Sprintf("engine %d plays %d of %d rounds", e, n, p.Rounds)
		}
	}
	return ""
}

// coin decides games by chance.
func coin(seed uint64) judge {
	r := rand.New(rand.NewPCG(seed, 1))
	return func(p Pairing) game.Result {
		switch r.IntN(4) {
		case 0:
			return tie(p)
		case 1:
			return better(p)
		}
		return game.Win(game.Seat(r.IntN(2)), "x", "")
	}
}

// Two engines do not meet twice, and nobody has two byes, in as many rounds as
// find the winner and two more, or as many as there are opponents if these are
// fewer, whatever the results. (One game a meeting, so that seats matter most: no
// engine has begun three games more than it has not.)
func TestSwissNeverRepeats(t *testing.T) {
	tries := 3
	if testing.Short() {
		tries = 1
	}
	for n := 2; n <= 64; n++ {
		for seed := range tries {
			p := Plan{Format: SwissSystem, Engines: n, Games: 1, Rounds: SwissRounds(n)}
			list := simulate(NewScheduler(p, DefaultPoints), coin(uint64(seed)))
			if fault := swissFaults(p, list, 1); fault != "" {
				t.Fatalf("%d engines, results %d: %s", n, seed, fault)
			}
			seats := make([]int, n)
			for _, g := range list {
				seats[g.First]++
				seats[g.Second]--
			}
			for e, d := range seats {
				if max(d, -d) > 2 {
					t.Errorf("%d engines, results %d: engine %d has %d more games in one seat", n, seed, e, d)
				}
			}
		}
	}
}

func TestSwissRounds(t *testing.T) {
	for n, want := range map[int]int{2: 1, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5, 9: 6, 16: 6, 17: 7, 64: 8, 500: 11} {
		if got := SwissRounds(n); got != want {
			t.Errorf("%d engines: %d rounds, want %d", n, got, want)
		}
	}
}

// Few engines play any number of rounds up to a full round robin without meeting
// twice; beyond it everybody meets everybody as often as the next, or once more.
func TestSwissOfFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 10).Draw(t, "engines")
		full := n - 1 + n%2
		p := Plan{Format: SwissSystem, Engines: n, Games: 1, Rounds: rapid.IntRange(1, full).Draw(t, "rounds")}
		seed := rapid.Uint64().Draw(t, "results")
		if fault := swissFaults(p, simulate(NewScheduler(p, DefaultPoints), coin(seed)), 1); fault != "" {
			t.Error(fault)
		}
		p.Rounds = 3 * full
		if fault := swissFaults(p, simulate(NewScheduler(p, DefaultPoints), coin(seed)), 3); fault != "" {
			t.Error(fault)
		}
	})
}

// Those who meet stand equal: after a first round that all better ones win, two
// halves of four play among themselves.
func TestSwissPairsByScore(t *testing.T) {
	p := Plan{Format: SwissSystem, Engines: 128, Games: 2, Rounds: 7}
	score := make([]float64, p.Engines)
	apart, round := 0.0, 1
	now := slices.Clone(score)
	for _, g := range simulate(NewScheduler(p, DefaultPoints), better) {
		if g.Round != round {
			round = g.Round
			copy(now, score)
		}
		apart = max(apart, math.Abs(now[g.First]-now[g.Second]))
		score[min(g.First, g.Second)]++
	}
	// 128 halves seven times: all groups are even until the end.
	if apart != 0 || slices.Index(score, 14) != 0 {
		t.Errorf("%v points apart, scores %v", apart, score)
	}
}

// The strongest of 500 wins; where luck has a part somebody near the top does.
func TestSwissFindsTheStrongest(t *testing.T) {
	if testing.Short() {
		t.Skip("500 engines")
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{500, 101} {
		luck := n < 500
		p := Plan{Format: SwissSystem, Engines: n, Games: 2, Rounds: SwissRounds(n)}
		strength := r.Perm(n)
		s := newSwiss(p, DefaultPoints)
		list := simulate(s, func(g Pairing) game.Result {
			d := float64(strength[g.First] - strength[g.Second])
			if luck {
				d += r.NormFloat64() * 5
			}
			if d > 0 {
				return game.Win(game.First, "x", "")
			}
			return game.Win(game.Second, "x", "")
		})
		if len(list) != p.Rounds*(n/2)*2 {
			t.Fatalf("%d games", len(list))
		}
		table := s.Table()
		if winner := strength[table[0].Engine]; !luck && winner != n-1 || winner < n-10 {
			t.Errorf("luck %v: number %d from the top won", luck, n-winner)
		}
		met := map[[2]int]int{}
		for _, g := range list {
			met[[2]int{min(g.First, g.Second), max(g.First, g.Second)}]++
		}
		if len(met) != p.Rounds*(n/2) {
			t.Errorf("luck %v: only %d different pairs met", luck, len(met))
		}
	}
}

// The tie-breaks again, from the list of games alone.
func TestTieBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "engines")
		p := Plan{Format: SwissSystem, Engines: n, Games: rapid.IntRange(1, 3).Draw(t, "games"), Rounds: rapid.IntRange(1, 6).Draw(t, "rounds")}
		points := Points{Win: float64(rapid.IntRange(1, 3).Draw(t, "win")), Draw: 0.5}
		judge := coin(rapid.Uint64().Draw(t, "results"))
		type part struct{ opponent, round, halves int }
		var parts []map[int]*part // by engine and round
		for range n {
			parts = append(parts, map[int]*part{})
		}
		score := make([]float64, n)
		s := newSwiss(p, points)
		list := simulate(s, func(g Pairing) game.Result {
			r := judge(g)
			for seat, e := range []int{g.First, g.Second} {
				if parts[e][g.Round] == nil {
					parts[e][g.Round] = &part{opponent: g.First + g.Second - e, round: g.Round}
				}
				parts[e][g.Round].halves += int(2 * r.Points[seat])
				score[e] += map[float64]float64{1: points.Win, 0.5: points.Draw}[r.Points[seat]]
			}
			return r
		})
		for e := range n {
			score[e] += float64((p.Rounds-len(parts[e]))*p.Games) * points.Win
		}
		if len(list) == 0 {
			t.Fatal("no games")
		}
		table := s.Table()
		for i, row := range table {
			e := row.Engine
			var all []float64
			berger := 0.0
			for round := 1; round <= p.Rounds; round++ {
				if m := parts[e][round]; m != nil {
					all = append(all, score[m.opponent])
					berger += score[m.opponent] * float64(m.halves) / float64(2*p.Games)
				} else {
					all = append(all, score[e])
					berger += score[e]
				}
			}
			slices.Sort(all)
			sum := func(list []float64) (x float64) {
				for _, v := range list {
					x += v
				}
				return x
			}
			median := 0.0
			if len(all) > 2 {
				median = sum(all[1 : len(all)-1])
			}
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
			if !near(row.Points, score[e]) || !near(row.Buchholz, sum(all)) || !near(row.Median, median) || !near(row.SonnebornBerger, berger) {
				t.Errorf("%+v: want points %v, Buchholz %v, median %v, Sonneborn-Berger %v", row, score[e], sum(all), median, berger)
			}
			if i > 0 {
				a, b := table[i-1], row
				if c := cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Buchholz, a.Buchholz), cmp.Compare(b.Median, a.Median),
					cmp.Compare(b.SonnebornBerger, a.SonnebornBerger), cmp.Compare(b.Direct, a.Direct)); c > 0 || (c == 0) != (a.Rank == b.Rank) {
					t.Errorf("order: %+v before %+v", a, b)
				}
			}
		}
	})
}

// TestTieBreakTables holds tables that were worked out by hand.
func TestTieBreakTables(t *testing.T) {
	data, err := os.ReadFile("testdata/tiebreaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(data), "\n\n") {
		var s *Swiss
		var want, got []string
		for line := range strings.Lines(block) {
			w := strings.Fields(line)
			switch {
			case len(w) == 0 || w[0] == "#":
			case w[0] == "engines":
				var n int
				fmt.Sscan(w[1], &n)
				s = newSwiss(Plan{Format: SwissSystem, Engines: n, Games: 1, Rounds: 9}, DefaultPoints)
			case w[0] == "bye":
				e := int(w[1][0] - 'A')
				s.players[e].byes++
				s.players[e].score++
			case w[1] == "-":
				a, b := int(w[0][0]-'A'), int(w[2][0]-'A')
				r := map[string][3]int{"1-0": {1, 0, 0}, "½-½": {0, 1, 0}, "0-1": {0, 0, 1}}[w[3]]
				s.players[a].met = append(s.players[a].met, encounter{b, 0, r[0], r[1], r[2]})
				s.players[b].met = append(s.players[b].met, encounter{a, 0, r[2], r[1], r[0]})
				s.players[a].score += float64(r[0]) + float64(r[1])/2
				s.players[b].score += float64(r[2]) + float64(r[1])/2
				s.times[a+1][b+1]++
				s.times[b+1][a+1]++
			default:
				want = append(want, strings.Join(w, " "))
			}
		}
		if s == nil {
			continue
		}
		for _, r := range s.Table() {
			got = append(got, fmt.Sprintf("%d %c %v %v %v %v %v", r.Rank, 'A'+r.Engine, r.Points, r.Buchholz, r.Median, r.SonnebornBerger, r.Direct))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", block, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// What weighs more in the pairing of a round.
func TestSwissWeighs(t *testing.T) {
	for _, c := range []struct {
		what    string
		score   []float64
		balance []int
		met     [][2]int
		want    string
	}{
		{"half a group away", []float64{1, 1, 1, 1}, []int{0, 0, 0, 0}, nil, "0-2 1-3"},
		{"not those who both should begin", []float64{1, 1, 1, 1}, []int{1, -1, 1, -1}, nil, "0-1 2-3"},
		{"scores before seats", []float64{1, 1, 0, 0}, []int{1, 1, -1, -1}, nil, "0-1 2-3"},
		{"seats before scores at three", []float64{1, 1, 0, 0}, []int{2, 2, -2, -2}, nil, "0-2 1-3, 0-3 1-2"},
		{"no second meeting, whatever the seats", []float64{1, 1, 0, 0}, []int{2, 2, -2, -2}, [][2]int{{0, 2}, {1, 3}, {0, 3}, {1, 2}}, "0-1 2-3"},
		{"the last group has the bye", []float64{2, 1, 1}, []int{0, 0, 0}, nil, "0-1 2-3"},
		{"a bye once", []float64{2, 1, 1}, []int{0, 0, 0}, [][2]int{{2, 3}}, "0-2 1-3"},
		{"the next group, not the one after", []float64{3, 2, 2, 1}, []int{0, 0, 0, 0}, nil, "0-1 2-3"},
	} {
		n := len(c.score)
		s := newSwiss(Plan{Format: SwissSystem, Engines: n, Games: 1, Rounds: 9}, DefaultPoints)
		s.round = 1
		for e := range n {
			s.players[e].score, s.balance[e] = c.score[e], c.balance[e]
		}
		for _, m := range c.met {
			a, b := m[0]+1, (m[1]+1)%(n+1) // n is the bye
			s.times[a][b]++
			s.times[b][a]++
		}
		f := s.field(nil)
		for _, mates := range [][]int{f.choose(0), cheapest(len(f.order), f.cost)} {
			var got []string
			for a, b := range mates {
				if a < b {
					got = append(got, fmt.Sprintf("%d-%d", f.order[a], (f.order[b]+n+1)%(n+1)))
				}
			}
			if !slices.Contains(strings.Split(c.want, ", "), strings.Join(got, " ")) {
				t.Errorf("%s: %v, want %s", c.what, got, c.want)
			}
		}
	}
}
