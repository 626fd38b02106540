package readfile

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

// renewed asks a fresh player for every decision, as the protocol does.
type renewed struct {
	fresh func() player.Player
	setup player.Setup
}

func (r *renewed) NewGame(_ context.Context, s *player.Setup) error {
	r.setup = *s
	r.setup.ID = player.SessionID(1)
	r.setup.History = nil
	for i := range s.History {
		r.setup.History = append(r.setup.History, s.History[i].Clone())
	}
	return nil
}

func (r *renewed) Tell(u *player.Update) {
	r.setup.History = append(r.setup.History, u.Clone())
	r.setup.Colours = u.Colours
}

func (r *renewed) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	b := r.fresh()
	defer b.Close()
	s := r.setup
	s.View = p.View
	if err := b.NewGame(ctx, &s); err != nil {
		return player.Answer{}, err
	}
	a, err := b.Choose(ctx, p)
	a.Steps = slices.Clone(a.Steps)
	return a, err
}

func (r *renewed) Stop()            {}
func (r *renewed) Over(game.Result) {}
func (r *renewed) Close() error     { return nil }

// TestRoundTrip plays whole games between two engines of which every ply goes through
// files: they are the games that the players themselves play.
func TestRoundTrip(t *testing.T) {
	spec := canonical(t, "darkchess:noeat=40")
	limits := player.Limits{Nodes: 300, Depth: 2}
	for name, fresh := range map[string]func() player.Player{
		"random":   func() player.Player { return playertest.NewRandom(42) },
		"built in": func() player.Player { return botdarkchess.New(bot.Options{Level: 1, Now: time.Now, Seed: 3}) },
	} {
		for _, start := range []string{"", "opening", "C-k-/----/c---/----/P---/----/p--r/---K r", "XX--/k---/----/-K--/XX--/----/----/---- b first=r hidden=PPpC quiet=3"} {
			if name == "built in" && strings.Contains(start, "first=") {
				continue // the side to move comes first in a file, so to it the seats are exchanged
			}
			t.Run(name+" "+start, func(t *testing.T) {
				var opening []game.Move
				if start == "opening" {
					start = ""
					opening = []game.Move{game.FlipAt(game.Pt(0, 0)), game.DealAt(game.Pt(0, 0), 9), game.FlipAt(game.Pt(1, 0)), game.DealAt(game.Pt(1, 0), 2)}
				}
				table := func() *playertest.Table {
					return &playertest.Table{Position: board(), Spec: spec, Start: start, Opening: opening, Seed: 7, Limits: limits, Limit: 20 * time.Second}
				}
				want, err := table().Play(context.Background(), [2]player.Player{&renewed{fresh: fresh}, &renewed{fresh: fresh}})
				if err != nil {
					t.Fatal(err)
				}
				var hosts [2]player.Player
				for i := range hosts {
					hosts[i] = hosted(t, nil, served(t, spec, limits, fresh))
					defer func() {
						if err := hosts[i].Close(); err != nil {
							t.Error(err)
						}
					}()
				}
				got, err := table().Play(context.Background(), hosts)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Moves, want.Moves) || got.Result.Reason != want.Result.Reason || got.Result.Points != want.Result.Points {
					t.Errorf("through files: %v\n%+v\nthe players themselves: %v\n%+v", got.Moves, got.Result, want.Moves, want.Result)
				}
				if len(want.Moves) < 10 {
					t.Errorf("only %d decisions", len(want.Moves))
				}
			})
		}
	}
}

// TestHostIsAPlayer holds the host to the contract of players, with our own engine
// behind it.
func TestHostIsAPlayer(t *testing.T) {
	spec := canonical(t, "darkchess:noeat=20")
	playertest.Suite{
		Spec: spec, Position: board, Deterministic: true,
		New: func() player.Player {
			return hosted(t, nil, served(t, spec, player.Limits{}, func() player.Player { return playertest.NewRandom(9) }))
		},
	}.Run(t)
}
