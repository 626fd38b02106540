// Package rating turns counts of results into ratings with their errors. Formulas
// and conventions are named where tools of the field differ.
package rating

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Z95 is the 0.975 quantile of the normal distribution: error bars are 95 %.
const Z95 = 1.959963984540054

// eloPerLogit is 800/ln 10: normalized Elo per unit of (μ−½)/σ.
const eloPerLogit = 347.43558552260146

// Elo returns the rating difference that an expected score between 0 and 1
// corresponds to, ±Inf at the ends: −400·log10(1/s − 1).
func Elo(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return -400 * math.Log10(1/score-1)
}

// Score returns the expected score at a rating difference.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Counts are the results of one side against another: of games (loss, draw, win)
// or of pairs of games with seats exchanged (LL, LD, DD+WL, WD, WW), worst first.
type Counts struct {
	// N holds three or five numbers; they need not be whole.
	N []float64
}

// Trinomial counts single games.
func Trinomial(losses, draws, wins int) Counts {
	return Counts{[]float64{float64(losses), float64(draws), float64(wins)}}
}

// Pentanomial counts pairs of games, from two losses to two wins.
func Pentanomial(ll, ld, even, wd, ww int) Counts {
	return Counts{[]float64{float64(ll), float64(ld), float64(even), float64(wd), float64(ww)}}
}

// Total returns the number of games or pairs.
func (c Counts) Total() float64 {
	var n float64
	for _, x := range c.N {
		n += x
	}
	return n
}

// Unit names what was counted: games or pairs.
func (c Counts) Unit() string {
	if c.pairs() {
		return "pairs"
	}
	return "games"
}

func (c Counts) pairs() bool { return len(c.N) == 5 }

// moments returns the mean score and its variance per game or pair, over scores
// from 0 to 1.
func (c Counts) moments() (mean, variance float64) {
	n, top := c.Total(), float64(len(c.N)-1)
	for i, x := range c.N {
		mean += float64(i) / top * x / n
	}
	for i, x := range c.N {
		d := float64(i)/top - mean
		variance += x / n * d * d
	}
	return mean, variance
}

// Estimate is a rating difference with its 95 % error.
type Estimate struct {
	// Score is the share of the points, 0 to 1; NaN without games.
	Score float64
	// Elo is the difference on the logistic scale; ±Inf if all games went one
	// way. Error is half the width of the interval, NaN where none exists: where it
	// reaches a score of 0 or 1, and where all outcomes are the same, as of a single
	// pair of games. (fastchess prints 0.00 there.)
	Elo, Error float64
	// NElo is normalized Elo, per game, with its error; NaN where all outcomes are
	// the same.
	NElo, NError float64
	// LOS is the likelihood of superiority, Φ((μ−½)/se).
	LOS float64
}

// Estimate computes the rating difference.
func (c Counts) Estimate() Estimate {
	n := c.Total()
	if n == 0 {
		nan := math.NaN()
		return Estimate{nan, nan, nan, nan, nan, 0.5}
	}
	mean, v := c.moments()
	if v < 1e-14 { // but for the last digits all outcomes are the same
		v = 0
	}
	se := math.Sqrt(v / n)
	e := Estimate{Score: mean, Elo: Elo(mean), LOS: los(mean, se)}
	e.Error = (Elo(mean+Z95*se) - Elo(mean-Z95*se)) / 2
	if v == 0 || math.IsInf(e.Error, 0) {
		e.Error = math.NaN()
	}
	sigma := math.Sqrt(v)
	if c.pairs() {
		sigma = math.Sqrt(2 * v)
	}
	if sigma > 0 {
		e.NElo = eloPerLogit * (mean - 0.5) / sigma
		e.NError = eloPerLogit * Z95 * se / sigma
	} else {
		e.NElo, e.NError = math.NaN(), math.NaN()
	}
	return e
}

// DrawRatio returns the share of the middle outcome: draws of games, even pairs
// (a draw each, or a win each) of pairs. NaN without any.
func (c Counts) DrawRatio() float64 { return c.N[len(c.N)/2] / c.Total() }

// Ratio returns how many outcomes were better than the middle for each that was
// worse: wins for each loss of games, pairs won for each lost of pairs (the pair
// ratio of fastchess). NaN where all were even, +Inf where none was worse.
func (c Counts) Ratio() float64 {
	var better, worse float64
	for i, x := range c.N {
		switch {
		case i > len(c.N)/2:
			better += x
		case i < len(c.N)/2:
			worse += x
		}
	}
	return better / worse
}

func los(mean, se float64) float64 {
	if se == 0 {
		switch {
		case mean > 0.5:
			return 1
		case mean < 0.5:
			return 0
		}
		return 0.5
	}
	return distuv.UnitNormal.CDF((mean - 0.5) / se)
}
