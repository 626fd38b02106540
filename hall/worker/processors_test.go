package worker

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/player"
)

// counted counts the players that think at a time.
type counted struct {
	mu        sync.Mutex
	now, most int
	turns     map[string]int // by game
}

// build is steadySetup with players that are counted.
func (c *counted) build(think time.Duration) func(context.Context, *bus.Play) (*Setup, error) {
	build := steadySetup(think)
	return func(ctx context.Context, p *bus.Play) (*Setup, error) {
		out, err := build(ctx, p)
		if err != nil {
			return nil, err
		}
		for i := range out.Sides {
			if out.Sides[i].Player != nil {
				out.Sides[i].Player = &countedPlayer{Player: out.Sides[i].Player, c: c, game: p.Game}
			}
		}
		return out, nil
	}
}

type countedPlayer struct {
	player.Player
	c    *counted
	game string
}

func (p *countedPlayer) CanStart(game.Spec) player.Start { return player.FromPosition }

func (p *countedPlayer) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	p.c.mu.Lock()
	p.c.now++
	p.c.most = max(p.c.most, p.c.now)
	if p.c.turns == nil {
		p.c.turns = map[string]int{}
	}
	p.c.turns[p.game]++
	p.c.mu.Unlock()
	defer func() {
		p.c.mu.Lock()
		defer p.c.mu.Unlock()
		p.c.now--
	}()
	return p.Player.Choose(ctx, q)
}

// idler is a game of which the person says nothing.
func idler(i int) bus.Play {
	p := people("othello", bus.BotSeat)
	p.Game = fmt.Sprint("idle", i)
	p.Seats[0].Grace = 24 * time.Hour
	return p
}

// A thousand people who think keep nobody from beginning a game, and from being answered.
func TestIdleGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = 1000
		h := newHall()
		h.lease = 30 * time.Second
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "w", Slots: 2, Pulse: 5 * time.Second})
		for i := range idle {
			h.add(idler(i))
		}
		h.until(t, "all begin", func() bool { return len(h.attempt) == idle && len(h.workers["w"].Games) == idle })
		began := time.Now()
		h.add(people("othello", bus.BotSeat))
		h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Game == "g" && s.Prompt == 1 })
		if took := time.Since(began); took > testPulse {
			t.Errorf("another game begins after %s", took)
		}
		h.visit(t, 0, "move")
		began = time.Now()
		h.state(t, 0, "answered", func(s bus.SeatState) bool { return s.Game == "g" && s.Prompt == 2 })
		if took := time.Since(began); took > time.Second+testPulse {
			t.Errorf("an engine that thinks for a second has answered after %s", took)
		}
		w.Park()
		end()
	})
}

// Engines of all games share the processors turn by turn: those of a game among themselves
// have no more of them than another one. Whoever waits is told, and pays with no time.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, c := newHall(), &counted{}
		_, end := start(t, Config{Bus: &line{hall: h}, Build: c.build(10 * time.Second), ID: "w", Slots: 2})
		for i := range 4 { // two are played, two wait for their end
			p := bots(fmt.Sprint("alone", i), "othello")
			p.Rules.MaxMoves, p.Show = 20, false
			p.Seats[0].Clock, p.Seats[1].Clock = "600", "600"
			h.add(p)
		}
		h.until(t, "the engines think", func() bool { return c.now == 2 })
		p := people("othello", bus.BotSeat)
		p.Seats[1].Clock = "st=12" // what its turns take, and no more than waiting takes
		h.add(p)
		for range 5 {
			h.visit(t, 0, "move")
			began := time.Now()
			s := h.state(t, 0, "answered", func(s bus.SeatState) bool { return s.Prompt > 0 || s.Over })
			if took := time.Since(began); took > 21*time.Second || s.Over {
				t.Errorf("after %s it is %+v", took, s)
			}
		}
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		if r := h.result(t, "g"); r.Result.Reason != game.ByResign {
			t.Errorf("%+v", r.Result)
		}
		for i := range 4 {
			if r := h.result(t, fmt.Sprint("alone", i)); r.Plies != 20 {
				t.Errorf("%+v", r)
			}
		}
		end()
		if c.most != 2 {
			t.Errorf("%d engines thought at a time", c.most)
		}
		waits, on, about := 0, false, map[int]bool{}
		for _, l := range h.live[game.Public] {
			ev, err := journal.ParseEvent(l.Line)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case ev.Wait != nil && ev.Wait.For != "":
				about[ev.Wait.About] = true
				if waits, on = waits+1, true; ev.Wait.For != journal.ForProcessor || ev.Wait.Before != 0 || ev.Wait.Of < 1 || ev.Wait.Of > 2 {
					t.Errorf("%+v", ev.Wait)
				}
			case ev.Wait != nil:
				on = false
			case ev.Decision != nil && on:
				t.Error("a move is told while the game waits")
			}
		}
		if !about[5] || len(about) > 2 || len(about) == 2 && !about[0] { // the next of two processors, on which turns take 10 s
			t.Errorf("waits of %v seconds were told", about)
		}
		if waits == 0 || on {
			t.Errorf("%d waits were told, the last one for ever: %v", waits, on)
		}
	})
}

// The place in the queue counts down, and those who come later see the latest alone.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "w", Slots: 1})
		var held []func()
		for range 4 {
			go func() {
				free, err := w.processors.take(t.Context(), func() bool { return false }, func(int, int, time.Duration) {})
				if err != nil {
					t.Error(err)
				}
				h.mu.Lock()
				held = append(held, free)
				h.mu.Unlock()
			}()
			synctest.Wait()
		}
		h.add(people("othello", bus.BotSeat))
		h.visit(t, 0, "move")
		for before := 3; before >= 0; before-- {
			time.Sleep(1500 * time.Millisecond)
			s, err := h.syncs["g"](game.Public)
			if err != nil {
				t.Fatal(err)
			}
			var list []journal.Wait
			for _, l := range s.Lines {
				if ev, err := journal.ParseEvent(l); err == nil && ev.Wait != nil {
					list = append(list, *ev.Wait)
				}
			}
			if len(list) != 1 || list[0].Before != before || list[0].Of != before+1 {
				t.Errorf("%d come before it: told %+v", before, list)
			}
			h.mu.Lock()
			free := held[len(held)-1]
			h.mu.Unlock()
			free()
			synctest.Wait()
		}
		h.state(t, 0, "answered", func(s bus.SeatState) bool { return s.Prompt == 2 })
		end()
	})
}

// What people do is done while the engine waits for a processor.
func TestActWhileWaiting(t *testing.T) {
	for act, reason := range map[string]game.Reason{"resign": game.ByResign, "abort": game.ByAbort, "undo": ""} {
		t.Run(act, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "w", Slots: 1})
				free, err := w.processors.take(t.Context(), func() bool { return false }, func(int, int, time.Duration) {})
				if err != nil {
					t.Fatal(err)
				}
				h.add(people("othello", bus.BotSeat))
				h.visit(t, 0, "move")
				time.Sleep(10 * time.Second)
				h.do(t, bus.SeatInput{Seat: 0, Act: act}, "")
				if reason == "" {
					h.state(t, 0, "asked again", func(s bus.SeatState) bool { return s.Prompt == 2 })
					h.visit(t, 0, "move")
					free()
					h.state(t, 0, "answered", func(s bus.SeatState) bool { return s.Prompt == 3 })
				} else if r := h.result(t, "g"); r.Result.Reason != reason || r.Ended.Sub(r.Begun) > 11*time.Second {
					t.Errorf("%+v", r)
				}
				free()
				end()
			})
		})
	}
}

// Engines whose people have left think when nobody else waits; twenty minutes later no game is
// played that nobody looks at.
func TestLeftLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Second), ID: "w", Slots: 2})
		var seats [9]func(bus.SeatInput) bus.Reply
		asked := func(i, prompt int) (out bus.SeatState) {
			h.until(t, "asked", func() bool {
				at := slices.IndexFunc(h.states[0], func(s bus.SeatState) bool { return s.Game == fmt.Sprint("guest", i) && s.Prompt == prompt })
				if at >= 0 {
					out = h.states[0][at]
				}
				return at >= 0
			})
			return out
		}
		for i := range seats {
			p := people("othello", bus.BotSeat)
			p.Game, p.Seats[0].Grace = fmt.Sprint("guest", i), 5*time.Minute
			h.add(p)
			asked(i, 1)
			h.mu.Lock()
			seats[i] = h.inputs[0]
			h.mu.Unlock()
		}
		for i, seat := range seats {
			if r := seat(bus.SeatInput{Prompt: 1, Steps: asked(i, 1).Legal[:1]}); r.Error != "" {
				t.Fatal(r.Error)
			}
			synctest.Wait() // they wait in this order
		}
		for _, seat := range seats[:8] {
			seat(bus.SeatInput{Presence: "gone"})
		}
		began := time.Now()
		asked(8, 2)
		if took := time.Since(began); took > 21*time.Second { // what two of them had begun, and its own
			t.Errorf("the ninth is answered after %s", took)
		}
		for range 40 { // he is there and thinks
			seats[8](bus.SeatInput{Presence: "present"})
			time.Sleep(30 * time.Second)
		}
		h.mu.Lock()
		over := len(h.over)
		h.mu.Unlock()
		if e := w.Entry(); over != 8 || len(e.Games) != 1 || e.Games[0] != "guest8" {
			t.Errorf("%d games are over, %v are played", over, e.Games)
		}
		w.Park()
		end()
	})
}
