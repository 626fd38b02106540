package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// field of simulated games: players of known strength, each game on one of several
// hosts, in pairs or not. flip returns how often a host turns a result round.
type fieldOfHosts struct {
	strengths []float64
	advantage float64
	draws     float64 // share of games
	games     int
	hosts     int
	pairs     bool
	flip      func(host int) float64
}

func (f *fieldOfHosts) play(r *rand.Rand) []Observed {
	var out []Observed
	for i := range f.games {
		a := r.IntN(len(f.strengths))
		b := (a + 1 + r.IntN(len(f.strengths)-1)) % len(f.strengths)
		if f.strengths[b] > f.strengths[a] {
			a, b = b, a
		}
		host := r.IntN(f.hosts)
		common := 0.0 // what both games of a pair have in common: the opening
		if f.pairs {
			common = 200 * r.NormFloat64()
		}
		for k := range 2 {
			seats := [2]int{a, b}
			if k == 1 {
				seats = [2]int{b, a}
			}
			p := Score(f.strengths[seats[0]] - f.strengths[seats[1]] + f.advantage + common)
			d := f.draws * 2 * min(p, 1-p)
			score := 0.5
			if x := r.Float64(); x < p-d/2 {
				score = 1
			} else if x >= p+d/2 {
				score = 0
			}
			if r.Float64() < f.flip(host) {
				score = 1 - score
			}
			g := Observed{First: seats[0], Second: seats[1], Score: score, Group: host, ForSecond: k == 1}
			if f.pairs {
				g.Pair = i + 1
			}
			out = append(out, g)
		}
	}
	return out
}

func honest(int) float64 { return 0 }

func residualField() Field { return Field{FitAdvantage: true} }

// Without anything wrong groups are marked, and the test of all of them is below
// 5 %, no more often than promised, but for the noise of the simulation (three
// standard deviations); nor much less often.
func TestNoFalseAlarms(t *testing.T) {
	sims := 1000
	if testing.Short() {
		sims = 100
	}
	for name, f := range map[string]*fieldOfHosts{
		"two players, pairs": {strengths: []float64{20, -20}, draws: 0.4, games: 300, hosts: 6, pairs: true, flip: honest},
		"six players":        {strengths: []float64{300, 150, 50, -50, -150, -300}, advantage: 40, draws: 0.3, games: 300, hosts: 8, flip: honest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(len(name))))
			marked, low := 0, 0
			for range sims {
				table, err := Residuals(residualField(), len(f.strengths), f.play(r), f.hosts)
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range table.Groups {
					if g.Outlier > 0 {
						marked++
						break
					}
				}
				if table.P < 0.05 {
					low++
				}
			}
			n := float64(sims)
			noise := 3 * math.Sqrt(0.05*0.95/n)
			t.Logf("of %d: %d with a group marked, %d below 5 %% together", sims, marked, low)
			for _, k := range []int{marked, low} {
				if rate := float64(k) / n; rate > 0.05+noise || rate < 0.05-max(noise, 0.035) {
					t.Errorf("%.1f %% of the tables, promised 5 %%", 100*rate)
				}
			}
		})
	}
}

// A host that turns one result in ten round is found; seldom another with it, which
// the ratings that it bent make look odd.
func TestBadHostIsFound(t *testing.T) {
	sims := 100
	if testing.Short() {
		sims = 20
	}
	const bad = 3
	f := &fieldOfHosts{
		strengths: []float64{150, -150}, draws: 0.3, games: 4000, hosts: 8, pairs: true,
		flip: func(host int) float64 {
			if host == bad {
				return 0.1
			}
			return 0
		},
	}
	r := rand.New(rand.NewPCG(8, 8))
	found, others := 0, 0
	for range sims {
		table, err := Residuals(residualField(), len(f.strengths), f.play(r), f.hosts)
		if err != nil {
			t.Fatal(err)
		}
		for host, g := range table.Groups {
			switch {
			case g.Outlier == 0:
			case host == bad:
				found++
			default:
				others++
			}
		}
	}
	t.Logf("found in %d of %d, %d others marked", found, sims, others)
	if found < sims*95/100 || others > sims*2/5 {
		t.Errorf("found in %d of %d, %d others marked", found, sims, others)
	}
}

// Residuals of groups worked out by hand: two players of equal results, no
// advantage fitted, so that every expected score is ½ and, as the rating is found
// from the same games, the residuals of two groups are opposite.
func TestResidualsByHand(t *testing.T) {
	var games []Observed
	for i := range 40 {
		g := Observed{First: 0, Second: 1, Group: i % 2}
		// Group 0 wins 15 of 20, group 1 wins 5.
		if (i/2 < 15) == (i%2 == 0) {
			g.Score = 1
		}
		games = append(games, g)
	}
	table, err := Residuals(Field{}, 2, games, 2)
	if err != nil {
		t.Fatal(err)
	}
	// φ = (40·¼)/(40·¼)·40/39; the variance of a group is φ(20·¼ − 20·¼/2).
	z := 5 / math.Sqrt(40./39*2.5)
	near(t, "z", table.Groups[0].Z, z, 1e-6)
	near(t, "z", table.Groups[1].Z, -z, 1e-6)
	near(t, "chi2", table.Chi2, z*z, 1e-6)
	near(t, "p", table.P, table.Groups[0].P, 1e-9)
	if table.DF != 1 || table.Groups[0].Points != 15 || table.Groups[0].Outlier != 0.01 {
		t.Errorf("%+v", table)
	}
}

// Groups of few games, and games of who won everything, are not judged.
func TestTooFewToJudge(t *testing.T) {
	games := []Observed{{First: 0, Second: 1, Score: 1}, {First: 1, Second: 0, Score: 1}, {First: 2, Second: 0, Score: 1}, {First: 2, Second: 1, Score: 1, Group: 1}}
	table, err := Residuals(Field{}, 3, games, 2)
	if err != nil {
		t.Fatal(err)
	}
	if table.Skipped != 2 || !math.IsNaN(table.P) || !math.IsNaN(table.Groups[0].Z) || table.Groups[0].Outlier != 0 {
		t.Errorf("%+v", table)
	}
}
