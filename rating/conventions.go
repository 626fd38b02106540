package rating

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Convention is a tool's way to compute errors and LOS, where it is not ours.
type Convention string

// The conventions.
const (
	// Usual is that of fastchess and fishtest: normal errors, LOS from the mean and
	// its standard error.
	Usual Convention = "usual"
	// CutechessWay takes an approximate inverse error function and an LOS from wins
	// and losses alone; normalized Elo is not computed.
	CutechessWay Convention = "cutechess"
	// OpenBenchWay takes Student's t with one degree of freedom less than outcomes.
	OpenBenchWay Convention = "openbench"
	// FastchessWay is the usual one but where all outcomes are the same: there it has
	// what its formulas divide by nothing, no error and an infinite normalized Elo.
	FastchessWay Convention = "fastchess"
)

// EstimateBy computes the rating difference by a tool's convention. LOS from wins
// and losses needs single games; for pairs it is the usual one.
func (c Counts) EstimateBy(way Convention) Estimate {
	e := c.Estimate()
	n := c.Total()
	if way == FastchessWay {
		return e.undivided()
	}
	if way == Usual || n == 0 || math.IsNaN(e.Error) {
		return e
	}
	z := cutechessZ()
	switch {
	case way == OpenBenchWay && n > 1:
		z = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	case way == OpenBenchWay:
		z = math.NaN()
	}
	mean, v := c.moments()
	se := math.Sqrt(v / n)
	e.Error = (Elo(mean+z*se) - Elo(mean-z*se)) / 2
	e.NError *= z / Z95
	if way == CutechessWay {
		e.NElo, e.NError = math.NaN(), math.NaN()
		if !c.pairs() && c.N[0]+c.N[2] > 0 {
			e.LOS = 0.5 + 0.5*math.Erf((c.N[2]-c.N[0])/math.Sqrt(2*(c.N[0]+c.N[2])))
		}
	}
	return e
}

// undivided is an estimate as fastchess has it where there is no spread.
func (e Estimate) undivided() Estimate {
	if !math.IsNaN(e.NElo) {
		return e
	}
	switch {
	case e.Score > 0.5:
		e.NElo = math.Inf(1)
	case e.Score < 0.5:
		e.NElo = math.Inf(-1)
	default: // as much on both sides, or no games
		e.LOS = math.NaN()
	}
	if e.Score > 0 && e.Score < 1 {
		e.Error = 0
	}
	return e
}

// cutechessZ is the 0.975 quantile of the normal distribution by Winitzki's
// inverse error function: 1.95716 instead of 1.95996.
func cutechessZ() float64 {
	const x = 2*0.975 - 1
	a := 8 * (math.Pi - 3) / (3 * math.Pi * (4 - math.Pi))
	y := math.Log(1 - x*x)
	z := 2/(math.Pi*a) + y/2
	return math.Sqrt2 * math.Sqrt(math.Sqrt(z*z-y/a)-z)
}
