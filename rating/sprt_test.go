package rating

import (
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// vectors returns the columns of a file of golden values.
func vectors(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		col := strings.Split(line, "|")
		for i := range col {
			col[i] = strings.TrimSpace(col[i])
		}
		out = append(out, col)
	}
	return out
}

func TestLLR(t *testing.T) {
	for _, col := range vectors(t, "llr.txt") {
		t.Run(strings.Join(col[:3], " "), func(t *testing.T) {
			elo := numbers(t, col[2])
			s := SPRT{Elo0: elo[0], Elo1: elo[1], Alpha: 0.05, Beta: 0.05, Model: Model(col[0])}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			near(t, "llr", s.LLR(Counts{numbers(t, col[1])}), numbers(t, col[3])[0], numbers(t, col[4])[0])
		})
	}
}

func TestBounds(t *testing.T) {
	for _, col := range vectors(t, "bounds.txt") {
		in, want := numbers(t, col[0]), numbers(t, col[1])
		lower, upper := SPRT{Alpha: in[0], Beta: in[1]}.Bounds()
		near(t, "lower", lower, want[0], 1e-15)
		near(t, "upper", upper, want[1], 1e-15)
	}
}

// The normalized ratio is near its close form when there are many games, and not
// when there are few.
func TestCloseForm(t *testing.T) {
	closed := func(c Counts, e0, e1 float64) float64 {
		e := c.Estimate()
		d0, d1 := (e.NElo-e0)/eloPerLogit, (e.NElo-e1)/eloPerLogit
		games := c.Total()
		if c.pairs() {
			games *= 2
		}
		return games / 2 * math.Log((1+d0*d0)/(1+d1*d1))
	}
	s := SPRT{Elo0: 0, Elo1: 10, Model: Normalized}
	few := Pentanomial(10, 20, 40, 30, 20)
	near(t, "close form", closed(few, 0, 10), 0.93214, 5e-6)
	if math.Abs(s.LLR(few)-closed(few, 0, 10)) < 0.005 {
		t.Error("few pairs: the close form should not be good")
	}
	many := Pentanomial(365, 16618, 36229, 16974, 390)
	near(t, "many pairs", s.LLR(many), closed(many, 0, 10), 0.05)
}

// drawn is a sequential test and counts for it.
func drawn(t *rapid.T) (SPRT, Counts) {
	k := rapid.SampledFrom([]int{3, 5}).Draw(t, "outcomes")
	c := Counts{make([]float64, k)}
	for i := range c.N {
		c.N[i] = float64(rapid.IntRange(0, 5000).Draw(t, "count"))
	}
	models := Models()
	if k == 5 {
		models = []Model{Logistic, Normalized, Approximate}
	}
	s := SPRT{Alpha: 0.05, Beta: 0.05, Model: rapid.SampledFrom(models).Draw(t, "model")}
	s.Elo0 = rapid.Float64Range(-100, 100).Draw(t, "elo0")
	s.Elo1 = s.Elo0 + rapid.Float64Range(0.5, 50).Draw(t, "width")
	return s, c
}

// A ratio is a number for all counts, and changes its sign when the sides and
// hypotheses are exchanged.
func TestLLRMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, c := drawn(t)
		llr := s.LLR(c)
		if math.IsNaN(llr) || math.IsInf(llr, 0) {
			t.Fatalf("%+v %v: %v", s, c, llr)
		}
		other := Counts{make([]float64, len(c.N))}
		for i, x := range c.N {
			other.N[len(c.N)-1-i] = x
		}
		m := s
		m.Elo0, m.Elo1 = -s.Elo1, -s.Elo0
		if back := m.LLR(other); math.Abs(llr+back) > 1e-6*(1+math.Abs(llr)) {
			t.Fatalf("%+v %v: %v, mirrored %v", s, c, llr, back)
		}
	})
}

// Hypotheses far from what happened have a ratio too.
func TestFarHypotheses(t *testing.T) {
	for _, c := range []Counts{Pentanomial(200, 0, 0, 0, 0), Pentanomial(0, 0, 1, 0, 0), Pentanomial(1, 0, 0, 0, 1), Trinomial(0, 0, 30), Trinomial(1000, 1, 0), Trinomial(5, 5, 5)} {
		for _, e := range []float64{-1000, -300, -30, 0, 30, 300, 1000} {
			q, u := c.regular().withRatio(e/eloPerLogit), math.NaN()
			if mean, sigma := q.moments(len(c.N)); sigma > 0 {
				u = (mean - 0.5) / sigma * eloPerLogit
			}
			near(t, c.Unit(), u, e, 1e-4)
			for _, m := range []Model{Logistic, Normalized} {
				s := SPRT{Elo0: e - 5, Elo1: e, Alpha: 0.05, Beta: 0.05, Model: m}
				if llr := s.LLR(c); math.IsNaN(llr) || math.IsInf(llr, 0) {
					t.Errorf("%v %+v: %v", c, s, llr)
				}
			}
		}
	}
}

// The distributions under the hypotheses have what the hypotheses say: computed
// again from their definition.
func TestDistributionsMeetTheirHypotheses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, c := drawn(t)
		if c.Total() == 0 {
			return
		}
		c = c.regular()
		check := func(what string, q odds, got func(mean, sigma float64) float64, want float64) {
			var total, mean, v float64
			top := float64(len(c.N) - 1)
			for i := range c.N {
				total += q[i]
				mean += q[i] * float64(i) / top
			}
			for i := range c.N {
				v += q[i] * (float64(i)/top - mean) * (float64(i)/top - mean)
			}
			if math.Abs(total-1) > 1e-8 || math.Abs(got(mean, math.Sqrt(v))-want) > 1e-7 {
				t.Fatalf("%s %v: sum %v, %v, want %v", what, c, total, got(mean, math.Sqrt(v)), want)
			}
		}
		check("mean", c.withMean(Score(s.Elo0)), func(mean, _ float64) float64 { return mean }, Score(s.Elo0))
		check("t", c.withRatio(s.Elo0/eloPerLogit), func(mean, sigma float64) float64 { return (mean - 0.5) / sigma }, s.Elo0/eloPerLogit)
	})
}

func TestTestsThatCannotBeMade(t *testing.T) {
	good := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: Logistic}
	for want, spoil := range map[string]func(*SPRT){
		"known are logistic":  func(s *SPRT) { s.Model = "x" },
		"must be less than":   func(s *SPRT) { s.Elo1 = 0 },
		"must lie between -1": func(s *SPRT) { s.Elo1 = math.NaN() },
		"alpha=0:":            func(s *SPRT) { s.Alpha = 0 },
		"beta=0.5:":           func(s *SPRT) { s.Beta = 0.5 },
	} {
		s := good
		spoil(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
	s := good
	s.Model = Bayesian
	if !math.IsNaN(s.LLR(Pentanomial(1, 2, 3, 4, 5))) {
		t.Error("BayesElo has no pairs")
	}
	if s.LLR(Trinomial(0, 0, 0)) != 0 {
		t.Error("without games there is no ratio")
	}
}

// However many draws there are, and nothing else, every model has an answer.
func TestDrawsAlone(t *testing.T) {
	for _, n := range []int{1, 30, 292, 1e5, 1e9} {
		for _, m := range Models() {
			s := SPRT{Elo0: 1, Elo1: 51, Alpha: 0.05, Beta: 0.05, Model: m}
			if llr := s.LLR(Trinomial(0, n, 0)); math.IsNaN(llr) || math.IsInf(llr, 0) || llr > 1e-9 {
				t.Errorf("%s after %d draws: %v", m, n, llr)
			}
		}
	}
}
