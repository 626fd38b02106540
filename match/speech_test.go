package match_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// person plays a mailbox like somebody who decides after the time what to do.
func person(t *testing.T, act func(m *player.Mailbox, mail player.Mail)) *player.Mailbox {
	t.Helper()
	m := player.NewMailbox(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() {
		seq := -1
		for {
			mail, err := m.Wait(ctx, seq)
			if err != nil || mail.Result != nil {
				return
			}
			seq = mail.Seq
			act(m, mail)
		}
	}()
	return m
}

// mover submits the first legal move whenever it is asked.
func mover(m *player.Mailbox, mail player.Mail) {
	if mail.Prompt > 0 {
		_ = m.Submit(mail.Prompt, mail.Legal[0])
	}
}

func TestResignOffTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := player.NewMailbox(time.Now)
		b := person(t, mover)
		time.AfterFunc(3*time.Second, func() { _ = b.Resign() })
		begin := time.Now()
		o := match.Play(t.Context(), newGame(a, b))
		mustEnd(t, o, game.First, game.ByResign, "B: resigned")
		if d := time.Since(begin); d != 3*time.Second || o.Faulty != [2]bool{} {
			t.Errorf("after %v, faulty %v", d, o.Faulty)
		}
	})
}

func TestDrawOffers(t *testing.T) {
	accepts := func(m *player.Mailbox, mail player.Mail) {
		if mail.Offered == player.OfferDraw {
			_ = m.Respond(true)
			return
		}
		if mail.Asked == 1 {
			mover(m, mail) // its first move only; then it ponders
		}
	}
	declines := func(m *player.Mailbox, mail player.Mail) {
		if mail.Offered == player.OfferDraw {
			_ = m.Respond(false)
		}
		mover(m, mail)
	}
	// once offers a draw with its second move; a mail that is read late must not
	// make it offer another.
	once := func() func(*player.Mailbox, player.Mail) {
		offered := false
		return func(m *player.Mailbox, mail player.Mail) {
			if mail.Prompt == 2 && !offered {
				offered = m.Offer(player.OfferDraw) == nil
			}
			mover(m, mail)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		o := match.Play(t.Context(), newGame(person(t, once()), person(t, accepts)))
		mustEnd(t, o, game.Nobody, game.ByAgreement, "draw agreed")
		// Whether the move that follows the offer still comes before the answer to it
		// is between the two people.
		if !o.Result.Draw() || o.Plies != 2 && o.Plies != 3 {
			t.Errorf("%+v", o)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		o := match.Play(t.Context(), newGame(person(t, once()), person(t, declines)))
		if o.Result.Reason != "full" {
			t.Errorf("%+v", o.Result)
		}
	})
	synctest.Test(t, func(t *testing.T) { // an engine cannot be asked
		o := match.Play(t.Context(), newGame(person(t, once()), &fake{}))
		if o.Result.Reason != "full" {
			t.Errorf("%+v", o.Result)
		}
	})
	synctest.Test(t, func(t *testing.T) { // moving on declines, although nothing was said
		o := match.Play(t.Context(), newGame(person(t, once()), person(t, mover)))
		if o.Result.Reason != "full" {
			t.Errorf("%+v", o.Result)
		}
	})
	synctest.Test(t, func(t *testing.T) { // and the offer is gone then
		late := func(m *player.Mailbox, mail player.Mail) {
			if mail.Asked == 3 && m.Respond(true) == nil {
				t.Error("an offer outlives the move that declined it")
			}
			mover(m, mail)
		}
		o := match.Play(t.Context(), newGame(person(t, once()), person(t, late)))
		if o.Result.Reason != "full" {
			t.Errorf("%+v", o.Result)
		}
	})
	synctest.Test(t, func(t *testing.T) { // off turn
		a := person(t, func(m *player.Mailbox, mail player.Mail) {
			if mail.Offered == player.OfferDraw {
				_ = m.Respond(true)
			}
		})
		b := player.NewMailbox(time.Now)
		time.AfterFunc(time.Second, func() { _ = b.Offer(player.OfferDraw) })
		o := match.Play(t.Context(), newGame(a, b))
		mustEnd(t, o, game.Nobody, game.ByAgreement, "draw agreed")
	})
	// An engine's answer accepts an offer that stands.
	a := &fake{}
	a.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		ans := a.first(p)
		ans.Offer = player.OfferDraw
		return ans, nil
	}
	b := &fake{}
	b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		if b.prompts == 2 {
			return player.Answer{Offer: player.AcceptOffer}, nil
		}
		return b.first(p), nil
	}
	mustEnd(t, match.Play(t.Context(), newGame(a, b)), game.Nobody, game.ByAgreement, "draw agreed")
	// Without an offer there is nothing to accept.
	b.prompts = 0
	mustEnd(t, match.Play(t.Context(), newGame(&fake{}, b)), game.First, game.ByProtocol, "without a decision")
}

// Taking back: the seat's latest turn and all after it go, both are told, chance
// comes out the same, and the journal holds what stands.
func TestUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := false
		a := person(t, func(m *player.Mailbox, mail player.Mail) {
			if mail.Asked == 3 && !done {
				return // it thinks again
			}
			mover(m, mail)
		})
		b := &fake{}
		g := newGame(a, b)
		g.Rules = &tiny{size: 8, perTurn: 1, chance: true}
		draws := 0
		g.Dealer = match.Outcomes(func(int) int { draws++; return draws % 6 })
		g.Policy.Undo = true
		events := collect(t, g)
		// A is on turn for the third time: an undo along with its decision takes
		// its second one back.
		time.AfterFunc(time.Second, func() {
			mail := a.Read()
			_ = a.Offer(player.OfferUndo)
			done = true
			_ = a.Submit(mail.Prompt, mail.Legal[3])
		})
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "full" || o.Plies != 8 || o.Turns != 8 || len(o.Steps) != 16 {
			t.Fatalf("%+v", o)
		}
		if count(b.log, "rewind 4") != 1 {
			t.Errorf("B\n%s", strings.Join(b.log, "\n"))
		}
		if draws != 8 { // what was taken back and played again was not drawn again
			t.Errorf("%d draws", draws)
		}
		j := fold(t, *events)
		if !slices.Equal(j.Moves(), moves(o)) {
			t.Errorf("journal %v, outcome %v", j.Moves(), moves(o))
		}
	})
}

// Off turn: the engine that thinks is stopped, its answer is void.
func TestUndoOffTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &fake{stops: make(chan struct{}, 1)}
		b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			if b.prompts == 2 {
				<-b.stops
			}
			return b.first(p), nil
		}
		a := person(t, mover)
		g := newGame(a, b)
		g.Policy.Undo = true
		time.AfterFunc(time.Second, func() { _ = a.Offer(player.OfferUndo) })
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "full" || o.Plies != 8 || count(b.log, "rewind 1") != 1 || b.prompts != 5 {
			t.Errorf("%+v\n%s", o.Result, strings.Join(b.log, "\n"))
		}
		// Not where the run does not allow it.
		for _, rated := range []bool{true, false} {
			b.prompts, b.log = 0, nil
			a = person(t, mover)
			g := newGame(a, b)
			g.Rated, g.Policy.Undo = rated, rated
			time.AfterFunc(time.Second, func() { _ = a.Offer(player.OfferUndo) })
			time.AfterFunc(2*time.Second, b.Stop)
			if o := match.Play(t.Context(), g); o.Result.Reason != "full" || count(b.log, "rewind 1") != 0 {
				t.Errorf("rated %v: %+v", rated, o.Result)
			}
		}
	})
}

// scored returns a player that reports the evaluations in turn, the last for ever.
func scored(unit game.Unit, list ...float64) *fake {
	f := &fake{}
	f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		ans := f.first(p)
		v := list[min(f.prompts, len(list))-1]
		if !math.IsNaN(v) {
			ans.Info.Eval = game.Eval{Unit: unit, Lo: v, Hi: v}
		}
		return ans, nil
	}
	return f
}

func TestAdjudication(t *testing.T) {
	nan := math.NaN()
	draw := match.Policy{Draw: match.DrawRule{FromMove: 6, Count: 2, Score: 10}}
	resign := match.Policy{Resign: match.ResignRule{Count: 3, Score: 900}}
	for _, k := range []struct {
		name   string
		policy match.Policy
		a, b   *fake
		winner game.Seat
		why    game.Reason
		turns  int
	}{
		{"both even", draw, scored(game.Points, 5), scored(game.Points, -10), game.Nobody, game.ByAdjudication, 6},
		{"one not", draw, scored(game.Points, 5), scored(game.Points, 11), game.Nobody, "full", 30},
		{"one silent", draw, scored(game.Points, 5), &fake{}, game.Nobody, "full", 30},
		{"interrupted", draw, scored(game.Points, 0, 0, 50, 0, 0), scored(game.Points, 0), game.Nobody, game.ByAdjudication, 9},
		{"book move between", draw, scored(game.Points, 0, 0, nan, 0, 0), scored(game.Points, 0), game.Nobody, game.ByAdjudication, 9},
		{"both agree", resign, scored(game.Points, -1000), scored(game.Points, 950), game.Second, game.ByAdjudication, 6},
		{"only the loser", resign, scored(game.Points, -1000), scored(game.Points, 100), game.Nobody, "full", 30},
		{"the loser alone", match.Policy{Resign: match.ResignRule{Count: 3, Score: 900, Alone: true}}, scored(game.Points, -1000), scored(game.Points, 100), game.Second, game.ByAdjudication, 5},
		{"only the winner", resign, scored(game.Points, -100), scored(game.Points, 1000), game.Nobody, "full", 30},
		{"mates", resign, scored(game.MateIn, 3), scored(game.MateIn, -3), game.First, game.ByAdjudication, 6},
		{"chances", match.Policy{Resign: match.ResignRule{Count: 3, Score: 0.9}}, scored(game.WinChance, 0.04), scored(game.WinChance, 0.96), game.Second, game.ByAdjudication, 6},
		{"even chances", match.Policy{Draw: match.DrawRule{Count: 1, Score: 0.1}}, scored(game.WinChance, 0.53), scored(game.WinChance, 0.47), game.Nobody, game.ByAdjudication, 2},
		{"length", match.Policy{MaxMoves: 12}, &fake{}, &fake{}, game.Nobody, game.ByAdjudication, 12},
	} {
		t.Run(k.name, func(t *testing.T) {
			g := newGame(k.a, k.b)
			g.Rules = &tiny{size: 30, perTurn: 1}
			g.Policy = k.policy
			o := match.Play(t.Context(), g)
			mustEnd(t, o, k.winner, k.why, "")
			if o.Turns != k.turns {
				t.Errorf("%d turns, want %d (%s)", o.Turns, k.turns, o.Result.Detail)
			}
			if k.why == game.ByAdjudication && o.Result.Detail == "" {
				t.Error("no reason given")
			}
		})
	}
}

// What is taken back takes its refused attempts with it.
func TestUndoAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := false
		a := person(t, func(m *player.Mailbox, mail player.Mail) {
			if mail.Asked == 3 && !done || mail.Prompt == 0 {
				return // it thinks again
			}
			stones := 0 // its own, without what was taken back
			for _, u := range mail.Updates {
				stones += len(u.Steps)
			}
			_ = m.Submit(mail.Prompt, game.PlaceAt(game.Pt(2*stones, 0)))
		})
		b := &fake{}
		turns := 0
		b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			if p.Again == 0 {
				return player.Answer{Steps: at(0)}, nil // A's
			}
			turns++
			return player.Answer{Steps: at([]int{0, 1, 3, 3, 5, 7}[turns])}, nil
		}
		g := newGame(a, b)
		g.Rules = &tiny{size: 8, perTurn: 1, hidden: true}
		g.Policy.Undo = true
		time.AfterFunc(time.Second, func() {
			mail := a.Read()
			_ = a.Offer(player.OfferUndo)
			done = true
			_ = a.Submit(mail.Prompt, game.PlaceAt(game.Pt(4, 0)))
		})
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "full" || len(o.Steps) != 8 || count(b.log, "rewind 1") != 1 {
			t.Fatalf("%+v\n%s", o.Result, strings.Join(b.log, "\n"))
		}
		want := make([]match.Attempt, 4)
		for i := range want {
			want[i] = match.Attempt{Before: 2*i + 1, By: game.Second, Move: game.PlaceAt(game.Pt(0, 0))}
		}
		if !slices.Equal(o.Attempts, want) {
			t.Errorf("attempts %v", o.Attempts)
		}
	})
}

// What a person was told to be taken counts, even if the game is broken off at that
// moment: who takes it up again need not decide a second time.
func TestTakenCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		a := person(t, func(m *player.Mailbox, mail player.Mail) {
			mover(m, mail)
			if mail.Prompt == 2 {
				cancel(context.DeadlineExceeded)
			}
		})
		o := match.Play(ctx, newGame(a, person(t, mover)))
		if o.Result.Reason != game.ByAbort || o.Plies != 3 {
			t.Errorf("%d plies, %+v", o.Plies, o.Result)
		}
	})
}
