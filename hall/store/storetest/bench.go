package storetest

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"kibitz/hall/store"
)

// Games of benchmarks have as many positions, and records of as many bytes, as those
// of Othello.
const (
	benchGames     = 100_000
	benchPositions = 60
	benchRecord    = 700
)

// Bench measures an empty store.
func Bench(b *testing.B, open func(b *testing.B) store.Store) {
	for _, writers := range []int{1, 8} {
		b.Run(fmt.Sprintf("EndAttempt/%d", writers), func(b *testing.B) { benchEnd(b, open(b), writers) })
	}
	b.Run("Find", func(b *testing.B) { benchFind(b, open(b)) })
}

// ending is the end of game i: half of its positions are its own.
func ending(i int) *store.Ending {
	e := &store.Ending{Game: fmt.Sprint("game ", i), Result: won(1, 0, "score"), Plies: benchPositions, Record: make([]byte, benchRecord)}
	r := rand.New(rand.NewPCG(uint64(i), 1))
	for j := range e.Record {
		e.Record[j] = byte(r.Uint32())
	}
	for ply := range benchPositions {
		key := r.Int64()
		if ply < benchPositions/2 {
			// What many games have in common at the beginning.
			key = int64(ply)<<40 + int64(r.IntN(1<<min(ply, 20)))
		}
		e.Positions = append(e.Positions, store.Position{Key: key, Ply: ply})
	}
	return e
}

func benchGame(i int) store.Game {
	g := newGame(fmt.Sprint("game ", i))
	g.State, g.Tournament, g.Index = store.Running, "t", i
	g.Seats[0].Name, g.Seats[1].Name = fmt.Sprint("player ", i%1000), fmt.Sprint("player ", i*7%1000)
	return g
}

// benchEnd ends games that run, each in its own transaction with a rating.
func benchEnd(b *testing.B, s store.Store, writers int) {
	do(b, s, func(x store.Tx) error {
		for i := range b.N {
			g := benchGame(i)
			if err := x.AddGame(&g); err != nil {
				return err
			}
		}
		return nil
	})
	var next atomic.Int64
	b.ResetTimer()
	together(b, writers, func(w int) {
		for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
			e := ending(i)
			err := s.Update(b.Context(), func(x store.Tx) error {
				if ok, err := x.EndAttempt(e); err != nil || !ok {
					return fmt.Errorf("%s: %v %w", e.Game, ok, err)
				}
				return x.SetRating(&store.Rating{Subject: fmt.Sprint("user/", w), Game: "othello", Speed: "blitz"})
			})
			if err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// benchFind searches among many games.
func benchFind(b *testing.B, s store.Store) {
	const part = 2000
	for from := 0; from < benchGames; from += part {
		do(b, s, func(x store.Tx) error {
			for i := from; i < from+part; i++ {
				g := benchGame(i)
				if err := x.AddGame(&g); err != nil {
					return err
				}
				if _, err := x.EndAttempt(ending(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	rare := ending(benchGames / 2).Positions[benchPositions-1].Key
	for name, q := range map[string]store.GameQuery{
		"first position": {HasPosition: true}, "rare position": {HasPosition: true, Position: rare},
		"first position of a player": {HasPosition: true, Player: "player 7"},
		"player":                     {Player: "player 7"}, "all": {}, "never": {Player: "nobody"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				see(b, s, func(x store.Tx) error { _, err := x.FindGames(q); return err })
			}
		})
	}
	for name, q := range map[string]store.GameQuery{"player": {Player: "player 7"}, "all": {}} {
		b.Run("tally of "+name, func(b *testing.B) {
			for b.Loop() {
				see(b, s, func(x store.Tx) error { _, err := x.Tally(q, store.ByOpponent); return err })
			}
		})
	}
}
