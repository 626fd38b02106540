package playertest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// asked is a game in its initial position, with the seat that is asked.
type asked struct {
	pos    player.Position
	limits player.Limits
	clocks [2]clock.Clock
}

func (a asked) prompt(deadline time.Time) *player.Prompt {
	t := a.pos.Turn()
	return &player.Prompt{
		Seat: t.Seat, Turn: t, Moves: a.pos, Colours: a.pos.Colours(), View: side{a.pos, t.Seat},
		Deadline: deadline, Limits: a.limits, Clocks: a.clocks,
	}
}

// hour is a clock that holds a search back for longer than any test waits.
func hour() [2]clock.Clock {
	k := clock.New(clock.Control{Turn: time.Hour})
	return [2]clock.Clock{k, k}
}

func (s Suite) begin(t *testing.T, p player.Player, seat game.Seat, limits player.Limits) asked {
	t.Helper()
	pos := s.Position()
	if err := pos.Reset(s.Spec, ""); err != nil {
		t.Fatal(err)
	}
	var clocks [2]clock.Clock
	if limits == (player.Limits{}) {
		clocks = hour()
	}
	w, h := pos.Size()
	setup := &player.Setup{
		ID: "suite", Spec: pos.Spec(), Width: w, Height: h, Seat: seat, ToMove: pos.Turn().Seat,
		Colours: pos.Colours(), View: side{pos, seat}, Limits: limits, Clocks: clocks,
	}
	if err := p.NewGame(context.Background(), setup); err != nil {
		t.Fatal(err)
	}
	return asked{pos, limits, clocks}
}

// askedAgain tells the player that its answer was illegal and asks for another.
func (s Suite) askedAgain(t *testing.T) {
	p := s.open(t)
	turn := s.begin(t, p, game.First, s.Limits)
	for again := range 3 {
		prompt := turn.prompt(time.Now().Add(20 * time.Second))
		if prompt.Again = again; again > 0 {
			prompt.Rejected = player.AnswerIllegal
		}
		a, err := p.Choose(context.Background(), prompt)
		if err != nil {
			return // giving up is allowed
		}
		if len(a.Steps) == 0 {
			t.Fatalf("attempt %d: no decision", again)
		}
	}
	p.Over(game.Result{Reason: game.ByAbort})
}

// deadline asks without any other limit.
func (s Suite) deadline(t *testing.T) {
	p := s.open(t)
	a := s.begin(t, p, game.First, s.free())
	limit := 200 * time.Millisecond
	began := time.Now()
	ans, err := p.Choose(context.Background(), a.prompt(began.Add(limit)))
	if took := time.Since(began); took > limit+s.Slack {
		t.Errorf("an answer due within %v took %v", limit, took)
	}
	judge(t, ans, err, game.ByTime)
	p.Over(game.Result{Reason: game.ByAbort})
}

func (s Suite) free() player.Limits {
	if s.Thinks {
		return player.Limits{}
	}
	return s.Limits
}

// judge accepts a decision, or a failure for the reason.
func judge(t *testing.T, ans player.Answer, err error, why game.Reason) {
	t.Helper()
	var f *player.Failure
	switch {
	case errors.As(err, &f):
		if f.Reason != why {
			t.Errorf("failed for reason %q (%s), want %q", f.Reason, f.Detail, why)
		}
	case err != nil:
		t.Errorf("the error %v is no *player.Failure", err)
	case len(ans.Steps) == 0:
		t.Error("neither a decision nor a failure")
	}
}

// stop ends a search from outside; before and after, Stop has no effect.
func (s Suite) stop(t *testing.T) {
	p := s.open(t)
	p.Stop()
	a := s.begin(t, p, game.First, s.free())
	p.Stop()
	wait := 30 * time.Millisecond
	var wg sync.WaitGroup
	done := make(chan struct{})
	began := time.Now()
	wg.Go(func() { // again and again: the first one may come before the search
		for {
			select {
			case <-time.After(wait):
				p.Stop()
			case <-done:
				return
			}
		}
	})
	ans, err := p.Choose(context.Background(), a.prompt(time.Time{}))
	took := time.Since(began)
	close(done)
	wg.Wait()
	if took > wait+s.Slack {
		t.Errorf("stopped after %v, answered after %v", wait, took)
	}
	if s.Thinks && took < wait/2 {
		t.Errorf("answered after %v: an earlier Stop had an effect", took)
	}
	judge(t, ans, err, game.ByAbort)
	p.Stop()
	if _, err := p.Choose(context.Background(), asked{pos: a.pos, limits: s.Limits}.prompt(time.Now().Add(20*time.Second))); err != nil {
		t.Errorf("after a Stop that nothing was running for: %v", err)
	}
	p.Over(game.Result{Reason: game.ByAbort})
}

func (s Suite) cancel(t *testing.T) {
	p := s.open(t)
	a := s.begin(t, p, game.First, s.free())
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	began := time.Now()
	ans, err := p.Choose(ctx, a.prompt(time.Time{}))
	if took := time.Since(began); took > 30*time.Millisecond+s.Slack {
		t.Errorf("abandoned after 30ms, came back after %v", took)
	}
	judge(t, ans, err, game.ByAbort)
	p.Over(game.Result{Reason: game.ByAbort})
}

// rewind takes the latest turn back: the player decides again or says that it
// cannot.
func (s Suite) rewind(t *testing.T) {
	p := s.open(t)
	a := s.begin(t, p, game.First, s.Limits)
	ans, err := p.Choose(context.Background(), a.prompt(time.Now().Add(20*time.Second)))
	if err != nil || len(ans.Steps) == 0 {
		t.Fatalf("no first decision: %v", err)
	}
	if ans.Steps[0].Op == game.Flip {
		return // a flip stays known
	}
	u := player.Update{By: game.First}
	for _, m := range ans.Steps {
		n, err := a.pos.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		u.AddNotices(game.First, n)
	}
	u.Next, u.Colours, u.View = a.pos.Turn(), a.pos.Colours(), side{a.pos, game.First}
	u.Ended = u.Next.Seat != game.First || u.Next.Step == 0
	p.Tell(&u)
	n := len(u.Steps)
	if err := a.pos.Undo(n); err != nil {
		t.Fatal(err)
	}
	p.Tell(&player.Update{Rewind: n, Next: a.pos.Turn(), Colours: a.pos.Colours(), View: side{a.pos, game.First}})
	ans, err = p.Choose(context.Background(), a.prompt(time.Now().Add(20*time.Second)))
	var f *player.Failure
	switch {
	case errors.As(err, &f):
		t.Logf("the player cannot take back: %v", f)
	case err != nil:
		t.Errorf("the error %v is no *player.Failure", err)
	default:
		if err := a.pos.Check(ans.Steps[0]); err != nil {
			t.Errorf("after taking back: %v", err)
		}
	}
	p.Over(game.Result{Reason: game.ByAbort})
}

// close ends players in every state they can be in.
func (s Suite) close(t *testing.T) {
	if err := s.New().Close(); err != nil {
		t.Errorf("never used: %v", err)
	}
	p := s.New()
	s.begin(t, p, game.Second, s.Limits)
	if err := p.Close(); err != nil {
		t.Errorf("within a game: %v", err)
	}
}
