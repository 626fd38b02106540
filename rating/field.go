package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// EloScale is the usual scale, Elo per logit: 400/ln 10. OrdoScale is that of
// Ordo, where 202 points mean 76 %.
const (
	EloScale  = 400 / math.Ln10
	OrdoScale = 202 / 1.1526795099383855 // ln(0.76/0.24)
)

// Duel is what one player made in the first seat against another in the second.
type Duel struct {
	// First and Second number the players from 0.
	First, Second int
	// Wins, Draws and Losses are those of First.
	Wins, Draws, Losses float64
}

func (d *Duel) games() float64 { return d.Wins + d.Draws + d.Losses }

// Draws says how a model explains draws.
type Draws int

// The ways to take draws.
const (
	// HalfDraws takes a draw as half a win and half a loss (Bradley-Terry, Ordo).
	HalfDraws Draws = iota
	// ThresholdDraws has a draw where neither side is better by a threshold
	// (BayesElo).
	ThresholdDraws
)

// Field is a model of a field of players: the expected score of the first seat is a logistic
// function of the difference of the ratings and the first seat's advantage. The
// ratings are those that make the results likeliest; where nothing is anchored
// their mean is 0.
type Field struct {
	Draws Draws
	// Scale is Elo per logit, 0 for EloScale.
	Scale float64
	// Advantage is that of the first seat, in Elo of Scale, found from the results
	// if FitAdvantage.
	Advantage    float64
	FitAdvantage bool
	// Threshold is that of ThresholdDraws, in Elo of Scale, found from the results
	// if FitThreshold.
	Threshold    float64
	FitThreshold bool
	// Shrink multiplies all ratings by 4x/(1+x)², x = 10^(−Threshold/400), so that
	// they read like Elo (BayesElo).
	Shrink bool
	// Prior is the number of virtual draws that each player made, shared out among
	// its opponents by the games against them, half in either seat.
	Prior float64
	// Anchors are ratings that are given, by player.
	Anchors map[int]float64
}

// BradleyTerry is the plain model: draws as half points, no advantage.
func BradleyTerry() Field { return Field{} }

// BayesEloField is the model of BayesElo with the defaults of that program.
func BayesEloField() Field {
	return Field{Draws: ThresholdDraws, Advantage: 32.8, Threshold: 97.3, Shrink: true, Prior: 2}
}

// Ratings are what a Field found.
type Ratings struct {
	// Elo are the ratings by player; ±Inf for who won or lost every game against
	// the rest, NaN for who cannot be compared. Error is the 95 % error: against the
	// mean of the field or, where there are anchors, against those; NaN if there is
	// none.
	Elo, Error []float64
	// Advantage and Threshold are given or found; the error of an advantage that was
	// given is 0.
	Advantage, AdvantageError, Threshold float64

	// covariance is of the parameters in units of Elo, place the parameter of each
	// player, -1 for none.
	covariance *mat.SymDense
	place      []int
}

// Superiority returns the likelihood that player a is better than player b.
func (r *Ratings) Superiority(a, b int) float64 {
	d := r.Elo[a] - r.Elo[b]
	if math.IsNaN(d) || math.Abs(d) < 1e-6 { // equal but for the last digits
		return 0.5
	}
	var v float64
	if !math.IsInf(d, 0) {
		i, j := r.place[a], r.place[b]
		if i >= 0 {
			v += r.covariance.At(i, i)
		}
		if j >= 0 {
			v += r.covariance.At(j, j)
		}
		if i >= 0 && j >= 0 {
			v -= 2 * r.covariance.At(i, j)
		}
	}
	if v <= 0 || math.IsInf(d, 0) {
		return los(0.5+d, 0)
	}
	return distuv.UnitNormal.CDF(d / math.Sqrt(v))
}

// AloneError tells that an anchored player cannot be compared with the others.
type AloneError struct{ Player int }

// Error names the player by number.
func (e *AloneError) Error() string {
	return fmt.Sprintf("player %d is anchored and cannot be compared with the others", e.Player)
}

// Rate finds the ratings of a number of players.
func (f Field) Rate(players int, duels []Duel) (*Ratings, error) {
	f.Scale = cmp.Or(f.Scale, EloScale)
	for _, d := range duels {
		if min(d.First, d.Second) < 0 || max(d.First, d.Second) >= players || d.First == d.Second {
			return nil, fmt.Errorf("a duel of players %d and %d among %d", d.First, d.Second, players)
		}
	}
	main, elo := f.comparable(players, duels)
	out := &Ratings{
		Elo: elo, Error: make([]float64, players), Advantage: f.Advantage, Threshold: f.Threshold, place: make([]int, players),
	}
	for i := range players {
		out.Error[i], out.place[i] = math.NaN(), -1
	}
	for p := range f.Anchors {
		if p < 0 || p >= players {
			return nil, fmt.Errorf("anchor %d among %d players", p, players)
		}
		if main == nil || !main[p] {
			return nil, &AloneError{p}
		}
	}
	if main == nil {
		return out, nil
	}
	s := newSolver(f, main, duels, out.place)
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.solve(); err != nil {
		return nil, err
	}
	return out, s.report(out)
}

// Fit rates a field by the plain model. Where results decide nothing it knows no
// ratings.
func Fit(players int, duels []Duel) *Ratings {
	if r, err := BradleyTerry().Rate(players, duels); err == nil {
		return r
	}
	unknown := &Ratings{Elo: make([]float64, players), Error: make([]float64, players)}
	for i := range players {
		unknown.Elo[i], unknown.Error[i] = math.NaN(), math.NaN()
	}
	return unknown
}

// Estimate returns a player's rating with its error and the likelihood that it is
// better than the mean of the field; games are its own.
func (r *Ratings) Estimate(player int, games Counts) Estimate {
	e := games.Estimate()
	e.Elo, e.Error, e.NElo, e.NError = r.Elo[player], r.Error[player], math.NaN(), math.NaN()
	switch {
	case math.IsInf(e.Elo, 0):
		e.LOS = los(0.5+e.Elo, 0)
	case e.Error > 0:
		e.LOS = distuv.UnitNormal.CDF(e.Elo / (e.Error / Z95))
	default:
		e.LOS = 0.5
	}
	return e
}

// shrink is the factor that makes ratings read like Elo.
func (f *Field) shrink(threshold float64) float64 {
	if !f.Shrink {
		return 1
	}
	x := math.Exp(-threshold / f.Scale)
	return 4 * x / ((1 + x) * (1 + x))
}

// comparable finds the largest set of players each of whom got points, directly
// or by others, from each: only their differences are finite. It is nil if nobody
// can be compared. The others are +Inf if points only went to them, -Inf if only
// from them.
func (f *Field) comparable(players int, duels []Duel) (main []bool, elo []float64) {
	reach := f.reach(players, duels)
	main = mutual(reach)
	elo = make([]float64, players)
	for i := range elo {
		if main == nil {
			elo[i] = oneWay(reach, i, func(j int) bool { return j != i })
		} else if !main[i] {
			elo[i] = oneWay(reach, i, func(j int) bool { return main[j] })
		}
	}
	return main, elo
}

// reach tells who got points from whom, directly or by others.
func (f *Field) reach(players int, duels []Duel) [][]bool {
	reach := make([][]bool, players)
	for i := range reach {
		reach[i] = make([]bool, players)
	}
	for _, d := range duels {
		if d.Wins+d.Draws > 0 || f.Prior > 0 && d.games() > 0 {
			reach[d.First][d.Second] = true
		}
		if d.Losses+d.Draws > 0 || f.Prior > 0 && d.games() > 0 {
			reach[d.Second][d.First] = true
		}
	}
	for a := range f.Anchors {
		for b := range f.Anchors {
			if max(a, b) < players && min(a, b) >= 0 {
				reach[a][b] = true
			}
		}
	}
	for k := range reach {
		for i := range reach {
			if reach[i][k] {
				for j, ok := range reach[k] {
					reach[i][j] = reach[i][j] || ok
				}
			}
		}
	}
	return reach
}

// mutual is the largest set of two or more players each of whom reaches each, nil if there is none.
func mutual(reach [][]bool) (main []bool) {
	most := 1
	for i := range reach {
		set, n := make([]bool, len(reach)), 0
		for j := range reach {
			if set[j] = i == j || reach[i][j] && reach[j][i]; set[j] {
				n++
			}
		}
		if n > most {
			main, most = set, n
		}
	}
	return main
}

// oneWay is the rating of player i against others when points went one way only.
func oneWay(reach [][]bool, i int, others func(int) bool) float64 {
	got, gave := false, false
	for j := range reach {
		if others(j) {
			got, gave = got || reach[i][j], gave || reach[j][i]
		}
	}
	switch {
	case got && !gave:
		return math.Inf(1)
	case gave && !got:
		return math.Inf(-1)
	}
	return math.NaN()
}

// ErrNoMaximum tells that no parameters are likeliest: for example when the first
// seat won all games of one player, so that its advantage has no bound.
var ErrNoMaximum = errors.New("the ratings do not settle: too few games decide them")
