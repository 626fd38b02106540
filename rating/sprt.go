package rating

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Model says how the two hypotheses of a sequential test are stated and compared.
type Model string

// The models. Logistic, Normalized and Bayesian are those of fastchess under the
// same names; the others are those of older tools, for comparison.
const (
	// Logistic has bounds in Elo and compares the likeliest distributions of
	// results with those mean scores (generalised SPRT, fishtest).
	Logistic Model = "logistic"
	// Normalized has bounds in normalized Elo: the mean in standard deviations of
	// one game (fishtest).
	Normalized Model = "normalized"
	// Bayesian has bounds in BayesElo; they become mean scores through the share of
	// draws in the sample, and the test goes on as Logistic (fastchess). It counts
	// single games only.
	Bayesian Model = "bayesian"
	// Cutechess has bounds in Elo, which it turns into BayesElo, and compares the
	// distributions of that model; ½ is added to each count.
	Cutechess Model = "cutechess"
	// BayesElo is Cutechess without the change of scale and without the halves
	// (OpenBench once).
	BayesElo Model = "bayeselo"
	// Approximate takes the normal distribution for that of the scores
	// (c-chess-cli, c-gomoku-cli).
	Approximate Model = "approximate"
)

// Models returns all models, the three usual ones first.
func Models() []Model {
	return []Model{Logistic, Normalized, Bayesian, Cutechess, BayesElo, Approximate}
}

// Pairs reports whether the model can count pairs of games; models of BayesElo
// know single games only.
func (m Model) Pairs() bool { return m == Logistic || m == Normalized || m == Approximate }

// SPRT is a sequential probability ratio test of H1 (Elo1) against H0 (Elo0).
type SPRT struct {
	// Elo0 and Elo1 are in the unit of the model; Elo0 < Elo1.
	Elo0, Elo1 float64
	// Alpha is the chance to accept H1 where H0 is true, Beta the chance to accept
	// H0 where H1 is true; both above 0 and below ½.
	Alpha, Beta float64
	Model       Model
}

// MaxElo bounds the hypotheses of a test: nobody needs a test that far out.
const MaxElo = 1000

// Check returns why the test cannot be made.
func (s SPRT) Check() error {
	switch {
	case !slices.Contains(Models(), s.Model):
		var known []string
		for _, m := range Models() {
			known = append(known, string(m))
		}
		return fmt.Errorf("model=%s: known are %s", s.Model, strings.Join(known, " "))
	case !(math.Abs(s.Elo0) <= MaxElo && math.Abs(s.Elo1) <= MaxElo):
		return fmt.Errorf("elo0=%v elo1=%v: must lie between -%d and %d", s.Elo0, s.Elo1, MaxElo, MaxElo)
	case s.Elo0 >= s.Elo1:
		return fmt.Errorf("elo0=%v elo1=%v: elo0 must be less than elo1", s.Elo0, s.Elo1)
	case !(s.Alpha > 0 && s.Alpha < 0.5):
		return fmt.Errorf("alpha=%v: must lie between 0 and 0.5", s.Alpha)
	case !(s.Beta > 0 && s.Beta < 0.5):
		return fmt.Errorf("beta=%v: must lie between 0 and 0.5", s.Beta)
	}
	return nil
}

// Bounds returns the log likelihood ratios at which H0 and H1 are accepted (Wald):
// ln(β/(1−α)) and ln((1−β)/α).
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Decision is the state of a test.
type Decision string

// The states of a test.
const (
	Continue Decision = "continue"
	AcceptH0 Decision = "H0"
	AcceptH1 Decision = "H1"
)

// Decide compares a log likelihood ratio with the bounds.
func (s SPRT) Decide(llr float64) Decision {
	switch lower, upper := s.Bounds(); {
	case llr <= lower:
		return AcceptH0
	case llr >= upper:
		return AcceptH1
	}
	return Continue
}

// LLR returns the log likelihood ratio of H1 against H0, 0 while the counts do not
// allow any: without games, and for the models of BayesElo without a win and a
// loss. Pairs in a model that knows none are NaN.
func (s SPRT) LLR(c Counts) float64 {
	if c.pairs() && !s.Model.Pairs() {
		return math.NaN()
	}
	if c.Total() == 0 {
		return 0
	}
	switch s.Model {
	case Logistic:
		return logisticLLR(c.regular(), Score(s.Elo0), Score(s.Elo1))
	case Normalized:
		scale := 1 / eloPerLogit
		if c.pairs() {
			scale *= math.Sqrt2
		}
		return normalizedLLR(c.regular(), s.Elo0*scale, s.Elo1*scale)
	case Bayesian:
		d := drawElo(c.regular())
		return logisticLLR(c.regular(), bayesScore(s.Elo0, d), bayesScore(s.Elo1, d))
	case Cutechess:
		c = Counts{[]float64{c.N[0] + 0.5, c.N[1] + 0.5, c.N[2] + 0.5}}
		d := drawElo(c)
		x := math.Pow(10, -d/400)
		scale := 4 * x / ((1 + x) * (1 + x))
		return bayesLLR(c, s.Elo0/scale, s.Elo1/scale, d)
	case BayesElo:
		if c.N[0] == 0 || c.N[2] == 0 {
			return 0
		}
		return bayesLLR(c, s.Elo0, s.Elo1, drawElo(c))
	case Approximate:
		mean, v := c.moments()
		if v == 0 {
			return 0
		}
		s0, s1 := Score(s.Elo0), Score(s.Elo1)
		return c.Total() * (s1 - s0) * (2*mean - s0 - s1) / (2 * v)
	}
	return math.NaN()
}

// regular returns the counts with 0.001 in place of each zero (fishtest).
func (c Counts) regular() Counts {
	out := Counts{slices.Clone(c.N)}
	for i, x := range out.N {
		if x == 0 {
			out.N[i] = 0.001
		}
	}
	return out
}

// most is the largest number of outcomes that counts distinguish.
const most = 5

// odds are chances or weights of outcomes, worst first.
type odds [most]float64

// moments returns the mean score and its deviation over the first k outcomes.
func (q *odds) moments(k int) (mean, sigma float64) {
	var v float64
	for i := range k {
		mean += float64(i) / float64(k-1) * q[i]
	}
	for i := range k {
		d := float64(i)/float64(k-1) - mean
		v += d * d * q[i]
	}
	return mean, math.Sqrt(v)
}

// logisticLLR compares the likeliest distributions with mean scores s0 and s1.
func logisticLLR(c Counts, s0, s1 float64) float64 {
	return c.ratio(c.withMean(s0), c.withMean(s1))
}

// ratio returns the log likelihood ratio of distribution q1 against q0.
func (c Counts) ratio(q0, q1 odds) float64 {
	var sum float64
	for i, x := range c.N {
		sum += x * math.Log(q1[i]/q0[i])
	}
	return sum
}

// withMean returns the likeliest distribution with mean score s:
// p/(1+θ(a−s)), θ the root of Σ p(a−s)/(1+θ(a−s)).
func (c Counts) withMean(s float64) odds {
	var phi odds
	top := float64(len(c.N) - 1)
	for i := range c.N {
		phi[i] = float64(i)/top - s
	}
	return c.tilted(phi)
}

// tilted returns p/(1+θφ) with the θ that makes its mean of φ zero; p are the
// shares of the counts. It is NaN where φ has one sign only.
func (c Counts) tilted(phi odds) (q odds) {
	n := c.Total()
	theta := c.secular(phi)
	for i, x := range c.N {
		q[i] = x / n / (1 + theta*phi[i])
	}
	return q
}

// secular returns the root θ of Σ n·φ/(1+θφ), which falls from +∞ to −∞ between
// −1/max φ and −1/min φ: Newton's steps, halving where one leaves the bracket.
func (c Counts) secular(phi odds) float64 {
	least, greatest := slices.Min(phi[:len(c.N)]), slices.Max(phi[:len(c.N)])
	if !(least < 0 && greatest > 0) {
		return math.NaN()
	}
	lo, hi := -1/greatest, -1/least
	x := 0.0
	for range 200 {
		var f, slope float64
		for i, n := range c.N {
			r := phi[i] / (1 + x*phi[i])
			f += n * r
			slope -= n * r * r
		}
		if f > 0 {
			lo = x
		} else {
			hi = x
		}
		next := x - f/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-x) <= 1e-15*(1+math.Abs(x)) {
			return next
		}
		x = next
	}
	return x
}

// normalizedLLR compares the likeliest distributions with (μ−½)/σ of t0 and t1.
func normalizedLLR(c Counts, t0, t1 float64) float64 {
	return c.ratio(c.withRatio(t0), c.withRatio(t1))
}

// withRatio returns the likeliest distribution with (μ−½)/σ = t, by fishtest's
// iteration from the uniform one. Where that leads to moments which no distribution
// of these outcomes can follow, it goes half the way to a mean near the end.
func (c Counts) withRatio(t float64) odds {
	var q, phi odds
	k := len(c.N)
	for i := range k {
		q[i] = 1 / float64(k)
	}
	mean, sigma := q.moments(k)
	safeMean, safeSigma := 0.5+math.Copysign(0.45, t), 0.45/max(math.Abs(t), 1e-9)
	for range 300 {
		for i := range k {
			a := float64(i) / float64(k-1)
			z := (mean - a) / sigma
			phi[i] = a - 0.5 - t*sigma*(1+z*z)/2
		}
		next := c.tilted(phi)
		if math.IsNaN(next[0]) {
			mean, sigma = (mean+safeMean)/2, (sigma+safeSigma)/2
			continue
		}
		var change float64
		for i := range k {
			change = max(change, math.Abs(next[i]-q[i]))
		}
		q = next
		if change < 1e-13 {
			break
		}
		mean, sigma = q.moments(k)
	}
	return q
}

// drawElo returns the BayesElo draw parameter of games:
// 200·log10((1−l)/l·(1−w)/w), not below 0.01.
func drawElo(c Counts) float64 {
	n := c.Total()
	l, w := c.N[0]/n, c.N[2]/n
	return max(0.01, 200*math.Log10((1-l)/l*(1-w)/w))
}

// bayesOdds returns the chances of loss, draw and win at a BayesElo difference.
func bayesOdds(elo, draw float64) [3]float64 {
	w, l := 1/(1+math.Pow(10, (draw-elo)/400)), 1/(1+math.Pow(10, (draw+elo)/400))
	return [3]float64{l, 1 - w - l, w}
}

func bayesScore(elo, draw float64) float64 {
	p := bayesOdds(elo, draw)
	return p[2] + p[1]/2
}

// bayesLLR takes the logarithms of the chances, which stay finite where the chances
// themselves are nothing: after draws alone a few Elo are very many in this scale.
func bayesLLR(c Counts, elo0, elo1, draw float64) float64 {
	p0, p1 := bayesLogs(elo0, draw), bayesLogs(elo1, draw)
	var sum float64
	for i, x := range c.N {
		sum += x * (p1[i] - p0[i])
	}
	return sum
}

// bayesLogs returns the natural logarithms of bayesOdds. With A and B for the odds
// against a win and a loss, the chance of a draw is (AB-1)/((1+A)(1+B)).
func bayesLogs(elo, draw float64) [3]float64 {
	const unit = math.Ln10 / 400
	w, l := -softplus((draw-elo)*unit), -softplus((draw+elo)*unit)
	y := 2 * draw * unit
	return [3]float64{l, y + math.Log(-math.Expm1(-y)) + w + l, w}
}

// softplus returns log(1+eˣ).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
