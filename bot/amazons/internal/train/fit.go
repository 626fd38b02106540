package main

import (
	"math"

	"kibitz/bot/amazons"
)

const (
	knots   = amazons.Knots
	weights = amazons.Terms * knots
)

// steps is how many steps of Newton's method are made; few are enough.
const steps = 8

// ridge keeps weights small that the positions say little about.
const ridge = 1e-4

// spread gives every weight its share of a position.
func spread(s *sample, row *[weights]float64) {
	clear(row[:])
	i, share := amazons.Between(s.Disputed)
	for k, x := range s.Terms {
		row[k*knots+i] = float64(x) * (1 - share)
		row[k*knots+i+1] = float64(x) * share
	}
}

// fit returns the weights of the logistic regression of results, and the mean loss (the
// negative logarithm of the likelihood) of the weights in use and of the new ones.
func fit(list []sample) (w []float64, before, after float64) {
	scale := scales(list)
	w = make([]float64, weights)
	for range steps {
		step(list, scale, w)
	}
	for k := range w {
		w[k] /= scale[k]
	}
	var row [weights]float64
	for i := range list {
		spread(&list[i], &row)
		z := 0.0
		for k, x := range row {
			z += x * w[k]
		}
		before += loss(list[i].Odds, list[i].won) / float64(len(list))
		after += loss(z, list[i].won) / float64(len(list))
	}
	return w, before, after
}

func loss(z float64, won bool) float64 {
	if won {
		z = -z
	}
	return math.Log1p(math.Exp(z))
}

// scales returns the spread of what the weights are multiplied by, so that one ridge
// fits all.
func scales(list []sample) []float64 {
	s := make([]float64, weights)
	var row [weights]float64
	for i := range list {
		spread(&list[i], &row)
		for k, x := range row {
			s[k] += x * x
		}
	}
	for k := range s {
		s[k] = math.Sqrt(s[k]/float64(len(list))) + 1e-9
	}
	return s
}

// step makes one step of Newton's method.
func step(list []sample, scale, w []float64) {
	const n = weights
	var h [n][n]float64
	var g, row [n]float64
	for i := range list {
		spread(&list[i], &row)
		z := 0.0
		for k := range row {
			row[k] /= scale[k]
			z += row[k] * w[k]
		}
		p := 1 / (1 + math.Exp(-z))
		d := p
		if list[i].won {
			d--
		}
		for k, x := range row {
			if x == 0 {
				continue
			}
			g[k] += d * x
			for j, y := range row {
				h[k][j] += p * (1 - p) * x * y
			}
		}
	}
	for k := range g {
		g[k] = g[k]/float64(len(list)) + ridge*w[k]
		for j := range h[k] {
			h[k][j] /= float64(len(list))
		}
		h[k][k] += ridge
	}
	solve(&h, &g)
	for k := range w {
		w[k] -= g[k]
	}
}

// solve replaces g by the solution x of h x = g (Gauss); h is positive definite.
func solve(h *[weights][weights]float64, g *[weights]float64) {
	const n = weights
	for i := range n {
		for r := i + 1; r < n; r++ {
			f := h[r][i] / h[i][i]
			for c := i; c < n; c++ {
				h[r][c] -= f * h[i][c]
			}
			g[r] -= f * g[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for c := i + 1; c < n; c++ {
			g[i] -= h[i][c] * g[c]
		}
		g[i] /= h[i][i]
	}
}
