package main

import (
	"log"
	"math"

	engine "kibitz/bot/gomoku"
)

const (
	patterns = engine.Patterns
	combos   = engine.Combinations
	// A combination is worth the sum of what its four patterns, its six pairs of
	// patterns, and it alone are worth. Few positions have most combinations, so that
	// the last is kept small.
	pairsAt = engine.Sets * patterns
	aloneAt = pairsAt + engine.Sets*patterns*patterns
	terms   = aloneAt + engine.Sets*combos

	batch     = 1024
	kept      = 5 // one position in so many is not learned from but tells the loss
	pairDecay = 0.1
	decay     = 1.0
)

// vector is numbers that are fitted, with the state of Adam (Kingma and Ba 2015).
type vector struct {
	at, mean, square, slope []float64
	steps                   int
}

func newVector(n int) vector {
	return vector{at: make([]float64, n), mean: make([]float64, n), square: make([]float64, n), slope: make([]float64, n)}
}

// step changes the numbers by their slopes, which are forgotten. Those that are to be kept
// small shrink by the decay.
func (v *vector) step(rate float64, decay func(i int) float64) {
	v.steps++
	a, b := 1-math.Pow(0.9, float64(v.steps)), 1-math.Pow(0.999, float64(v.steps))
	for i, g := range v.slope {
		v.mean[i] = 0.9*v.mean[i] + 0.1*g
		v.square[i] = 0.999*v.square[i] + 0.001*g*g
		v.at[i] *= 1 - rate*decay(i)
		v.at[i] -= rate * (v.mean[i] / a) / (math.Sqrt(v.square[i]/b) + 1e-8)
	}
	clear(v.slope)
}

// model is the weights in their terms, and those of outlooks.
type model struct {
	terms, outlooks vector
	sum, slopes     [engine.Sets * combos]float64 // by weight
	spelled         [combos][4]uint8
}

func newModel() *model {
	return &model{terms: newVector(terms), outlooks: newVector(engine.Outlooks), spelled: engine.Spelled()}
}

// each calls f for every term of a weight.
func (m *model) each(k int, f func(term int)) {
	set := k / combos
	p := &m.spelled[k%combos]
	for i, a := range p {
		f(set*patterns + int(a))
		for _, b := range p[:i] {
			f(pairsAt + (set*patterns+int(max(a, b)))*patterns + int(min(a, b)))
		}
	}
	f(aloneAt + k)
}

// add computes the weights from their terms.
func (m *model) add() {
	for k := range m.sum {
		x := 0.0
		m.each(k, func(t int) { x += m.terms.at[t] })
		m.sum[k] = x
	}
	clear(m.slopes[:])
}

// step changes everything by the slopes of a batch.
func (m *model) step(rate float64) {
	for k, g := range m.slopes {
		if g != 0 {
			m.each(k, func(t int) { m.terms.slope[t] += g / batch })
		}
	}
	m.terms.step(rate, func(t int) float64 {
		switch {
		case t >= aloneAt:
			return decay
		case t >= pairsAt:
			return pairDecay
		}
		return 0
	})
	m.outlooks.step(rate, func(int) float64 { return pairDecay })
}

// fit makes steps over n samples, learn adding to the slopes, and says the mean loss of
// those kept apart.
func (m *model) fit(name string, n, epochs int, rate float64, learn func(i int) (loss float64)) {
	var order []int
	for i := range n {
		if i/1000%kept != 0 { // neighbours are of one game
			order = append(order, i)
		}
	}
	for epoch := range epochs {
		r := rate
		if epoch > epochs*2/3 {
			r /= 5
		}
		for at := 0; at+batch <= len(order); at += batch {
			m.add()
			for j := range batch {
				learn(order[(at+j)*7919%len(order)])
			}
			m.step(r)
		}
	}
	m.add()
	loss, count := 0.0, 0
	for i := range n {
		if i/1000%kept == 0 {
			loss += learn(i)
			count++
		}
	}
	log.Printf("%s: mean loss of %d that were kept apart %.4f", name, count, loss/float64(count))
}

// fitValues fits the evaluation: the logistic regression of chances.
func fitValues(all []sample, epochs int, w *engine.Weights) {
	m := newModel()
	m.fit("values", len(all), epochs, 0.003, func(i int) float64 {
		s := &all[i]
		x := m.outlooks.at[s.outlook]
		for q, k := range s.weights {
			x += m.sum[k] * float64(s.times[q])
		}
		p := sigmoid(x)
		m.outlooks.slope[s.outlook] += (p - s.chance) / batch
		for q, k := range s.weights {
			m.slopes[k] += (p - s.chance) * float64(s.times[q])
		}
		p = min(max(p, 1e-9), 1-1e-9)
		return -s.chance*math.Log(p) - (1-s.chance)*math.Log(1-p)
	})
	for k, x := range m.sum {
		w.Value[k] = round(x * logit * engine.ValueParts)
	}
	for k, x := range m.outlooks.at {
		w.Outlook[k] = round(x * logit * engine.ValueParts)
	}
}

// fitOrders fits the order of moves: the likelihood of what was played.
func fitOrders(all []choice, epochs int, w *engine.Weights) {
	m := newModel()
	var odds []float64
	m.fit("order", len(all), epochs, 0.01, func(i int) float64 {
		c := &all[i]
		odds = odds[:0]
		sum := 0.0
		for k := range c.own {
			x := math.Exp(m.sum[c.own[k]] + m.sum[c.other[k]])
			odds = append(odds, x)
			sum += x
		}
		for k, x := range odds {
			d := x / sum
			if k == c.played {
				d--
			}
			m.slopes[c.own[k]] += d
			m.slopes[c.other[k]] += d
		}
		return -math.Log(odds[c.played] / sum)
	})
	for k, x := range m.sum {
		w.Order[k] = round(x * engine.OrderParts)
	}
}

func round(x float64) int16 {
	return int16(math.Round(min(max(x, math.MinInt16), math.MaxInt16)))
}
