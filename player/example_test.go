package player_test

import (
	"context"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
)

// first plays the first legal decision. It needs no board: the prompt lists what is legal.
type first struct{ seat game.Seat }

func (p *first) NewGame(_ context.Context, s *player.Setup) error {
	p.seat = s.Seat
	return nil
}

func (p *first) Choose(_ context.Context, q *player.Prompt) (player.Answer, error) {
	legal := q.Moves.Legal(nil)
	if len(legal) == 0 {
		return player.Answer{}, player.Fail(game.ByIllegal, nil, "no legal decision was offered")
	}
	return player.Answer{Steps: legal[:1]}, nil
}

func (p *first) Tell(u *player.Update) { fmt.Printf("%s hears %v of %s\n", p.seat, u.Steps, u.By) }
func (p *first) Stop()                 {}
func (p *first) Over(r game.Result)    { fmt.Println(p.seat, "hears the end:", r.Reason) }
func (p *first) Close() error          { return nil }

// Whatever has these six methods can play. The referee of package match calls them in this
// order.
func ExamplePlayer() {
	r, err := games.Open("othello")
	if err != nil {
		fmt.Println(err)
		return
	}
	var p player.Player = &first{}
	defer p.Close()
	ctx, s := context.Background(), r.New()
	if err := p.NewGame(ctx, &player.Setup{ID: "1", Spec: r.Spec(), Width: 8, Height: 8, Seat: game.First}); err != nil {
		fmt.Println(err)
		return
	}
	a, err := p.Choose(ctx, &player.Prompt{Seat: game.First, Turn: s.Turn(), Moves: s})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Tell(&player.Update{By: game.First, Steps: a.Steps, Ended: true})
	p.Over(game.Result{Reason: game.ByAbort})
	// Output:
	// first hears [place 3,2] of first
	// first hears the end: abort
}

// A player that cannot go on says why, with a reason for which its seat is judged.
func ExampleFail() {
	err := fmt.Errorf("engine A: %w", player.Fail(game.ByCrash, nil, "the engine ended (exit 1)"))
	if f, ok := errors.AsType[*player.Failure](err); ok {
		fmt.Println(f.Reason, "-", f.Detail)
	}
	// Output:
	// crash - the engine ended (exit 1)
}
