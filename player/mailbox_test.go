package player_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/player"
)

type legals []game.Move

func (l legals) Legal(dst []game.Move) []game.Move { return append(dst, l...) }

var (
	e5 = game.PlaceAt(game.Pt(4, 4))
	f5 = game.PlaceAt(game.Pt(5, 4))
)

// ask runs a Choose and returns how it ended once the function has acted.
func ask(t *testing.T, m *player.Mailbox, ctx context.Context, p *player.Prompt, act func()) (player.Answer, error) {
	t.Helper()
	type end struct {
		a   player.Answer
		err error
	}
	done := make(chan end, 1)
	go func() {
		a, err := m.Choose(ctx, p)
		done <- end{a, err}
	}()
	synctest.Wait()
	act()
	e := <-done
	return e.a, e.err
}

func TestMailboxSubmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := player.NewMailbox(time.Now)
		ctx := context.Background()
		if err := m.NewGame(ctx, &player.Setup{ID: "g", Seat: game.First}); err != nil {
			t.Fatal(err)
		}
		if err := m.Submit(1, 0, e5); !errors.Is(err, player.ErrNotAsked) {
			t.Fatalf("submitted before the question: %v", err)
		}
		p := &player.Prompt{Turn: game.Turn{Phase: "place"}, Moves: legals{e5, f5}}
		a, err := ask(t, m, ctx, p, func() {
			mail := m.Read()
			if mail.Prompt != 1 || len(mail.Legal) != 2 {
				t.Errorf("question %d with %v", mail.Prompt, mail.Legal)
			}
			if err := m.Submit(1, 0, game.PassMove()); !errors.Is(err, player.ErrNotLegal) {
				t.Errorf("an illegal move: %v", err)
			}
			if err := m.Submit(2, 0, e5); !errors.Is(err, player.ErrNotAsked) {
				t.Errorf("an answer to another question: %v", err)
			}
			if err := m.Submit(1, 0, e5); err != nil {
				t.Error(err)
			}
			if err := m.Submit(1, 0, f5); !errors.Is(err, player.ErrNotAsked) && err == nil {
				t.Errorf("a second, different answer: %v", err)
			}
		})
		if err != nil || len(a.Steps) != 1 || a.Steps[0] != e5 {
			t.Fatalf("%+v, %v", a, err)
		}
		// Who comes too late is told so.
		d := &desk{closed: true}
		m.Attend(d)
		_, err = ask(t, m, ctx, p, func() {
			for _, prompt := range []int{1, 2} {
				if err := m.Submit(prompt, 0, e5); !errors.Is(err, player.ErrNotAsked) {
					t.Errorf("question %d was answered: %v", prompt, err)
				}
			}
			m.Stop()
		})
		if err == nil {
			t.Error("an answer that was withdrawn counts")
		}
	})
}

// TestMailboxInDoubt holds deadlines while answers perhaps do not arrive: the question ends no
// earlier than that is known, and its owner, for whom nothing differs, is told nothing.
func TestMailboxInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := player.NewMailbox(time.Now)
		ctx := context.Background()
		if err := m.NewGame(ctx, &player.Setup{ID: "g", Seat: game.First}); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		p := &player.Prompt{Moves: legals{e5}, Deadline: begun.Add(10 * time.Second)}
		_, err := ask(t, m, ctx, p, func() {
			asked := m.Read().Seq
			for range 20 { // more than the deadline
				m.Hold(time.Now(), false)
				time.Sleep(400 * time.Millisecond)
				m.Release(time.Now())
				time.Sleep(50 * time.Millisecond)
			}
			if now := m.Read(); now.Seq != asked {
				t.Errorf("told %d times of a doubt that changes nothing", now.Seq-asked)
			}
			asked = m.Read().Seq
			m.Hold(time.Now(), false)
			time.Sleep(5 * time.Second) // past the deadline
			m.Hold(begun.Add(9*time.Second), true)
			if now := m.Read(); now.Seq != asked+1 || now.Held.IsZero() {
				t.Errorf("time that stands is told %d times, held since %s", now.Seq-asked, now.Held)
			}
			time.Sleep(time.Second)
			m.Release(time.Now())
			if now := m.Read(); now.Seq != asked+2 || !now.Held.IsZero() || !now.Deadline.Equal(begun.Add(16*time.Second)) {
				t.Errorf("time that goes on is told %d times, with the deadline %s", now.Seq-asked, now.Deadline.Sub(begun))
			}
		})
		if took := time.Since(begun); err == nil || took != 16*time.Second {
			t.Errorf("the question ended after %s: %v", took, err)
		}
	})
}

// desk is a desk that does what it is told.
type desk struct {
	closed bool
	acts   []player.Act
}

func (d *desk) Answering() bool { return !d.closed }

func (d *desk) Act(a player.Act, told func(player.Reply)) {
	d.acts = append(d.acts, a)
	if a.Do != player.Withdraw {
		told(player.Reply{Effect: player.Done})
	}
}

func TestMailboxEnds(t *testing.T) {
	tests := []struct {
		name string
		act  func(m *player.Mailbox, cancel func())
		why  game.Reason
	}{
		{"nothing", func(*player.Mailbox, func()) {}, game.ByTime},
		{"stop", func(m *player.Mailbox, _ func()) { m.Stop() }, game.ByAbort},
		{"cancel", func(_ *player.Mailbox, c func()) { c() }, game.ByAbort},
		{"leave", func(m *player.Mailbox, _ func()) { _ = m.Close() }, game.ByDisconnect},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := player.NewMailbox(time.Now)
				m.Stop() // nothing runs: no effect
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				p := &player.Prompt{Moves: legals{e5}, Deadline: time.Now().Add(time.Minute)}
				_, err := ask(t, m, ctx, p, func() { tt.act(m, cancel) })
				if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != tt.why {
					t.Fatalf("got %v, want %s", err, tt.why)
				}
			})
		})
	}
}

func TestMailboxActs(t *testing.T) {
	m := player.NewMailbox(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	do := func(what player.Deed, want player.Reply) {
		t.Helper()
		if r, err := m.Act(ctx, player.Act{ID: "a", Do: what}); r != want || (err == nil) != (r.Effect != "") {
			t.Errorf("%s: %+v %v, want %+v", what, r, err, want)
		}
	}
	if err := m.NewGame(ctx, &player.Setup{}); err != nil {
		t.Fatal(err)
	}
	do(player.Resign, player.No(player.NotBegun, "the game has not begun"))
	d := &desk{}
	m.Attend(d)
	do(player.AskDraw, player.Reply{Effect: player.Done})
	if len(d.acts) != 1 || d.acts[0] != (player.Act{ID: "a", Do: player.AskDraw}) {
		t.Errorf("the desk got %+v", d.acts)
	}
	// What is told late does not replace what is newer.
	first, second := []player.Ask{{Num: 1, By: 1}}, []player.Ask{{Num: 2, By: 1}}
	m.Asked(player.Asks{Seq: 2, List: second})
	m.Asked(player.Asks{Seq: 1, List: first})
	if got := m.Read().Asks; len(got) != 1 || got[0].Num != 2 {
		t.Errorf("asked %+v", got)
	}
	cancel()
	do(player.Withdraw, player.Reply{}) // nobody answers
	m.Over(game.Drawn(game.ByAgreement, ""))
	m.Attend(nil)
	for range 20 { // the desk knows what was done before, and who has gone meanwhile is answered all the same
		do(player.AskDraw, player.Reply{Effect: player.Done})
	}
	if got := m.Read().Asks; len(got) != 0 {
		t.Errorf("after the end %+v is asked", got)
	}
}

// TestMailboxKeepsCopies shows that what was read does not change afterwards.
func TestMailboxKeepsCopies(t *testing.T) {
	m := player.NewMailbox(time.Now)
	ctx := context.Background()
	if err := m.NewGame(ctx, &player.Setup{History: []player.Update{{Steps: []game.Move{e5}}}}); err != nil {
		t.Fatal(err)
	}
	u := player.Update{Steps: []game.Move{f5, e5}}
	m.Tell(&u)
	u.Steps[0] = game.PassMove()
	old := m.Read()
	m.Tell(&player.Update{Rewind: 1})
	m.Tell(&player.Update{Steps: []game.Move{game.PassMove()}})
	now := m.Read()
	if len(old.Updates) != 2 || len(old.Updates[1].Steps) != 2 || old.Updates[1].Steps[0] != f5 {
		t.Errorf("the older copy now reads %+v", old.Updates)
	}
	if len(now.Updates) != 3 || len(now.Updates[1].Steps) != 1 {
		t.Errorf("after taking back: %+v", now.Updates)
	}
	wait, err := m.Wait(ctx, old.Seq)
	if err != nil || wait.Seq != now.Seq {
		t.Errorf("waited for %d, got %d, %v", now.Seq, wait.Seq, err)
	}
}
