package rating

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// goldenField returns the games of testdata/field.txt by seats, and its other rows.
func goldenField(t *testing.T) (duels []Duel, rows map[string][2][]float64) {
	t.Helper()
	names := map[string]int{"Alpha": 0, "Beta": 1, "Gamma": 2, "Delta": 3}
	rows = map[string][2][]float64{}
	for _, col := range vectors(t, "field.txt") {
		if col[0] != "game" {
			rows[col[0]] = [2][]float64{numbers(t, col[1]), numbers(t, col[2])}
			continue
		}
		who := strings.Fields(col[1])
		a, b := names[who[0]], names[who[1]]
		seats := [2]Duel{{First: a, Second: b}, {First: b, Second: a}}
		game := 0
		for kind, n := range numbers(t, col[2]) {
			for range int(n) {
				d := &seats[game%2]
				switch {
				case kind == 1:
					d.Draws++
				case (kind == 0) == (game%2 == 0):
					d.Wins++
				default:
					d.Losses++
				}
				game++
			}
		}
		duels = append(duels, seats[0], seats[1])
	}
	return duels, rows
}

func rate(t *testing.T, f Field, players int, duels []Duel) *Ratings {
	t.Helper()
	r, err := f.Rate(players, duels)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestField(t *testing.T) {
	duels, rows := goldenField(t)
	all := func(what string, got []float64) {
		want := rows[what]
		for i, x := range want[0] {
			near(t, what, got[i], x, want[1][0])
		}
	}
	ordo := BradleyTerry()
	ordo.Scale = OrdoScale
	all("ordo", rate(t, ordo, 4, duels).Elo)
	all("elo", rate(t, BradleyTerry(), 4, duels).Elo)
	ordo.FitAdvantage = true
	r := rate(t, ordo, 4, duels)
	all("ordo errors", r.Error)
	all("ordo advantage", []float64{r.Advantage})
	all("ordo advantage error", []float64{r.AdvantageError / Z95})
	r = rate(t, BayesEloField(), 4, duels)
	all("bayeselo", r.Elo)
	all("bayeselo errors", r.Error)
	fitted := BayesEloField()
	fitted.FitAdvantage, fitted.FitThreshold = true, true
	r = rate(t, fitted, 4, duels)
	all("bayeselo fitted", r.Elo)
	all("bayeselo advantage, draw", []float64{r.Advantage, r.Threshold})
}

// A second way to the same ratings: every expected score is the score made
// (Bradley-Terry), and no step in any parameter is likelier (BayesElo).
func TestFieldIsTheMaximum(t *testing.T) {
	duels, _ := goldenField(t)
	r := rate(t, BradleyTerry(), 4, duels)
	made, expected := make([]float64, 4), make([]float64, 4)
	for _, d := range duels {
		p := Score(r.Elo[d.First] - r.Elo[d.Second])
		expected[d.First] += p * d.games()
		expected[d.Second] += (1 - p) * d.games()
		made[d.First] += d.Wins + d.Draws/2
		made[d.Second] += d.Losses + d.Draws/2
	}
	for i := range made {
		near(t, "points", expected[i], made[i], 1e-7)
	}

	f := Field{Draws: ThresholdDraws, FitAdvantage: true, FitThreshold: true}
	r = rate(t, f, 4, duels)
	likelihood := func(elo []float64, advantage, threshold float64) float64 {
		var sum float64
		for _, d := range duels {
			p := bayesOdds(elo[d.First]-elo[d.Second]+advantage, threshold)
			sum += d.Losses*math.Log(p[0]) + d.Draws*math.Log(p[1]) + d.Wins*math.Log(p[2])
		}
		return sum
	}
	best := likelihood(r.Elo, r.Advantage, r.Threshold)
	for k := range 6 {
		for _, step := range []float64{-1, 1} {
			elo, adv, thr := append([]float64{}, r.Elo...), r.Advantage, r.Threshold
			switch k {
			case 4:
				adv += step
			case 5:
				thr += step
			default:
				elo[k] += step
			}
			if likelihood(elo, adv, thr) >= best {
				t.Errorf("a step of %v in parameter %d is likelier", step, k)
			}
		}
	}
}

func TestAnchors(t *testing.T) {
	duels, _ := goldenField(t)
	free := rate(t, BradleyTerry(), 4, duels)
	f := BradleyTerry()
	f.Anchors = map[int]float64{2: 2000}
	one := rate(t, f, 4, duels)
	for i := range 4 {
		near(t, "shifted", one.Elo[i]-one.Elo[2], free.Elo[i]-free.Elo[2], 1e-7)
		for j := range 4 {
			near(t, "superiority", one.Superiority(i, j), free.Superiority(i, j), 1e-9)
		}
	}
	if one.Elo[2] != 2000 || one.Error[2] != 0 || one.Error[0] <= free.Error[0] {
		t.Errorf("anchored: %v ± %v", one.Elo, one.Error)
	}
	f.Anchors[0] = 2300
	two := rate(t, f, 4, duels)
	if two.Elo[0] != 2300 || two.Elo[2] != 2000 || !(two.Elo[1] > one.Elo[1] && two.Elo[1] < 2300) {
		t.Errorf("two anchors: %v", two.Elo)
	}
	f.Anchors = map[int]float64{0: 1, 1: 2, 2: 3, 3: 4}
	if r := rate(t, f, 4, duels); r.Elo[3] != 4 {
		t.Errorf("all anchored: %v", r.Elo)
	}
}

// Who won or lost everything has no finite rating, and does not spoil the others'.
func TestOneWay(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name    string
		players int
		duels   []Duel
		want    []float64 // NaN: no comparison; 0: any number
	}{
		{"two, all won", 2, []Duel{{0, 1, 5, 0, 0}, {1, 0, 0, 0, 5}}, []float64{inf, -inf}},
		{"nobody played", 2, nil, []float64{math.NaN(), math.NaN()}},
		{"one above two", 3, []Duel{{0, 1, 5, 0, 0}, {1, 2, 1, 0, 1}}, []float64{inf, 0, 0}},
		{"above and below", 4, []Duel{{0, 1, 5, 0, 0}, {1, 2, 1, 0, 1}, {2, 3, 1, 0, 0}}, []float64{inf, 0, 0, -inf}},
		{"strangers", 4, []Duel{{0, 1, 1, 0, 1}, {2, 3, 1, 0, 0}}, []float64{0, 0, math.NaN(), math.NaN()}},
		{"a draw is enough", 2, []Duel{{0, 1, 9, 1, 0}}, []float64{0, 0}},
	} {
		r := rate(t, BradleyTerry(), c.players, c.duels)
		for i, want := range c.want {
			got := r.Elo[i]
			if want == 0 && (math.IsNaN(got) || math.IsInf(got, 0)) || want != 0 && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %v, want %v", c.name, r.Elo, c.want)
			}
		}
	}
	// A single draw scatters nothing: equal all the same.
	if r := rate(t, BradleyTerry(), 3, []Duel{{0, 1, 0, 1, 0}, {1, 2, 3, 0, 1}}); r.Superiority(0, 1) != 0.5 {
		t.Errorf("after a draw: %v, %v", r.Elo, r.Superiority(0, 1))
	}
	r := rate(t, BayesEloField(), 2, []Duel{{0, 1, 5, 0, 0}})
	if !(r.Elo[0] > 0 && r.Elo[0] < 1000) {
		t.Errorf("virtual draws make it finite: %v", r.Elo)
	}
	if r := rate(t, BradleyTerry(), 2, []Duel{{0, 1, 5, 0, 0}}); r.Superiority(0, 1) != 1 || r.Superiority(1, 0) != 0 {
		t.Error("who won everything is superior")
	}
}

func TestFieldsThatCannotBeRated(t *testing.T) {
	duels := []Duel{{0, 1, 3, 0, 2}}
	for want, f := range map[string]Field{
		"threshold of draws cannot be found": {Draws: ThresholdDraws, FitThreshold: true},
		"only models with a threshold":       {FitThreshold: true},
		"must be above 0":                    {Draws: ThresholdDraws},
		"anchor 7 among 2":                   {Anchors: map[int]float64{7: 1}},
	} {
		if _, err := f.Rate(2, duels); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := BradleyTerry().Rate(1, duels); err == nil {
		t.Error("a duel with a player that is not there")
	}
	apart := []Duel{{0, 1, 10, 0, 0}, {1, 0, 1, 0, 9}}
	if _, err := (Field{FitAdvantage: true}).Rate(2, apart); !errors.Is(err, ErrNoMaximum) {
		t.Errorf("an advantage without bound: %v", err)
	}
	f := Field{Anchors: map[int]float64{0: 1}}
	if _, err := f.Rate(2, []Duel{{0, 1, 1, 0, 0}}); err == nil || !strings.Contains(err.Error(), "cannot be compared") {
		t.Errorf("anchored without a comparison: %v", err)
	}
}

// TestKnownStrengths recovers the strengths of simulated players: the true ratings
// lie within the stated 95 % errors about as often as stated.
func TestKnownStrengths(t *testing.T) {
	truth := []float64{-150, -60, 10, 80, 120}
	const advantage, draw, tournaments, games = 40.0, 100.0, 200, 60
	r := rand.New(rand.NewPCG(7, 20261121))
	models := []struct {
		name   string
		f      Field
		inside int
		elo    float64 // 1 for models whose unit is that of truth
	}{
		{name: "bradley-terry", f: Field{FitAdvantage: true}},
		{name: "threshold", f: Field{Draws: ThresholdDraws, FitAdvantage: true, FitThreshold: true}},
	}
	sums := [2][]float64{make([]float64, 5), make([]float64, 5)}
	seat := 0
	for range tournaments {
		var duels []Duel
		for a := range truth {
			for b := range truth {
				if a == b {
					continue
				}
				d, p := Duel{First: a, Second: b}, bayesOdds(truth[a]-truth[b]+advantage, draw)
				for range games {
					switch x := r.Float64(); {
					case x < p[0]:
						d.Losses++
					case x < p[0]+p[1]:
						d.Draws++
					default:
						d.Wins++
					}
				}
				duels = append(duels, d)
			}
		}
		for k := range models {
			m := &models[k]
			got := rate(t, m.f, len(truth), duels)
			target := truth
			if k == 0 { // draws as halves flatten the scale; their own limit is the truth
				target = halves(t, truth, advantage, draw, m.f)
			}
			for i := range truth {
				sums[k][i] += got.Elo[i] - target[i]
				if math.Abs(got.Elo[i]-target[i]) <= got.Error[i] {
					m.inside++
				}
			}
			if k == 1 && math.Abs(got.Advantage-advantage) <= got.AdvantageError {
				seat++
			}
		}
	}
	for k, m := range models {
		share := float64(m.inside) / float64(tournaments*len(truth))
		t.Logf("%s: %.1f %% inside their errors", m.name, 100*share)
		if share < 0.92 || share > 0.98 {
			t.Errorf("%s: %.1f %% of the ratings lie within their 95 %% errors", m.name, 100*share)
		}
		for i, x := range sums[k] {
			if mean := x / tournaments; math.Abs(mean) > 3 {
				t.Errorf("%s: player %d is off by %.1f on the average", m.name, i, mean)
			}
		}
	}
	if share := float64(seat) / tournaments; share < 0.9 {
		t.Errorf("the advantage lies within its error in %.1f %%", 100*share)
	}
}

// halves are the ratings that draws as halves give without any chance.
func halves(t *testing.T, truth []float64, advantage, draw float64, f Field) []float64 {
	var duels []Duel
	for a := range truth {
		for b := range truth {
			if a != b {
				p := bayesOdds(truth[a]-truth[b]+advantage, draw)
				duels = append(duels, Duel{First: a, Second: b, Losses: p[0], Draws: p[1], Wins: p[2]})
			}
		}
	}
	return rate(t, f, len(truth), duels).Elo
}

func TestGlicko2(t *testing.T) {
	for _, col := range vectors(t, "glicko2.txt") {
		p, want := numbers(t, col[0]), numbers(t, col[2])
		var games []Met
		for g := range strings.SplitSeq(col[1], ",") {
			x := numbers(t, g)
			games = append(games, Met{Glicko2{Rating: x[0], Deviation: x[1]}, x[2]})
		}
		got, v, delta := Glicko2{p[0], p[1], p[2]}.update(games, 0.5)
		near(t, "rating", got.Rating, want[0], 1e-6)
		near(t, "deviation", got.Deviation, want[1], 1e-6)
		near(t, "volatility", got.Volatility, want[2], 1e-10)
		near(t, "v", v, want[3], 1e-6)
		near(t, "delta", delta, want[4], 1e-6)
	}
	idle := Glicko2{1500, 200, 0.06}.Update(nil, 0.5)
	near(t, "idle", idle.Deviation, math.Hypot(200, 0.06*glickoScale), 1e-9)
	wild := NewGlicko2().Update([]Met{{Glicko2{2800, 30, 0.06}, 1}, {Glicko2{2800, 30, 0.06}, 1}}, 1.2)
	if !(wild.Rating > 1500 && wild.Volatility >= 0.06) || math.IsInf(wild.Rating, 0) {
		t.Errorf("surprises: %+v", wild)
	}
}

func TestConventions(t *testing.T) {
	for _, col := range vectors(t, "conventions.txt") {
		e := Counts{numbers(t, col[1])}.EstimateBy(Convention(col[0]))
		want := numbers(t, col[2])
		near(t, col[0]+" elo", e.Elo, want[0], 5e-5)
		near(t, col[0]+" error", e.Error, want[1], 5e-5)
		near(t, col[0]+" los", 100*e.LOS, numbers(t, col[3])[0], 5e-3)
	}
	near(t, "z", cutechessZ(), 1.95716, 5e-6)
	for _, k := range []struct {
		c    Counts
		want string
	}{ // what fastchess 1.8.2 printed, without the signs of zero and of NaN
		{Pentanomial(0, 0, 2, 0, 0), "0.00 0.00 NaN NaN NaN"},
		{Trinomial(0, 0, 10), "+Inf NaN +Inf NaN 1.00"},
		{Trinomial(2, 0, 0), "-Inf NaN -Inf NaN 0.00"},
		{Trinomial(1, 0, 2), "120.41 NaN 122.84 393.15 0.73"},
	} {
		e := k.c.EstimateBy(FastchessWay)
		if got := fmt.Sprintf("%.2f %.2f %.2f %.2f %.2f", e.Elo, e.Error, e.NElo, e.NError, e.LOS); strings.ReplaceAll(got, "-0.00", "0.00") != k.want {
			t.Errorf("%v: %s, want %s", k.c.N, got, k.want)
		}
	}
	few, many := Trinomial(2, 2, 2), Trinomial(2000, 2000, 2000)
	if few.EstimateBy(OpenBenchWay).Error <= few.Estimate().Error {
		t.Error("Student's interval is wider")
	}
	near(t, "many games", many.EstimateBy(OpenBenchWay).Error, many.Estimate().Error, 0.01)
}
