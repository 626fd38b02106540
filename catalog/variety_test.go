package catalog_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/rules"
)

// variedGames plays the first plies of that many games, against an opponent that is started
// anew for each and plays the same again, and returns their moves.
func variedGames(t *testing.T, spec game.Spec, seed uint64, variety, count int) []string {
	t.Helper()
	row, ok := catalog.Find(spec.ID())
	if !ok {
		t.Fatal(spec)
	}
	session := func(o bot.Options) *player.Session {
		o.Now = func() time.Time { return time.Time{} }
		p := row.Engine(o)
		t.Cleanup(func() { p.Close() })
		return &player.Session{Player: p, Position: rules.NewBoard(games.OpenSpec), Limits: player.Limits{Nodes: 3000}}
	}
	varied := session(bot.Options{Seed: seed, Variety: variety})
	var list []string
	for range count {
		sides := [2]*player.Session{varied, session(bot.Options{Level: 5})}
		for _, s := range sides {
			if err := s.NewGame(spec, ""); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, firstPlies(t, sides))
	}
	return list
}

func firstPlies(t *testing.T, sides [2]*player.Session) (text string) {
	t.Helper()
	for range 12 {
		seat := sides[0].Position.Turn().Seat
		if !seat.IsPlayer() {
			break
		}
		a, err := sides[seat].PlayTurn(context.Background(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range a.Steps {
			text += " " + sides[seat].Position.FormatMove(m)
		}
		if err := sides[seat.Other()].Play(a.Steps...); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

func different(list []string) int { return len(slices.Compact(slices.Sorted(slices.Values(list)))) }

// fewer are how many of twenty games differ at least where good moves are few: the one of
// Othello's beginning, and the answers to threats of fives.
var fewer = map[string]int{"othello": 14, "gomoku": 10}

// TestVariety checks that games of a run differ, and that the same seed gives the same run.
func TestVariety(t *testing.T) {
	for _, g := range catalog.All() {
		r, err := games.Open(g.Rules.ID)
		if err != nil {
			t.Fatal(err)
		}
		if r.Doc().Info != rules.Perfect {
			continue // its games differ by themselves, or a Session cannot play it
		}
		spec := r.Spec()
		t.Run(g.Rules.ID, func(t *testing.T) {
			t.Parallel()
			first := variedGames(t, spec, 5, 8, 20)
			want, ok := fewer[g.Rules.ID]
			if !ok {
				want = 18
			}
			if n := different(first); n < want {
				t.Errorf("%d of %d games differ; without variety %d", n, len(first), different(variedGames(t, spec, 5, 0, 20)))
			}
			const few = 5
			if !slices.Equal(first[:few], variedGames(t, spec, 5, 8, few)) {
				t.Error("the same seed gave other games")
			}
			if slices.Equal(first[:few], variedGames(t, spec, 6, 8, few)) {
				t.Error("another seed gave the same games")
			}
		})
	}
}
