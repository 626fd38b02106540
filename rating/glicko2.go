package rating

import "math"

// Glicko2 is a player's rating in Glickman's second system.
type Glicko2 struct {
	// Rating is on the usual scale, Deviation its standard deviation, Volatility
	// how much the strength is expected to change (σ).
	Rating, Deviation, Volatility float64
}

// NewGlicko2 is the rating of a player nobody knows.
func NewGlicko2() Glicko2 { return Glicko2{Rating: 1500, Deviation: 350, Volatility: 0.06} }

// glickoScale is rating points per unit of Glicko-2's inner scale.
const glickoScale = 173.7178

// Met is a game of a rating period: the opponent as rated before the period, and
// the score, 0 to 1.
type Met struct {
	Opponent Glicko2
	Score    float64
}

// Update returns the rating after a rating period. tau, between 0.2 and 1.2,
// bounds the change of volatility. Without games only the deviation grows.
// Glickman, "Example of the Glicko-2 system", steps 2 to 8.
func (g Glicko2) Update(games []Met, tau float64) Glicko2 {
	out, _, _ := g.update(games, tau)
	return out
}

func (g Glicko2) update(games []Met, tau float64) (out Glicko2, v, delta float64) {
	mu, phi := (g.Rating-1500)/glickoScale, g.Deviation/glickoScale
	if len(games) == 0 {
		g.Deviation = glickoScale * math.Hypot(phi, g.Volatility)
		return g, math.Inf(1), 0
	}
	var info, gain float64
	for _, m := range games {
		other := m.Opponent.Deviation / glickoScale
		weight := 1 / math.Sqrt(1+3*other*other/(math.Pi*math.Pi))
		e := sigmoid(weight * (mu - (m.Opponent.Rating-1500)/glickoScale))
		info += weight * weight * e * (1 - e)
		gain += weight * (m.Score - e)
	}
	v = 1 / info
	delta = v * gain
	sigma := volatility(phi, v, delta, g.Volatility, tau)
	before := phi*phi + sigma*sigma
	phi = 1 / math.Sqrt(1/before+1/v)
	return Glicko2{Rating: 1500 + glickoScale*(mu+phi*phi*gain), Deviation: glickoScale * phi, Volatility: sigma}, v, delta
}

// volatility solves step 5 by the Illinois variant of regula falsi.
func volatility(phi, v, delta, sigma, tau float64) float64 {
	a := 2 * math.Log(sigma)
	f := func(x float64) float64 {
		e, d := math.Exp(x), phi*phi+v+math.Exp(x)
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	lo, hi := a, math.Log(max(delta*delta-phi*phi-v, math.SmallestNonzeroFloat64))
	if delta*delta <= phi*phi+v {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		hi = a - k*tau
	}
	fl, fh := f(lo), f(hi)
	for range 1000 {
		if math.Abs(hi-lo) <= 1e-12 {
			break
		}
		x := lo + (lo-hi)*fl/(fh-fl)
		fx := f(x)
		if fx*fh <= 0 {
			lo, fl = hi, fh
		} else {
			fl /= 2
		}
		hi, fh = x, fx
	}
	return math.Exp(lo / 2)
}
