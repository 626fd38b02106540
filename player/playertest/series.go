package playertest

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// Board returns a function that makes positions of a game, for suites, series and
// round trips.
func Board(g rules.Game) func() player.Position {
	return func() player.Position {
		return rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
			return rules.Open([]rules.Game{g}, string(s))
		})
	}
}

// Levels returns a function that makes what makes players of a level of a built-in engine.
func Levels(engine func(bot.Options) player.Player) func(level int) func(seed uint64) player.Player {
	return func(level int) func(uint64) player.Player {
		return func(seed uint64) player.Player {
			return engine(bot.Options{Level: level, Seed: seed, Now: time.Now})
		}
	}
}

// Chance makes players that draw among the legal decisions.
func Chance(seed uint64) player.Player { return random.New(random.Options{Seed: seed}) }

// Series is a number of games between two players who change seats after each.
type Series struct {
	// Table is what the games have in common; its Position and Seed are set for each.
	Table Table
	Board func() player.Position
	Games int
	// A and B make the players of a game. A has the first seat in the first game.
	A, B func(seed uint64) player.Player
	// Each, if set, sees every game.
	Each func(t *testing.T, g *Played)
}

// Score is what A has made of a series, in games.
type Score struct{ Won, Drawn, Lost int }

// Points counts a win 1 and a draw 1/2.
func (s Score) Points() float64 { return float64(s.Won) + float64(s.Drawn)/2 }

// AtLeast plays the games, and fails the test if A makes less than so many points.
func (s Series) AtLeast(t *testing.T, points float64) {
	t.Helper()
	if p := s.Play(t).Points(); p < points {
		t.Errorf("%s: %v of %d points, want %v at least", s.Table.Spec, p, s.Games, points)
	}
}

// Threads lets a built-in engine search in several goroutines: it plays on, and within its
// positions.
func Threads(t *testing.T, spec game.Spec, board func() player.Position, level func(int) func(uint64) player.Player) {
	t.Helper()
	Series{
		Table: Table{Spec: spec, Limits: player.Limits{Nodes: 3000, Threads: 3}},
		Board: board, Games: 2, A: level(9), B: Chance,
	}.AtLeast(t, 2)
}

// Play plays the games. One that cannot be played to its end fails the test.
func (s Series) Play(t *testing.T) (sum Score) {
	t.Helper()
	for i := range s.Games {
		seed := uint64(i)
		table, own := s.Table, game.Seat(i%2)
		table.Position, table.Seed = s.Board(), seed
		var seats [2]player.Player
		seats[own], seats[own.Other()] = s.A(seed), s.B(seed)
		g, err := table.Play(context.Background(), seats)
		if err != nil {
			t.Fatalf("%s, game %d: %v", table.Spec, i, err)
		}
		if s.Each != nil {
			s.Each(t, g)
		}
		switch g.Result.Points[own] {
		case 1:
			sum.Won++
		case 0:
			sum.Lost++
		default:
			sum.Drawn++
		}
	}
	t.Logf("%s: %+v", s.Table.Spec, sum)
	return sum
}

// Lines has an analyst think to a depth about the position it is at, and wants so
// many lines of every depth, in order, none better than the one before it. It returns
// them for a look at what they say.
func Lines(t *testing.T, p player.Player, lines, depth int) (got []game.Info) {
	t.Helper()
	q := player.Question{Lines: lines, Depth: depth}
	err := p.(player.Analyst).Analyse(context.Background(), q, func(i game.Info) bool {
		got = append(got, i)
		return true
	})
	if err != nil || len(got) != lines*depth {
		t.Fatalf("%d lines, %v, want %d of each depth to %d", len(got), err, lines, depth)
	}
	for i, info := range got {
		if info.Rank != i%lines+1 || info.Depth != i/lines+1 || len(info.PV) == 0 || !info.Eval.Known() {
			t.Errorf("line %d: %+v", i, info)
		}
		e := info.Eval
		if i%lines > 0 && e.Unit != game.MateIn && e.Unit == got[i-1].Eval.Unit && e.Lo > got[i-1].Eval.Lo {
			t.Errorf("line %d is better than the one before it: %+v", i, info)
		}
	}
	return got
}
