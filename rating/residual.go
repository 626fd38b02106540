package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Observed is one game as residuals see it.
type Observed struct {
	// First and Second number the players from 0; Score is that of First, 0 to 1.
	First, Second int
	Score         float64
	// Group is what the game is counted under: an opening, a host, …; games with a
	// negative group are left out.
	Group int
	// ForSecond counts the game for the player in the second seat.
	ForSecond bool
	// Pair is the number, from 1, of the pair of games with seats exchanged that it
	// belongs to, 0 for none. Games of a pair are of the same group and counted for
	// the same player.
	Pair int
}

// Residual is how far the results of a group are from what the ratings expect.
type Residual struct {
	Games int
	// Points were made by those for whom games are counted, Expected is what the
	// ratings make of them.
	Points, Expected float64
	// Z is (Points−Expected)/√variance, NaN if there are too few games to judge; P
	// is the chance of one as far from 0 on either side.
	Z, P float64
	// Outlier is the level at which the group stands out among all groups, 0.05 or
	// 0.01 (Holm's step-down procedure); 0 if it does not.
	Outlier float64
}

// ResidualTable is the residuals of all groups.
type ResidualTable struct {
	Groups []Residual
	// Chi2 is the test of all groups together, with DF degrees of freedom and the
	// chance P of one as large. P is NaN if there is nothing to test.
	Chi2 float64
	DF   int
	P    float64
	// Dispersion is the variance of games, or pairs of them, in units of p(1−p):
	// below 1 where there are draws.
	Dispersion float64
	// Skipped are games of players who have no rating.
	Skipped int
}

// enough is how many wins and losses a group must lead one to expect for its
// residual to be near normal. Below, fishtest leaves workers out too.
const enough = 5

// Residuals compares the results of groups of games with the ratings of a field.
//
// A game has the expected score p = 1/(1+e^−x) of the field and the variance φ·p(1−p).
// φ is the same for all and estimated from the results: the sum of squares (s−p)²
// over that of p(1−p), of pairs of games where games come in pairs, so that neither
// draws nor what both games of a pair have in common are taken for scatter
// (quasi-likelihood: McCullagh and Nelder, Generalized Linear Models, 4.5). Since the
// ratings were found from the same games, a group's variance is less what the ratings
// took up, a·I⁻¹·a with I the information of the ratings and a its part of it.
//
// The test of all groups together is r·C⁻¹·r, r the residuals of the groups and C
// their covariances, with as many degrees of freedom as C has.
//
// fishtest, from whose workers the name comes, compares counts of won, even and lost
// pairs by a chi-square test of independence, as there are only two players; it too
// takes off a worker's share of what it is compared with, and marks workers at 5 %
// and 1 % divided by their number (Bonferroni). Holm's procedure keeps the same levels
// and finds more.
func Residuals(f Field, players int, games []Observed, groups int) (*ResidualTable, error) {
	if f.Draws != HalfDraws {
		return nil, errors.New("residuals need a model that takes draws as half points")
	}
	r, err := f.Rate(players, duelsOf(games))
	if err != nil {
		return nil, err
	}
	f.Scale = cmp.Or(f.Scale, EloScale)
	s := &residuals{t: &ResidualTable{Groups: make([]Residual, groups), P: math.NaN()}, r: r, f: f, own: make([]float64, groups)}
	if err := s.prepare(games); err != nil {
		return nil, err
	}
	s.sum(games)
	if err := s.judge(); err != nil {
		return nil, err
	}
	s.t.mark()
	return s.t, nil
}

// duelsOf sums games by who sat where.
func duelsOf(games []Observed) []Duel {
	at := map[[2]int]int{}
	var out []Duel
	for _, g := range games {
		key := [2]int{g.First, g.Second}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Duel{First: g.First, Second: g.Second})
		}
		out[i].Wins += g.Score
		out[i].Losses += 1 - g.Score
	}
	return out
}

// residuals is a table being made.
type residuals struct {
	t *ResidualTable
	r *Ratings
	f Field
	// p are the expected scores by game, NaN for those that are left out.
	p []float64
	// place numbers the parameters: players with a rating of their own, then the
	// advantage of the first seat; size is how many there are.
	place []int
	size  int
	// info is the information of the parameters, taken the part of each group.
	info  *mat.SymDense
	taken *mat.Dense
	// own is the variance of each group if ratings were known.
	own []float64
}

// prepare numbers the parameters and computes expected scores.
func (s *residuals) prepare(games []Observed) error {
	s.place = make([]int, len(s.r.Elo))
	for i, elo := range s.r.Elo {
		s.place[i] = -1
		if _, given := s.f.Anchors[i]; !given && !math.IsInf(elo, 0) && !math.IsNaN(elo) {
			s.place[i] = s.size
			s.size++
		}
	}
	if len(s.f.Anchors) == 0 && s.size > 0 { // only differences count
		i := slices.Index(s.place, s.size-1)
		s.place[i] = -1
		s.size--
	}
	if s.f.FitAdvantage {
		s.size++
	}
	s.p = make([]float64, len(games))
	for i, g := range games {
		if min(g.First, g.Second, g.Group+1) < 0 || g.Group >= len(s.t.Groups) {
			return fmt.Errorf("game %d is of group %d among %d", i+1, g.Group, len(s.t.Groups))
		}
		d := s.r.Elo[g.First] - s.r.Elo[g.Second] + s.r.Advantage
		s.p[i] = 1 / (1 + math.Exp(-d/s.f.Scale))
		if math.IsInf(d, 0) || math.IsNaN(d) {
			s.p[i] = math.NaN()
			s.t.Skipped++
		}
	}
	return nil
}

// gradient calls f for the parameters that a game depends on.
func (s *residuals) gradient(g *Observed, f func(parameter int, by float64)) {
	if i := s.place[g.First]; i >= 0 {
		f(i, 1)
	}
	if i := s.place[g.Second]; i >= 0 {
		f(i, -1)
	}
	if s.f.FitAdvantage {
		f(s.size-1, 1)
	}
}

func (s *residuals) sum(games []Observed) {
	s.taken = mat.NewDense(max(1, len(s.t.Groups)), max(1, s.size), nil)
	s.info = mat.NewSymDense(max(1, s.size), nil)
	type unit struct{ residual, variance float64 }
	units, single := map[int]unit{}, unit{}
	n := 0
	for i := range games {
		g, p := &games[i], s.p[i]
		if math.IsNaN(p) {
			continue
		}
		v, sign := p*(1-p), 1.0
		score := g.Score
		if g.ForSecond {
			sign, score, p = -1, 1-score, 1-p
		}
		s.gradient(g, func(a int, x float64) {
			s.gradient(g, func(b int, y float64) {
				if b >= a {
					s.info.SetSym(a, b, s.info.At(a, b)+v*x*y)
				}
			})
			if g.Group >= 0 {
				s.taken.Set(g.Group, a, s.taken.At(g.Group, a)+sign*v*x)
			}
		})
		if g.Group >= 0 {
			t := &s.t.Groups[g.Group]
			t.Games++
			t.Points += score
			t.Expected += p
			s.own[g.Group] += v
		}
		if g.Pair > 0 {
			u := units[g.Pair]
			units[g.Pair] = unit{u.residual + score - p, u.variance + v}
			continue
		}
		single.residual += (score - p) * (score - p)
		single.variance += v
		n++
	}
	for _, u := range units {
		single.residual += u.residual * u.residual
		single.variance += u.variance
		n++
	}
	s.t.Dispersion = 1
	if n > s.size && single.variance > 0 {
		s.t.Dispersion = single.residual / single.variance * float64(n) / float64(n-s.size)
	}
}

// judge computes what the groups stand at, each and all together.
func (s *residuals) judge() error {
	c, err := s.covariance()
	if err != nil {
		return err
	}
	var tested []int
	for i := range s.t.Groups {
		g := &s.t.Groups[i]
		g.Z, g.P = math.NaN(), math.NaN()
		v := c.At(i, i)
		if g.Expected < enough || float64(g.Games)-g.Expected < enough || v < 1e-9*float64(g.Games) {
			continue
		}
		g.Z = (g.Points - g.Expected) / math.Sqrt(v)
		g.P = math.Erfc(math.Abs(g.Z) / math.Sqrt2)
		tested = append(tested, i)
	}
	if len(tested) == 0 {
		return nil
	}
	return s.together(c, tested)
}

// covariance is that of the groups' residuals: φ(D − A·I⁻¹·Aᵀ).
func (s *residuals) covariance() (*mat.SymDense, error) {
	n := len(s.t.Groups)
	c := mat.NewSymDense(max(1, n), nil)
	var x mat.Dense
	if s.size > 0 {
		var chol mat.Cholesky
		if !chol.Factorize(s.info) {
			return nil, ErrNoMaximum
		}
		if err := chol.SolveTo(&x, s.taken.T()); err != nil {
			return nil, ErrNoMaximum
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := 0.0
			if i == j {
				v = s.own[i]
			}
			if s.size > 0 {
				v -= mat.Dot(s.taken.RowView(i), x.ColView(j))
			}
			c.SetSym(i, j, v*s.t.Dispersion)
		}
	}
	return c, nil
}

// together is the test of all groups that are large enough.
func (s *residuals) together(c *mat.SymDense, tested []int) error {
	n := len(tested)
	part := mat.NewSymDense(n, nil)
	r := mat.NewVecDense(n, nil)
	for i, a := range tested {
		r.SetVec(i, s.t.Groups[a].Points-s.t.Groups[a].Expected)
		for j := i; j < n; j++ {
			part.SetSym(i, j, c.At(a, tested[j]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(part, true) {
		return errors.New("the covariances of the groups cannot be resolved")
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	for i, x := range values {
		if x > 1e-9*values[n-1] {
			d := mat.Dot(vectors.ColView(i), r)
			s.t.Chi2 += d * d / x
			s.t.DF++
		}
	}
	if s.t.DF > 0 {
		s.t.P = distuv.ChiSquared{K: float64(s.t.DF)}.Survival(s.t.Chi2)
	}
	return nil
}

// mark finds the groups that stand out.
func (t *ResidualTable) mark() {
	var order []int
	for i, g := range t.Groups {
		if !math.IsNaN(g.P) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Groups[a].P, t.Groups[b].P) })
	for _, level := range []float64{0.05, 0.01} {
		for k, i := range order {
			if t.Groups[i].P > level/float64(len(order)-k) {
				break
			}
			t.Groups[i].Outlier = level
		}
	}
}
