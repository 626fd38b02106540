package remote

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/internal/actmodel"
	"kibitz/match"
	"kibitz/player"
)

// notes is a desk that writes down what is done.
type notes struct {
	mu   sync.Mutex
	ids  map[string]bool
	acts []player.Act
}

func (n *notes) Answering() bool { return true }

func (n *notes) Act(a player.Act, told func(player.Reply)) {
	n.mu.Lock()
	if !n.ids[a.ID] { // the desk of a game does no act twice
		n.ids[a.ID] = true
		n.acts = append(n.acts, player.Act{Do: a.Do, Ply: a.Ply})
	}
	n.mu.Unlock()
	told(player.Reply{Effect: player.Done})
}

// Acts of the engine's end are done once and in order, over good connections and bad
// ones, also when another program takes the engine's place in the game.
func TestActsOnce(t *testing.T) {
	for _, bad := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			far := player.NewMailbox(time.Now)
			j := join(far, "othello", Options{Session: "g"}, bad)
			defer j.Close()
			if err := j.NewGame(t.Context(), &player.Setup{ID: "g", Spec: "othello"}); err != nil {
				t.Fatal(err)
			}
			var acts sync.WaitGroup
			do := func(p *player.Mailbox, what player.Deed, ply int) {
				acts.Go(func() {
					if r, err := p.Act(t.Context(), player.Act{Do: what, Ply: ply}); err != nil || r.Effect != player.Done {
						t.Errorf("%s: %+v %v", what, r, err)
					}
				})
				synctest.Wait()
			}
			do(far, player.AskDraw, 0) // before anybody has the desk: it waits
			time.Sleep(time.Minute)
			desk := &notes{ids: map[string]bool{}}
			j.Attend(desk)
			for i := range 5 {
				do(far, player.AskUndo, i)
			}
			time.Sleep(time.Minute)
			j.stop()
			j.wg.Wait()
			next := player.NewMailbox(time.Now)
			later := NewClient(next, "othello", time.Now)
			defer later.Close()
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			wg.Go(func() {
				for ctx.Err() == nil {
					_ = later.Serve(ctx, j.wire)
				}
			})
			time.Sleep(time.Minute)
			do(next, player.Resign, 0)
			time.Sleep(time.Minute)
			acts.Wait()
			want := []player.Act{{Do: player.AskDraw}}
			for i := range 5 {
				want = append(want, player.Act{Do: player.AskUndo, Ply: i})
			}
			if want = append(want, player.Act{Do: player.Resign}); !slices.Equal(desk.acts, want) {
				t.Errorf("bad=%v: done %+v", bad, desk.acts)
			}
		})
	}
}

// Two people at the far ends of connections, or one of them and an engine: random orders
// of moves and acts come to what the model says, and both are told the same.
func TestActsModel(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 21))
			m := actmodel.New()
			g := &match.Game{ID: "g", Rules: open(t, "gomoku:size=15"), Now: time.Now, Policy: match.Policy{Undo: true, Stall: -1}}
			var far [2]*player.Mailbox
			for s := range far {
				far[s] = player.NewMailbox(time.Now)
				j := join(far[s], g.Rules.Spec(), Options{Session: fmt.Sprint("s", s)}, false)
				defer j.Close()
				g.Sides[s] = match.Side{Player: j, Name: fmt.Sprint("P", s)}
			}
			var o match.Outcome
			done := make(chan struct{})
			go func() { defer close(done); o = match.Play(t.Context(), g) }()
			settle := func() {
				time.Sleep(50 * time.Millisecond)
				synctest.Wait()
			}
			settle()
			var log []string
			for range 40 {
				op := m.Next(rng, seed%2 == 0)
				want, got := m.Do(op), player.Refused
				box := far[op.Seat]
				if op.Do != actmodel.Move {
					r, err := box.Act(t.Context(), op.Act)
					if err != nil {
						t.Fatal(err)
					}
					got = r.Effect
				} else if mail := box.Read(); mail.Prompt > 0 && box.Submit(mail.Prompt, 0, mail.Legal[rng.IntN(len(mail.Legal))]) == nil {
					got = player.Done
				}
				settle()
				log = append(log, fmt.Sprint(op, " ", got))
				for s := range far {
					mail := far[s].Read()
					if d := m.Differs(mail.Asks); d != "" || got != want || m.Over == "" && (len(mail.Updates) != m.Plies || (mail.Prompt > 0) != (s == m.Turn())) {
						t.Fatalf("seed %d: seat %d: %s %s, want %s; %d moves, prompt %d\n%s", seed, s, d, got, want, len(mail.Updates), mail.Prompt, strings.Join(log, "\n"))
					}
				}
				if m.Over != "" {
					break
				}
			}
			if m.Over == "" {
				_, _ = far[0].Act(t.Context(), player.Act{Do: player.Resign})
			}
			<-done
			if len(o.Steps) != m.Plies || o.Faulty != [2]bool{} {
				t.Errorf("seed %d: %d moves stand, want %d: %+v", seed, len(o.Steps), m.Plies, o.Result)
			}
		})
	}
}

// A far end that has gone does not keep moves from being taken back.
func TestActsWithoutEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near := player.NewMailbox(time.Now)
		far := join(&slow{random.New(random.Options{Seed: 1}), time.Hour}, "othello", Options{Session: "g"}, false)
		g := &match.Game{ID: "g", Rules: open(t, "othello"), Now: time.Now, Policy: match.Policy{Undo: true, Stall: -1}}
		g.Sides[0], g.Sides[1] = match.Side{Player: near, Name: "near"}, match.Side{Player: far, Name: "far"}
		done := make(chan match.Outcome)
		go func() { done <- match.Play(t.Context(), g) }()
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		mail := near.Read()
		if err := near.Submit(mail.Prompt, 0, mail.Legal[0]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		far.stop()
		if r, err := near.Act(t.Context(), player.Act{Do: player.AskDraw}); err != nil || r.Effect != player.Refused {
			t.Errorf("an engine was asked: %+v %v", r, err)
		}
		if r, err := near.Act(t.Context(), player.Act{Do: player.AskUndo, Ply: 0}); err != nil || r.Effect != player.Done {
			t.Errorf("%+v %v", r, err)
		}
		time.Sleep(stopWait + 10*time.Millisecond)
		synctest.Wait()
		if mail := near.Read(); mail.Prompt != 2 || len(mail.Updates) != 0 {
			t.Errorf("prompt %d, %d moves", mail.Prompt, len(mail.Updates))
		}
		_, _ = near.Act(t.Context(), player.Act{Do: player.Resign})
		if o := <-done; o.Result.Reason != game.ByResign || o.Result.Winner() != game.Second {
			t.Errorf("%+v", o.Result)
		}
		_ = far.Player.Close()
		far.client.Close()
		far.wg.Wait()
	})
}

// An act that ended the game is done, also if its first answer is lost and the end of the
// game comes before the second.
func TestActAnsweredAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := player.NewMailbox(time.Now)
		j := join(far, "gomoku:size=15", Options{Session: "g"}, false)
		defer j.Close()
		lost, send := 0, j.o.Send
		j.o.Send = func(data []byte) error {
			if f, err := decode(data); err == nil && f.K == kindActed && lost < 3 {
				lost++
				return nil
			}
			return send(data)
		}
		near := player.NewMailbox(time.Now)
		g := &match.Game{ID: "g", Rules: open(t, "gomoku:size=15"), Now: time.Now, Policy: match.Policy{Stall: -1}}
		g.Sides = [2]match.Side{{Player: j, Name: "Far"}, {Player: near, Name: "Near"}}
		done := make(chan match.Outcome, 1)
		go func() { done <- match.Play(t.Context(), g) }()
		time.Sleep(time.Second)
		r, err := far.Act(t.Context(), player.Act{Do: player.Resign})
		if o := <-done; err != nil || r.Effect != player.Done || o.Result.Reason != game.ByResign || lost != 3 {
			t.Errorf("%+v %v, %+v, %d answers lost", r, err, o.Result, lost)
		}
	})
}
