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

// variedGames plays the first plies of twenty games, against an opponent that is started
// anew for each and plays the same again, and returns their moves.
func variedGames(t *testing.T, spec game.Spec, seed uint64, variety int) []string {
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
	for range 20 {
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

// TestVariety checks that games of a run differ, and that the same seed gives the same run.
func TestVariety(t *testing.T) {
	for _, spec := range []game.Spec{"amazons", "surakarta", "connect6", "nogo", "dotsandboxes", "breakthrough"} {
		t.Run(string(spec), func(t *testing.T) {
			t.Parallel()
			first := variedGames(t, spec, 5, 8)
			if n := different(first); n < 18 {
				t.Errorf("%d of %d games differ; without variety %d", n, len(first), different(variedGames(t, spec, 5, 0)))
			}
			if !slices.Equal(first, variedGames(t, spec, 5, 8)) {
				t.Error("the same seed gave other games")
			}
			if slices.Equal(first, variedGames(t, spec, 6, 8)) {
				t.Error("another seed gave the same games")
			}
		})
	}
}
