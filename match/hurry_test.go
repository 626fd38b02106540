package match_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// thinker thinks until it is stopped, and then moves.
type thinker struct{ fake }

// Hurries implements player.Hurrier.
func (*thinker) Hurries() {}

func newThinker() player.Player {
	t := &thinker{}
	t.stops = make(chan struct{}, 1)
	t.choose = func(ctx context.Context, p *player.Prompt) (player.Answer, error) {
		time.Sleep(time.Millisecond)
		select {
		case <-t.stops:
		default:
		}
		select {
		case <-t.stops:
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
		return t.first(p), nil
	}
	return t
}

// hurried plays a person's game with an engine; press is called once it thinks. It returns
// how long the first turns of the engine took.
func hurried(t *testing.T, engine func() player.Player, change func(*match.Game), press func(t *testing.T, m *player.Mailbox)) (turns []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := person(t, mover)
		g := newGame(engine(), m)
		g.Policy.Hurry, g.Policy.Stall = true, -1
		if change != nil {
			change(g)
		}
		go func() {
			time.Sleep(time.Second)
			press(t, m)
		}()
		o := match.Play(t.Context(), g)
		for _, s := range o.Steps {
			if s.By == game.First {
				turns = append(turns, s.Used)
			}
		}
	})
	return turns
}

// An engine that is told to move does so at once; the next turn is its own again.
func TestMoveNow(t *testing.T) {
	turns := hurried(t, newThinker, nil, func(t *testing.T, m *player.Mailbox) {
		act(t, m, player.Act{Do: player.MoveNow}, player.Done)
	})
	if len(turns) < 2 || turns[1] < time.Hour || turns[0] < time.Second || turns[0] > time.Second+10*time.Millisecond {
		t.Errorf("turns of %v", turns)
	}
}

// A limit that is set while the engine thinks counts in that turn and in all later ones,
// and ends with another.
func TestLimitChanged(t *testing.T) {
	turns := hurried(t, newThinker, nil, func(t *testing.T, m *player.Mailbox) {
		act(t, m, player.Act{Do: player.SetLimit, Limit: 3000}, player.Done)
		time.Sleep(4500 * time.Millisecond) // 2.5 s in its second turn
		act(t, m, player.Act{Do: player.SetLimit, Limit: 1000}, player.Done)
	})
	want := []time.Duration{3 * time.Second, 2500 * time.Millisecond, time.Second}
	if len(turns) < len(want) {
		t.Fatalf("turns of %v", turns)
	}
	for i, w := range want {
		if d := turns[i] - w; d < 0 || d > 10*time.Millisecond {
			t.Errorf("turn %d took %v, want %v", i+1, turns[i], w)
		}
	}
}

// Who cannot be told, does not think, or plays for something is not hurried.
func TestHurryRefused(t *testing.T) {
	dumb := func() player.Player { return slow(2*time.Second, 0) }
	for _, c := range []struct {
		name   string
		engine func() player.Player
		change func(*match.Game)
		wait   time.Duration
		why    game.WhyCode
	}{
		{name: "no word", engine: dumb, why: player.NotPerson},
		{name: "rated", engine: newThinker, change: func(g *match.Game) { g.Rated = true }, why: player.NoDeed},
		{name: "tournament", engine: newThinker, change: func(g *match.Game) { g.Policy.Hurry = false }, why: player.NoDeed},
	} {
		t.Run(c.name, func(t *testing.T) {
			hurried(t, c.engine, c.change, func(t *testing.T, m *player.Mailbox) {
				if r := act(t, m, player.Act{Do: player.MoveNow}, player.Refused); r.Why.Code != c.why {
					t.Errorf("%+v, want %s", r, c.why)
				}
				act(t, m, player.Act{Do: player.Resign}, player.Done)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		m := player.NewMailbox(time.Now)
		g := newGame(m, newThinker())
		g.Policy.Hurry, g.Policy.Stall = true, -1
		time.AfterFunc(time.Second, func() {
			if r := act(t, m, player.Act{Do: player.MoveNow}, player.Refused); r.Why.Code != player.NotPerson {
				t.Errorf("on one's own turn: %+v", r)
			}
			act(t, m, player.Act{Do: player.Resign}, player.Done)
		})
		match.Play(t.Context(), g)
	})
}
