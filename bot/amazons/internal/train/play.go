package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/amazons"
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/player"
)

// sample is a position with what became of it.
type sample struct {
	engine.Measured
	won bool // by the side to move
}

// Of each game the first random turns are drawn by lot, and later one in oneIn. Only
// what comes after the last such turn says something about the result.
const (
	randomTurns = 4
	oneIn       = 25
)

// most bounds the search for the proof of who wins where the areas are parted.
const most = 40_000

// play plays a game and returns its positions.
func play(number int, seed uint64, nodes int64) ([]sample, error) {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	p := engine.New(bot.Options{Seed: r.Uint64(), Now: time.Now})
	ctx := context.Background()
	if err := p.NewGame(ctx, &player.Setup{ID: strconv.Itoa(number), Spec: "amazons"}); err != nil {
		return nil, err
	}
	b := amazons.StartBoard()
	var list []sample
	var sides []game.Seat
	finish := func(winner game.Seat) ([]sample, error) {
		for i := range list {
			list[i].won = sides[i] == winner
		}
		return list, p.Close()
	}
	for n := 0; ; n++ {
		x, ok := engine.Measure(&b)
		if !ok {
			return finish(b.Side().Other())
		}
		list, sides = append(list, sample{Measured: x}), append(sides, b.Side())
		if x.Disputed == 0 {
			if proof, _, ok := engine.Part(&b, most); ok {
				return finish(proof.Winner)
			}
		}
		var steps []game.Move
		if n < randomTurns || r.IntN(oneIn) == 0 {
			steps = draw(&b, r)
			list, sides = list[:0], sides[:0]
		} else {
			prompt := player.Prompt{Seat: b.Side(), Limits: player.Limits{Nodes: nodes}}
			a, err := p.Choose(ctx, &prompt)
			if err != nil {
				return nil, err
			}
			steps = a.Steps
		}
		p.Tell(&player.Update{By: b.Side(), Steps: steps, Ended: true})
		b.Shift(steps[0].From.Index(amazons.Size), steps[0].To.Index(amazons.Size))
		b.Shoot(steps[1].To.Index(amazons.Size))
	}
}

// draw returns a turn drawn by lot: first one of the amazons that can move.
func draw(b *amazons.Board, r *rand.Rand) []game.Move {
	var buf [4 * amazons.Size]uint8
	var to []uint8
	var from int
	for len(to) == 0 {
		queens := b.Queens(b.Side())
		from = int(queens[r.IntN(len(queens))])
		to = b.Reach(from, buf[:0])
	}
	at := int(to[r.IntN(len(to))])
	after := *b
	after.Shift(from, at)
	shots := after.Reach(at, buf[:0])
	shot := int(shots[r.IntN(len(shots))])
	return []game.Move{game.ShiftTo(point(from), point(at)), game.ShootAt(point(shot))}
}

func point(sq int) game.Point { return game.Pt(sq%amazons.Size, sq/amazons.Size) }
