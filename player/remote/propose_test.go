package remote

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// shy is an engine that leaves each decision to whoever decides.
type shy struct {
	player.Player
	decide func(context.Context, *player.Prompt, game.Move) game.Move
}

func (s *shy) Consult(decide func(context.Context, *player.Prompt, game.Move) game.Move) {
	s.decide = decide
}

func (s *shy) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	m := p.Moves.Legal(nil)[0]
	time.Sleep(10 * time.Millisecond)
	if s.decide != nil {
		m = s.decide(ctx, p, m)
	}
	return player.Answer{Steps: []game.Move{m}, Used: 10 * time.Millisecond, Measured: true}, nil
}

// bold decides after a while for whoever asks: what would be last in the list.
type bold struct {
	player.Player
	after   time.Duration
	decided []game.Move
	ended   int
}

func (b *bold) Decide(ctx context.Context, p *player.Prompt, proposed game.Move) game.Move {
	legal := p.Moves.Legal(nil)
	if proposed != legal[0] {
		return game.Move{}
	}
	select {
	case <-time.After(b.after):
	case <-ctx.Done():
		b.ended++
		return proposed
	}
	m := legal[len(legal)-1]
	b.decided = append(b.decided, m)
	return m
}

// What an engine at the other end leaves open the person on the other seat decides, without any cost on
// the engine's clock, over connections good and bad; in rated games nobody is asked.
func TestProposals(t *testing.T) {
	for _, tt := range []struct {
		name       string
		bad, rated bool
		after      time.Duration
		stops      bool
	}{
		{"good", false, false, time.Minute, false},
		{"bad", true, false, 5 * time.Second, false},
		{"rated", false, true, time.Minute, false},
		{"stopped", false, false, 24 * time.Hour, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := join(&shy{Player: random.New(random.Options{Seed: 1})}, "othello", Options{Session: "g"}, tt.bad)
				defer j.Close()
				person := &bold{Player: random.New(random.Options{Seed: 2}), after: tt.after}
				g := &match.Game{ID: "g", Rules: open(t, "othello"), Now: time.Now, Rated: tt.rated, Policy: match.Policy{MaxMoves: 12}}
				g.Sides[0] = match.Side{Player: j, Name: "far", Clock: clock.Control{Main: 3 * time.Second}}
				g.Sides[1] = match.Side{Player: person, Name: "near"}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.stops {
					time.AfterFunc(time.Hour, cancel)
				}
				o := match.Play(ctx, g)
				var moves []game.Move
				for _, s := range o.Steps {
					if s.By == game.First && !s.Forced {
						moves = append(moves, s.Move)
					}
					if s.Error > time.Second {
						t.Errorf("a transmission error of %v", s.Error)
					}
				}
				switch {
				case tt.stops && (o.Result.Reason != game.ByAbort || person.ended != 1 || len(moves) > 0):
					t.Errorf("%+v after %d moves, %d ended", o.Result, len(moves), person.ended)
				case tt.stops:
				case o.Result.Reason == game.ByTime || o.Used[0] > time.Second || len(moves) < 6:
					t.Errorf("%+v, %d moves in %v", o.Result, len(moves), o.Used[0])
				case tt.rated && len(person.decided) > 0 || !tt.rated && !slices.Equal(moves, person.decided):
					t.Errorf("played %v, decided %v", moves, person.decided)
				}
			})
		})
	}
}
