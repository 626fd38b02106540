package main

import (
	"math"

	engine "kibitz/bot/gomoku"
	"kibitz/games/gomoku"
)

// sample is a position that the search would evaluate.
type sample struct {
	weights []uint16 // of its points, each once
	times   []uint8  // and how many points have it
	outlook uint16   // what both sides threaten together
	chance  float64  // that the side on turn wins
}

// choice is a position with what the search played.
type choice struct {
	own, other []uint16 // weights of each move
	played     int
}

const (
	// logit is how many points are a unit of the logarithm of the odds.
	logit = 160
	// trust is how much of a chance is what became of the game; the rest is what the
	// search said.
	trust = 0.5
)

// samples returns what can be learned from games.
func samples(games []record) (values []sample, orders []choice, err error) {
	gauges := map[string]*engine.Gauge{}
	for i := range games {
		r := &games[i]
		g := gauges[string(r.spec)]
		if g == nil {
			rules, err := gomoku.New(r.spec)
			if err != nil {
				return nil, nil, err
			}
			d := rules.Doc()
			g = engine.NewGauge(rules.Rule(), d.Width, d.Height)
			gauges[string(r.spec)] = g
		}
		g.Clear()
		values, orders = look(g, r, values, orders)
	}
	return values, orders, nil
}

// look adds the positions of a game. What comes before a move drawn by lot says nothing
// about the result.
func look(g *engine.Gauge, r *record, values []sample, orders []choice) ([]sample, []choice) {
	first := len(values)
	var buf []int32
	for n, s := range r.stones {
		c, result := gomoku.Black, r.result
		if n%2 == 1 {
			c, result = gomoku.White, -r.result
		}
		// A move without a choice was not searched, and is said to be worth 0.
		searched := s.value != byLot && s.value != 0
		if s.value == byLot {
			values = values[:first]
		} else if list, ok := g.Weighed(c, buf[:0]); ok {
			chance := float64(1+result) / 2
			if searched {
				chance = trust*chance + (1-trust)*sigmoid(float64(s.value)/logit)
			}
			buf = list
			values = append(values, gather(list, g.Outlook(), chance))
		}
		if searched && s.value > -engine.Proved {
			x := choice{played: -1}
			for i, m := range g.Choices(c) {
				x.own, x.other = append(x.own, uint16(m.Own)), append(x.other, uint16(m.Other))
				if m.At == s.at {
					x.played = i
				}
			}
			if x.played >= 0 && len(x.own) > 1 {
				orders = append(orders, x)
			}
		}
		g.Place(s.at, c)
	}
	return values, orders
}

// gather counts how often each weight is in a list.
func gather(list []int32, outlook int, chance float64) sample {
	s := sample{outlook: uint16(outlook), chance: chance}
	at := map[int32]int{}
	for _, k := range list {
		i, ok := at[k]
		if !ok {
			i = len(s.weights)
			at[k] = i
			s.weights, s.times = append(s.weights, uint16(k)), append(s.times, 0)
		}
		s.times[i] = min(s.times[i], 254) + 1
	}
	return s
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
