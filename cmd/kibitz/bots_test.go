package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/twin"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

// named gives the games of a table names of their own.
type named struct {
	player.Player
	id string
}

func (n named) NewGame(ctx context.Context, s *player.Setup) error {
	own := *s
	own.ID = n.id
	return n.Player.NewGame(ctx, &own)
}

// A game is the same whatever its players have played before: the same moves, thoughts
// and numbers of positions as those of players that are new.
func TestNoMemoryOfOtherGames(t *testing.T) {
	for _, row := range catalog.All() {
		g, build := row.Rules, row.Engine
		t.Run(g.ID, func(t *testing.T) {
			t.Parallel()
			for _, tt := range []struct {
				level, steps int
				nodes        int64 // 0 for those of the level
			}{{1, 30, 0}, {3, 8, 0}, {9, 8, 400}} {
				if testing.Short() && tt.level > 1 && g.ID != "gomoku" {
					break
				}
				pair := func() [2]player.Player {
					o := bot.Options{Level: tt.level, Seed: 5, Now: time.Now}
					return [2]player.Player{build(o), build(o)}
				}
				used := pair()
				want := replies(t, g, used, "a", tt.steps, tt.nodes)
				other := replies(t, g, used, "b", tt.steps/2, 2*tt.nodes)
				if strings.HasPrefix(want, other) {
					t.Fatalf("level %d: another game is the same: the test shows nothing\n%s", tt.level, want)
				}
				for name, players := range map[string][2]player.Player{"new": pair(), "used": used} {
					if got := replies(t, g, players, "a", tt.steps, tt.nodes); got != want {
						t.Errorf("level %d, %s players: %s", tt.level, name, twin.Difference(got, want))
					}
				}
			}
		})
	}
}

// The player of random moves has no memory either.
func TestRandomHasNoMemory(t *testing.T) {
	g := games.All()[0]
	p := [2]player.Player{random.New(random.Options{Seed: 1}), random.New(random.Options{Seed: 2})}
	want := replies(t, g, p, "a", 30, 0)
	if replies(t, g, p, "b", 30, 0) == want {
		t.Fatal("another game is the same")
	}
	if got := replies(t, g, p, "a", 30, 0); got != want {
		t.Error(twin.Difference(got, want))
	}
}

// replies plays a game and returns its answers, a line each.
func replies(t *testing.T, g rules.Game, players [2]player.Player, id string, steps int, nodes int64) string {
	t.Helper()
	var b strings.Builder
	tb := playertest.Table{
		Position: playertest.Board(g)(), Spec: game.Spec(g.ID), Seed: 3, MaxSteps: steps, Limit: time.Minute, Limits: player.Limits{Nodes: nodes},
		Inspect: func(p *player.Prompt, a *player.Answer) {
			fmt.Fprintln(&b, p.Seat, a.Steps, a.Info.Eval, a.Info.Depth, a.Info.Nodes, a.Info.PV)
		},
	}
	if _, err := tb.Play(context.Background(), [2]player.Player{named{players[0], id}, named{players[1], id}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// BenchmarkNewGame begins games one after the other, as a match of quick games does.
func BenchmarkNewGame(b *testing.B) {
	for _, row := range catalog.All() {
		g := row.Rules
		for _, level := range []int{1, 9} {
			b.Run(fmt.Sprintf("%s/%d", g.ID, level), func(b *testing.B) {
				p := row.Engine(bot.Options{Level: level, Seed: 1, Now: time.Now})
				board := playertest.Board(g)()
				if err := board.Reset(game.Spec(g.ID), ""); err != nil {
					b.Fatal(err)
				}
				w, h := board.Size()
				s := player.Setup{ID: "x", Spec: board.Spec(), Width: w, Height: h, Colours: board.Colours()}
				for b.Loop() {
					if err := p.NewGame(b.Context(), &s); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
