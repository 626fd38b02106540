package match_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// stands writes down what becomes of a pause: when, whose, and what the clocks show, in seconds.
type stands struct {
	mu   sync.Mutex
	list []string
}

func (x *stands) add(s match.Stand) {
	text := "on"
	if s.Pause != nil {
		text = s.By
		if s.Ruled {
			text += "!"
		}
	}
	if s.Now {
		text += fmt.Sprintf(" %v %v", s.Clocks[0].Left.Seconds(), s.Clocks[1].Left.Seconds())
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, text)
}

func (x *stands) want(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Equal(x.list, want) {
		t.Errorf("%q, want %q", x.list, want)
	}
	x.list = nil
}

// braked is a duel with clocks of a minute that can be paused.
func braked(t *testing.T, change func(*match.Game)) (*duel, *match.Brake, *stands) {
	var told stands
	b := match.NewBrake(nil, told.add)
	d := newDuel(t, func(g *match.Game) {
		for s := range g.Sides {
			g.Sides[s].Clock = control(t, "60")
		}
		if g.Brake = b; change != nil {
			change(g)
		}
	})
	return d, b, &told
}

// Two people pause a game together and go on together: whoever is asked for a move is asked again, what he
// has used is used, and no clock runs meanwhile.
func TestPauseTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, told := braked(t, nil)
		a, b := d.boxes[0], d.boxes[1]
		d.move(0)
		time.Sleep(10 * time.Second)
		act(t, a, player.Act{Do: player.AskPause}, player.Asked)
		act(t, b, player.Act{Do: player.Decline}, player.Done)
		act(t, a, player.Act{Do: player.AskPause}, player.Refused) // until he has moved
		act(t, b, player.Act{Do: player.AskPause}, player.Asked)
		told.want(t)
		act(t, a, player.Act{Do: player.Accept}, player.Done)
		told.want(t, "B 60 50")
		if b.Read().Prompt != 0 {
			t.Error("a question stands")
		}
		time.Sleep(time.Hour)
		act(t, a, player.Act{Do: player.AskPause}, player.Refused)
		act(t, b, player.Act{Do: player.AskResume}, player.Asked)
		act(t, a, player.Act{Do: player.Decline}, player.Done)
		act(t, b, player.Act{Do: player.AskResume}, player.Asked) // nobody can move
		act(t, a, player.Act{Do: player.AskResume}, player.Done)  // both want it
		told.want(t, "on 60 50")
		mail := b.Read()
		if mail.Prompt == 0 || time.Until(mail.Deadline) != 50*time.Second {
			t.Errorf("asked again: %d, until in %v", mail.Prompt, time.Until(mail.Deadline))
		}
		act(t, b, player.Act{Do: player.AskResume}, player.Refused)
		time.Sleep(5 * time.Second)
		d.move(1)
		synctest.Wait()
		last := d.events[len(d.events)-1].Decision
		if last == nil || last.Used != 15*time.Second || last.Clocks[1].Left != 45*time.Second {
			t.Errorf("%+v", last)
		}
		d.end()
	})
}

// A game that stands can be ended, and moves can be taken back in it.
func TestActsWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, b, told := braked(t, nil)
		d.move(0)
		synctest.Wait()
		b.Set(&match.Pause{By: "Ada", Ruled: true})
		told.want(t, "Ada! 60 60")
		act(t, d.boxes[0], player.Act{Do: player.AskResume}, player.Refused)
		act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Asked)
		act(t, d.boxes[1], player.Act{Do: player.Accept}, player.Done)
		synctest.Wait()
		if n := len(d.boxes[0].Read().Updates); n != 0 || d.boxes[0].Read().Prompt != 0 {
			t.Errorf("%d moves", n)
		}
		b.Set(nil)
		told.want(t, "on 60 60")
		if d.boxes[0].Read().Prompt == 0 {
			t.Error("nobody is asked")
		}
		b.Set(&match.Pause{By: "Ada", Ruled: true})
		d.end()
		if d.out.Result.Reason != game.ByResign || d.out.Clocks[0].Left != time.Minute {
			t.Errorf("%+v", d.out)
		}
	})
}

// An engine that thinks answers first; a pause that is taken back by then never was. Who cannot be asked
// lets a game stand where nothing is at stake.
func TestPauseAfterAnswer(t *testing.T) {
	for _, rated := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			e := &fake{}
			e.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
				time.Sleep(4 * time.Second)
				return e.first(p), nil
			}
			d, b, told := braked(t, func(g *match.Game) { g.Sides[1].Player, g.Rated = e, rated })
			me := d.boxes[0]
			d.move(0)
			time.Sleep(time.Second)
			if rated {
				act(t, me, player.Act{Do: player.AskPause}, player.Refused)
				d.end()
				return
			}
			act(t, me, player.Act{Do: player.AskPause}, player.Done)
			told.want(t, "A")
			act(t, me, player.Act{Do: player.AskResume}, player.Done)
			told.want(t, "on")
			b.Set(&match.Pause{By: "Ada", Ruled: true})
			told.want(t, "Ada!")
			time.Sleep(time.Minute)
			told.want(t, "Ada! 60 56")
			if n := len(me.Read().Updates); n != 2 || me.Read().Prompt != 0 {
				t.Errorf("%d moves", n)
			}
			b.Set(nil)
			told.want(t, "on 60 56")
			d.end()
		})
	}
}

// What an earlier attempt was paused by stands from the beginning; engines among themselves stand too.
func TestPausedFromTheBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told stands
		g := newGame(&fake{}, &fake{})
		b := match.NewBrake(&match.Pause{By: "Ada", Ruled: true}, told.add)
		moves := 0
		g.Brake, g.Sink = b, func(ev *journal.Event) {
			if ev.Decision != nil {
				moves++
			}
		}
		done := make(chan match.Outcome)
		go func() { done <- match.Play(t.Context(), g) }()
		synctest.Wait()
		if moves != 0 || len(told.list) != 1 || !strings.HasPrefix(told.list[0], "Ada! ") {
			t.Errorf("%d moves, %q", moves, told.list)
		}
		b.Set(nil)
		if o := <-done; o.Result.Reason == game.ByAbort || len(told.list) != 2 {
			t.Errorf("%+v %q", o.Result, told.list)
		}
	})
}
