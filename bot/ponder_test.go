package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/internal/leaks"
	"kibitz/player"
)

// muser is a pile that can be watched while it ponders. What is not atomic is written
// whenever the engine is used, so that the race detector sees who uses it when.
type muser struct {
	pile
	uses  int
	began atomic.Int32
	ended atomic.Int32
	nap   time.Duration // between two looks at whether to end
	seen  bot.Task
	begun chan struct{}
}

func (e *muser) use() {
	e.uses++
	if e.began.Load() != e.ended.Load() {
		panic("the engine is used while it thinks")
	}
}

func (e *muser) Reset(s *player.Setup) error   { e.use(); return e.pile.Reset(s) }
func (e *muser) Update(u *player.Update) error { e.use(); return e.pile.Update(u) }

func (e *muser) Think(t *bot.Task) player.Answer {
	e.use()
	e.began.Add(1)
	defer e.ended.Add(1)
	e.seen = *t
	if t.Seat == game.Second {
		e.begun <- struct{}{}
		for !t.Poll(1) {
			time.Sleep(e.nap)
		}
		e.uses++
	}
	return player.Answer{Steps: []game.Move{take(1)}}
}

// pondering returns a player with the first seat who has made its first move and thinks.
func pondering(t *testing.T, nap time.Duration, o bot.Options, s player.Setup) (*bot.Player, *muser) {
	t.Helper()
	e := &muser{begun: make(chan struct{}, 1), nap: nap}
	o.Now = time.Now
	p := bot.New("pile", e, o)
	if err := p.Ponder(true); err != nil {
		t.Fatal(err)
	}
	s.Seat = game.First
	if err := p.NewGame(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	tell(p, game.First, 1)
	<-e.begun
	return p, e
}

// Whatever comes next, the engine has ended to think for the opponent before that, and
// nothing is left running.
func TestPonderEndsBeforeAnythingElse(t *testing.T) {
	defer leaks.None(t)
	analyse := func(p *bot.Player) error {
		return p.Analyse(context.Background(), player.Question{Depth: 1}, func(game.Info) bool { return false })
	}
	for name, next := range map[string]func(p *bot.Player) error{
		"tell":  func(p *bot.Player) error { tell(p, game.Second, 2); return nil },
		"undo":  func(p *bot.Player) error { p.Tell(&player.Update{Rewind: 1}); return nil },
		"over":  func(p *bot.Player) error { p.Over(game.Result{}); return nil },
		"close": (*bot.Player).Close,
		"off":   func(p *bot.Player) error { return p.Ponder(false) },
		"new game": func(p *bot.Player) error {
			return p.NewGame(context.Background(), &player.Setup{Spec: "pile", Seat: game.First})
		},
		"choose": func(p *bot.Player) error {
			_, err := p.Choose(context.Background(), &player.Prompt{Moves: three})
			return err
		},
		"suggest": func(p *bot.Player) error {
			_, err := p.Suggest(context.Background(), &player.Prompt{Moves: three})
			return err
		},
		"analyse": func(p *bot.Player) error {
			tell(p, game.Second, 2)
			return analyse(p)
		},
	} {
		p, e := pondering(t, 20*time.Microsecond, bot.Options{}, player.Setup{Spec: "pile"})
		p.Stop() // is for decisions alone
		if err := next(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e.began.Load() != e.ended.Load() {
			t.Errorf("%s: the engine still thinks", name)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// It is for the opponent, within the level and the limits, and ends by itself.
func TestPonderTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, e := pondering(t, time.Second, bot.Options{Level: 3}, player.Setup{Spec: "pile", Limits: player.Limits{Nodes: 1 << 40, Depth: 2}})
		if e.seen.Seat != game.Second || e.seen.Lines != 1 || !e.seen.Analysing() || e.seen.Moves != nil {
			t.Errorf("task %+v", e.seen)
		}
		if l := bot.LevelOf(3); e.seen.Nodes != l.Nodes || e.seen.Depth != 2 {
			t.Errorf("bounds %+v", e.seen)
		}
		_ = p.Close()
		p, e = pondering(t, time.Second, bot.Options{}, player.Setup{Spec: "pile"})
		time.Sleep(time.Minute)
		synctest.Wait()
		if e.ended.Load() != 0 {
			t.Error("it ended after a minute")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if e.ended.Load() != 1 {
			t.Error("it did not end after an hour")
		}
		_ = p.Close()
	})
}

// There is no pondering but in the opponent's turn of a running game, after an own one,
// by a player who was asked to.
func TestPonderOnlyThen(t *testing.T) {
	lost := game.Result{}
	theirs := game.Turn{Seat: game.Second}
	for name, c := range map[string]struct {
		off  bool
		seat game.Seat
		u    player.Update
	}{
		"not asked to":     {off: true, u: player.Update{By: game.First, Ended: true, Next: theirs}},
		"analyses":         {seat: game.Nobody, u: player.Update{By: game.First, Ended: true, Next: theirs}},
		"opponent's turn":  {u: player.Update{By: game.Second, Ended: true, Next: game.Turn{Seat: game.First}}},
		"opponent goes on": {u: player.Update{By: game.Second, Next: theirs}},
		"own turn goes on": {u: player.Update{By: game.First, Next: game.Turn{Seat: game.First}}},
		"end":              {u: player.Update{By: game.First, Ended: true, Next: game.Turn{Seat: game.Nobody}, Result: &lost}},
	} {
		e := &muser{begun: make(chan struct{}, 1)}
		p := bot.New("pile", e, bot.Options{Now: time.Now})
		if err := p.Ponder(!c.off); err != nil {
			t.Fatal(err)
		}
		history := []player.Update{{By: game.First, Steps: []game.Move{take(1)}, Next: theirs}}
		if err := p.NewGame(context.Background(), &player.Setup{Spec: "pile", Seat: c.seat, History: history}); err != nil {
			t.Fatal(err)
		}
		c.u.Steps = []game.Move{take(1)}
		p.Tell(&c.u)
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if e.began.Load() != 0 {
			t.Errorf("%s: it ponders", name)
		}
	}
}
