package compat

import (
	"fmt"
	"math"

	"kibitz/rating"
)

// Tally counts losses, draws and wins.
type Tally [3]int

// Games is how many games were counted.
func (t Tally) Games() int { return t[0] + t[1] + t[2] }

// Score is the share of the points, NaN without games.
func (t Tally) Score() float64 { return t.Points() / float64(t.Games()) }

// Points are 1 for a win and half for a draw.
func (t Tally) Points() float64 { return float64(2*t[2]+t[1]) / 2 }

// String writes wins, losses, draws, score and games.
func (t Tally) String() string {
	return fmt.Sprintf("%d - %d - %d  [%s] %d", t[2], t[0], t[1], Float(t.Score(), 'f', 3), t.Games())
}

// Float prints a number as cutechess-cli does: no sign before an exact zero, nan
// and inf in small letters.
func Float(x float64, form byte, digits int) string {
	switch {
	case x == 0:
		x = 0
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return fmt.Sprintf("%.*"+string(form), digits, x)
}

// Decided says how a sequential test was decided, with what stands around it; empty while it
// goes on, and without one.
func Decided(q *rating.Sequence, before, after string) string {
	if q == nil || q.Decision() == rating.Continue {
		return ""
	}
	return before + string(q.Decision()) + after
}
