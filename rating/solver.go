package rating

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// solver finds the maximum of a likelihood that is concave in all its parameters:
// the ratings, then the advantage and the threshold where they are to be found.
// It counts in logits.
type solver struct {
	f     Field
	duels []Duel
	main  []bool
	// place is the parameter of each player, -1 for none; free is how many players
	// have one, size how many parameters there are.
	place      []int
	free, size int
	// advantage and threshold are their places, -1 if given.
	advantage, threshold int
	// rating are the ratings of all players; x the parameters.
	rating []float64
	x      []float64
	// tied tells that the mean of the ratings must be held at 0.
	tied bool
}

func newSolver(f Field, main []bool, duels []Duel, place []int) *solver {
	s := &solver{f: f, main: main, place: place, rating: make([]float64, len(main)), advantage: -1, threshold: -1, tied: len(f.Anchors) == 0}
	for i, ok := range main {
		given, anchored := f.Anchors[i]
		switch {
		case anchored && len(f.Anchors) > 1: // a single anchor moves all in the end
			s.rating[i] = given / f.shrink(f.Threshold) / f.Scale
		case ok && !anchored:
			place[i] = s.free
			s.free++
		}
	}
	s.size = s.free
	if f.FitAdvantage {
		s.advantage = s.size
		s.size++
	}
	if f.FitThreshold {
		s.threshold = s.size
		s.size++
	}
	s.x = make([]float64, s.size)
	if s.threshold >= 0 {
		s.x[s.threshold] = 0.5
	}
	for _, d := range duels {
		if main[d.First] && main[d.Second] && d.games() > 0 {
			s.duels = append(s.duels, d)
		}
	}
	s.addPrior()
	return s
}

// addPrior adds the virtual draws.
func (s *solver) addPrior() {
	if s.f.Prior <= 0 {
		return
	}
	games := make([]float64, len(s.main))
	for _, d := range s.duels {
		games[d.First] += d.games()
		games[d.Second] += d.games()
	}
	for _, d := range s.duels[:len(s.duels):len(s.duels)] {
		draws := s.f.Prior / 4 * d.games() * (1/games[d.First] + 1/games[d.Second])
		s.duels = append(s.duels, Duel{First: d.First, Second: d.Second, Draws: draws}, Duel{First: d.Second, Second: d.First, Draws: draws})
	}
}

func (s *solver) check() error {
	var draws, decided float64
	for _, d := range s.duels {
		draws += d.Draws
		decided += d.Wins + d.Losses
	}
	switch {
	case s.f.FitThreshold && s.f.Draws != ThresholdDraws:
		return errors.New("only models with a threshold for draws can find one")
	case s.f.FitThreshold && (draws == 0 || decided == 0):
		return errors.New("the threshold of draws cannot be found: games are needed that were drawn and that were not")
	case s.f.FitThreshold && s.f.Shrink && len(s.f.Anchors) > 1:
		return errors.New("the threshold of draws cannot be found where several players are anchored")
	case s.f.Draws == ThresholdDraws && !s.f.FitThreshold && !(s.f.Threshold > 0):
		return errors.New("the threshold of draws must be above 0")
	}
	return nil
}

// point is what the likelihood needs of the parameters x for a duel.
func (s *solver) point(x []float64, d *Duel) (difference, threshold float64) {
	at := func(p int) float64 {
		if s.place[p] >= 0 {
			return x[s.place[p]]
		}
		return s.rating[p]
	}
	difference = at(d.First) - at(d.Second) + s.f.Advantage/s.f.Scale
	if s.advantage >= 0 {
		difference += x[s.advantage] - s.f.Advantage/s.f.Scale
	}
	if s.f.Draws == ThresholdDraws {
		threshold = s.f.Threshold / s.f.Scale
		if s.threshold >= 0 {
			threshold = x[s.threshold]
		}
	}
	return difference, threshold
}

// weights are how often each side "was not worse": a draw is half of each, or,
// with a threshold t, both at once and a factor e^(2t)−1 besides.
func (s *solver) weights(d *Duel) (up, down, both float64) {
	if s.f.Draws == ThresholdDraws {
		return d.Wins + d.Draws, d.Losses + d.Draws, d.Draws
	}
	return d.Wins + d.Draws/2, d.Losses + d.Draws/2, 0
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logSigmoid is ln of sigmoid, exact for large negative x too.
func logSigmoid(x float64) float64 {
	if x < 0 {
		return x - math.Log1p(math.Exp(x))
	}
	return -math.Log1p(math.Exp(-x))
}

// likelihood returns the logarithm, -Inf where a threshold is not above 0.
func (s *solver) likelihood(x []float64) float64 {
	var sum float64
	for i := range s.duels {
		d := &s.duels[i]
		diff, t := s.point(x, d)
		up, down, both := s.weights(d)
		sum += up*logSigmoid(diff-t) + down*logSigmoid(-diff-t)
		if both > 0 {
			if t <= 0 {
				return math.Inf(-1)
			}
			sum += both * math.Log(math.Expm1(2*t))
		}
	}
	return sum
}

// slopes returns the gradient and the negative second derivatives.
func (s *solver) slopes(x []float64) (*mat.VecDense, *mat.SymDense) {
	g, h := mat.NewVecDense(s.size, nil), mat.NewSymDense(s.size, nil)
	for i := range s.duels {
		d := &s.duels[i]
		diff, t := s.point(x, d)
		up, down, both := s.weights(d)
		pu, pd := sigmoid(diff-t), sigmoid(-diff-t)
		hu, hd := up*pu*(1-pu), down*pd*(1-pd)
		s.spread(d, func(p int, sign float64) {
			g.SetVec(p, g.AtVec(p)+sign*(up*(1-pu)-down*(1-pd)))
			s.spread(d, func(q int, other float64) {
				if p <= q {
					h.SetSym(p, q, h.At(p, q)+sign*other*(hu+hd))
				}
			})
			if s.threshold >= 0 {
				h.SetSym(p, s.threshold, h.At(p, s.threshold)-sign*(hu-hd))
			}
		})
		if k := s.threshold; k >= 0 {
			e, m := math.Exp(2*t), math.Expm1(2*t)
			g.SetVec(k, g.AtVec(k)-up*(1-pu)-down*(1-pd)+both*2*e/m)
			h.SetSym(k, k, h.At(k, k)+hu+hd+both*4*e/(m*m))
		}
	}
	return g, h
}

// spread calls f for each parameter that the difference of a duel depends on.
func (s *solver) spread(d *Duel, f func(p int, sign float64)) {
	if p := s.place[d.First]; p >= 0 {
		f(p, 1)
	}
	if p := s.place[d.Second]; p >= 0 {
		f(p, -1)
	}
	if s.advantage >= 0 {
		f(s.advantage, 1)
	}
}

// tie adds what holds the mean at 0, where nothing else does, and returns its
// weight.
func (s *solver) tie(h *mat.SymDense) float64 {
	if !s.tied {
		return 0
	}
	var w float64
	for i := range s.free {
		w += h.At(i, i) / float64(s.free*s.free)
	}
	for i := range s.free {
		for j := i; j < s.free; j++ {
			h.SetSym(i, j, h.At(i, j)+w)
		}
	}
	return w
}

// solve takes Newton's steps, shorter ones where the likelihood would fall.
func (s *solver) solve() error {
	if s.size == 0 {
		return nil
	}
	here := s.likelihood(s.x)
	next := make([]float64, s.size)
	for range 200 {
		g, h := s.slopes(s.x)
		s.tie(h)
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(h) || chol.SolveVecTo(&step, g) != nil {
			return ErrNoMaximum
		}
		length, moved := 1.0, 0.0
		for ; ; moved = 0 {
			for i := range next {
				next[i] = s.x[i] + length*step.AtVec(i)
				moved = max(moved, math.Abs(length*step.AtVec(i)))
			}
			if there := s.likelihood(next); there >= here-1e-12*math.Abs(here) {
				here = there
				break
			}
			if length /= 2; length < 1e-12 {
				return ErrNoMaximum
			}
		}
		copy(s.x, next)
		if moved < 1e-11 {
			return nil
		}
	}
	return ErrNoMaximum
}

// report turns the solution into Elo.
func (s *solver) report(out *Ratings) error {
	if s.threshold >= 0 {
		out.Threshold = s.x[s.threshold] * s.f.Scale
	}
	if s.advantage >= 0 {
		out.Advantage = s.x[s.advantage] * s.f.Scale
	}
	unit := s.f.Scale * s.f.shrink(out.Threshold)
	shift := 0.0
	if len(s.f.Anchors) == 1 {
		for _, elo := range s.f.Anchors {
			shift = elo
		}
	}
	cov, err := s.spreadOfErrors()
	if err != nil {
		return err
	}
	for i, ok := range s.main {
		if !ok {
			continue
		}
		switch p := s.place[i]; {
		case p >= 0:
			out.Elo[i], out.Error[i] = s.x[p]*unit+shift, errorOf(cov.At(p, p), unit)
		default:
			out.Elo[i], out.Error[i] = s.rating[i]*unit+shift, 0
		}
	}
	if s.advantage >= 0 {
		out.AdvantageError = errorOf(cov.At(s.advantage, s.advantage), s.f.Scale)
	}
	if s.size > 0 {
		cov.ScaleSym(unit*unit, cov)
	}
	out.covariance = cov
	return nil
}

// errorOf is the 95 % error of a variance in a unit; NaN where the results do not
// scatter at all, as when all games are drawn: they tell no error, not one of 0.
func errorOf(variance, unit float64) float64 {
	if variance < 1e-14 {
		return math.NaN()
	}
	return Z95 * math.Sqrt(variance) * unit
}

// spreadOfErrors returns the covariance of the parameters: the inverse of the
// second derivatives, and where draws are taken as halves, which makes results
// less scattered than wins and losses would be, that with the observed scatter
// between (the sandwich of robust estimation).
func (s *solver) spreadOfErrors() (*mat.SymDense, error) {
	if s.size == 0 {
		return &mat.SymDense{}, nil
	}
	_, h := s.slopes(s.x)
	w := s.tie(h)
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return nil, ErrNoMaximum
	}
	inv := mat.NewSymDense(s.size, nil)
	if err := chol.InverseTo(inv); err != nil {
		return nil, ErrNoMaximum
	}
	if s.f.Draws == ThresholdDraws {
		if s.tied { // without what holds the mean
			for i := range s.free {
				for j := i; j < s.free; j++ {
					inv.SetSym(i, j, inv.At(i, j)-1/(w*float64(s.free*s.free)))
				}
			}
		}
		return inv, nil
	}
	scatter := mat.NewSymDense(s.size, nil)
	for i := range s.duels {
		d := &s.duels[i]
		diff, _ := s.point(s.x, d)
		p := sigmoid(diff)
		v := d.Wins*(1-p)*(1-p) + d.Draws*(0.5-p)*(0.5-p) + d.Losses*p*p
		s.spread(d, func(a int, sign float64) {
			s.spread(d, func(b int, other float64) {
				if a <= b {
					scatter.SetSym(a, b, scatter.At(a, b)+sign*other*v)
				}
			})
		})
	}
	var left, both mat.Dense
	left.Mul(inv, scatter)
	both.Mul(&left, inv)
	out := mat.NewSymDense(s.size, nil)
	for i := range s.size {
		for j := i; j < s.size; j++ {
			out.SetSym(i, j, (both.At(i, j)+both.At(j, i))/2)
		}
	}
	return out, nil
}
