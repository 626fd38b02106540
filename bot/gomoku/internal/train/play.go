package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/gomoku"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// specs are played in turn.
var specs = []game.Spec{
	"gomoku:rule=freestyle,size=15", "gomoku:rule=freestyle,size=20", "gomoku:rule=renju,size=15", "gomoku:rule=standard,size=15",
}

const (
	leastLots = 2   // stones drawn by lot at the start
	mostLots  = 7   // likewise
	oneIn     = 30  // how rarely a later one is
	unfair    = 400 // points of an opening that is not played
)

// generator plays games against itself.
type generator struct {
	seed    uint64
	nodes   int64
	weights *engine.Weights
}

// play plays the game of a number: openings by lot until one is fair.
func (g *generator) play(number int) (record, error) {
	rng := rand.New(rand.NewPCG(g.seed, uint64(number)))
	for {
		if r, fair, err := g.try(number, rng); fair || err != nil {
			return r, err
		}
	}
}

func (g *generator) try(number int, rng *rand.Rand) (r record, fair bool, err error) {
	rules, err := gomoku.New(specs[number%len(specs)])
	if err != nil {
		return r, false, err
	}
	r.spec = rules.Spec()
	s := rules.New().(*gomoku.State)
	ctx := context.Background()
	p := engine.NewBy(g.weights, bot.Options{Seed: rng.Uint64(), Now: time.Now})
	if err := p.NewGame(ctx, &player.Setup{ID: strconv.Itoa(number), Spec: r.spec}); err != nil {
		return r, false, err
	}
	lots := leastLots + rng.IntN(mostLots-leastLots+1)
	for turn := s.Turn(); turn.Seat.IsPlayer(); turn = s.Turn() {
		n := s.Stones()
		var m game.Move
		v := byLot
		if n < lots || n > lots+1 && rng.IntN(oneIn) == 0 {
			m = draw(s, rng)
		} else {
			a, err := p.Choose(ctx, &player.Prompt{Turn: turn, Seat: turn.Seat, Moves: s, Limits: player.Limits{Nodes: g.nodes}})
			if err != nil {
				return r, false, err
			}
			if m, v = a.Steps[0], engine.Value(&a.Info); n == lots && max(v, -v) > unfair {
				return r, false, p.Close()
			}
		}
		if _, err := s.Apply(m, nil); err != nil {
			return r, false, err
		}
		p.Tell(&player.Update{By: turn.Seat, Steps: []game.Move{m}, Ended: true, Next: s.Turn(), Colours: s.Colours()})
		r.stones = append(r.stones, stone{m.To, v})
	}
	switch result, _ := s.Result(); result.Winner() {
	case game.First:
		r.result = 1
	case game.Second:
		r.result = -1
	}
	return r, true, p.Close()
}

// draw draws a move by lot: the first stone near the middle, others within two points of
// one that stands.
func draw(s *gomoku.State, rng *rand.Rand) game.Move {
	doc, b := s.Rules().Doc(), s.Board()
	legal := s.Legal(nil)
	rng.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	for _, m := range legal {
		x, y := int(m.To.X), int(m.To.Y)
		if s.Stones() == 0 && max(2*x-doc.Width, doc.Width-2*x, 2*y-doc.Height, doc.Height-2*y) < 8 {
			return m
		}
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				if b.Cells()[b.Index(m.To)+dy*b.Dirs()[1]+dx].Live() {
					return m
				}
			}
		}
	}
	return legal[0]
}
