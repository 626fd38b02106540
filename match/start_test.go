package match_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

func TestStartFailures(t *testing.T) {
	fails := func(why game.Reason) *fake {
		return &fake{newGame: func(context.Context, *player.Setup) error {
			f := player.Fail(why, nil, "no OK to START")
			f.Evidence = []string{"cannot open data/eval.dat"}
			return f
		}}
	}
	for _, why := range []game.Reason{game.ByStart, game.ByCrash, game.ByTime} {
		b := &fake{}
		o := match.Play(t.Context(), newGame(fails(why), b))
		mustEnd(t, o, game.Second, game.ByStart, "A: no OK to START")
		if b.prompts != 0 || len(b.over) != 1 || o.Faulty != [2]bool{true, false} || o.Evidence[0] != "cannot open data/eval.dat" {
			t.Errorf("%d prompts, over %v, %+v", b.prompts, b.over, o)
		}
		mustEnd(t, match.Play(t.Context(), newGame(&fake{}, fails(why))), game.First, game.ByStart, "B: no OK")
	}
	o := match.Play(t.Context(), newGame(fails(game.ByStart), fails(game.ByStart)))
	mustEnd(t, o, game.Nobody, game.ByStart, "neither player became ready")
	if o.Result.Points != [2]float64{} || o.Faulty != [2]bool{true, true} {
		t.Errorf("%+v", o)
	}
	for _, why := range []game.Reason{game.ByStart, game.ByAbort} { // never ready; hosts of protocols call it stopped
		synctest.Test(t, func(t *testing.T) {
			hang := &fake{newGame: func(ctx context.Context, _ *player.Setup) error {
				<-ctx.Done()
				return player.Fail(why, ctx.Err(), "stopped, waiting for OK")
			}}
			g := newGame(&fake{}, hang)
			g.Policy.Start = 5 * time.Second
			begin := time.Now()
			mustEnd(t, match.Play(t.Context(), g), game.First, game.ByStart, "waiting for OK")
			if d := time.Since(begin); d != 5*time.Second {
				t.Errorf("after %v", d)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // one that was quick before hangs: the other has its own time
		hang := &fake{newGame: func(ctx context.Context, _ *player.Setup) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		g := newGame(hang, &fake{newGame: func(ctx context.Context, _ *player.Setup) error { return ctx.Err() }})
		g.Sides[0].Quick, g.Sides[1].Quick = true, true
		o := match.Play(t.Context(), g)
		if mustEnd(t, o, game.Second, game.ByStart, "A: "); o.Faulty != [2]bool{true, false} {
			t.Errorf("%+v", o)
		}
	})
	synctest.Test(t, func(t *testing.T) { // stopped while starting
		hang := func(ctx context.Context, _ *player.Setup) error {
			<-ctx.Done()
			return ctx.Err()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		mustEnd(t, match.Play(ctx, newGame(&fake{newGame: hang}, &fake{newGame: hang})), game.Nobody, game.ByAbort, "stopped")
	})
}

// Players that were soon ready are made ready one after the other, others side by side. What
// watches the time for it is not woken because they are ready, and knows when it is over.
func TestMadeReady(t *testing.T) {
	for _, quick := range [][2]bool{{}, {true}, {false, true}, {true, true}} {
		synctest.Test(t, func(t *testing.T) {
			both := quick == [2]bool{true, true}
			woken := 0
			watched := func(ctx context.Context, _ *player.Setup) error {
				if d, ok := ctx.Deadline(); !ok || time.Until(d) > 9*time.Second || time.Until(d) < 8*time.Second {
					t.Errorf("quick %v: over in %s, %v", quick, time.Until(d), ok)
				}
				context.AfterFunc(ctx, func() { woken++ })
				return nil
			}
			a := &fake{newGame: func(context.Context, *player.Setup) error { time.Sleep(time.Second); return nil }}
			b := &fake{}
			b.newGame = func(ctx context.Context, s *player.Setup) error {
				if !both {
					time.Sleep(time.Second)
				}
				return watched(ctx, s)
			}
			b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
				if synctest.Wait(); woken > 0 {
					t.Errorf("quick %v: woken in the game", quick)
				}
				return b.first(p), nil
			}
			g := newGame(a, b)
			g.Policy.Start = 9 * time.Second
			for s := range g.Sides {
				g.Sides[s].Quick = quick[s]
			}
			if o := match.Play(t.Context(), g); o.Ready != time.Second {
				t.Errorf("quick %v: ready after %s", quick, o.Ready)
			}
		})
	}
}

func TestOpenings(t *testing.T) {
	a, b := &fake{}, &fake{}
	g := newGame(a, b)
	g.Position, g.Opening, g.OpeningName = "7", at(5, 6), "edge"
	events := collect(t, g)
	o := match.Play(t.Context(), g)
	if o.Final != "7 5 6 0 1 2 3 4" || o.Plies != 5 || len(o.Steps) != 7 || !o.Steps[1].Opening || o.Steps[2].Opening {
		t.Errorf("%+v", o)
	}
	h := b.setup.History
	if b.setup.Start != "7" || b.setup.ToMove != game.Second || len(h) != 2 || h[0].By != game.Second || h[1].Steps[0] != at(6)[0] || h[1].Next.Seat != game.Second {
		t.Errorf("setup %+v", b.setup)
	}
	j := fold(t, *events)
	if !j.Steps[0].Opening || j.Steps[0].Next.Seat != game.First || j.Start.Position != "7" || j.Start.ToMove != game.Second || !slices.Equal(j.Moves(), moves(o)) {
		t.Errorf("%+v", j)
	}
	g.Opening = at(7)
	mustEnd(t, match.Play(t.Context(), g), game.Nobody, game.ByAbort, "opening edge, decision 1, 7: point 7 is taken")
	g.Position = "x"
	mustEnd(t, match.Play(t.Context(), g), game.Nobody, game.ByAbort, "start position")

	// Who cannot start there does not lose for it.
	type only struct{ player.Player }
	g = newGame(only{a}, b)
	g.Opening = at(1)
	mustEnd(t, match.Play(t.Context(), g), game.Nobody, game.ByAbort, "A cannot start from an opening")
	g.Opening, g.Position = nil, "1"
	mustEnd(t, match.Play(t.Context(), g), game.Nobody, game.ByAbort, "A cannot start from a set-up position")

	// In an opening with chance the deals are drawn or given.
	a = &fake{}
	g = newGame(a, &fake{})
	g.Rules = &tiny{size: 8, perTurn: 1, chance: true}
	g.Dealer = match.NewDealer(g.Rules, [32]byte{1})
	g.Opening = []game.Move{at(4)[0], game.DealAt(game.Pt(4, 0), 2), at(5)[0]}
	o = match.Play(t.Context(), g)
	if o.Result.Reason != "full" || o.Steps[1].Move.Arg != 2 || o.Steps[3].By != game.Dealer || !o.Steps[3].Opening || len(a.setup.History) != 2 || len(a.setup.History[0].Steps) != 2 {
		t.Errorf("%+v\n%+v", o.Steps[:4], a.setup.History)
	}
}
