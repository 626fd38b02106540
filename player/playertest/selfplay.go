package playertest

import (
	"context"
	"testing"

	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// SelfPlay plays a game between two players of the test, for at most so many turns, and
// lets each see the position and the answer before the answer is played. The clocks do
// not run: limits bound what a turn takes.
func SelfPlay(
	t *testing.T, r rules.Rules, list [2]player.Player, turns int, limits player.Limits,
	each func(turn int, s rules.State, a *player.Answer),
) {
	t.Helper()
	s, ctx := r.New(), context.Background()
	for seat, p := range list {
		if err := p.NewGame(ctx, &player.Setup{ID: "self-play", Spec: r.Spec(), Seat: game.Seat(seat)}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range turns {
		turn := s.Turn()
		if !turn.Seat.IsPlayer() {
			return
		}
		a, err := list[turn.Seat].Choose(ctx, &player.Prompt{Seat: turn.Seat, Turn: turn, Moves: s, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		each(n, s, &a)
		for _, m := range a.Steps {
			u := player.Update{By: turn.Seat, Steps: []game.Move{m}}
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				p.Tell(&u)
			}
		}
	}
}
