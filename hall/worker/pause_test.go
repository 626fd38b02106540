package worker

import (
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// waits are those that an audience was told in an attempt, without repetition.
func (h *hall) waits(t *testing.T, to game.Audience, attempt int) (list []journal.Wait) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.live[to] {
		ev, err := journal.ParseEvent(l.Line)
		if err != nil {
			t.Fatal(err)
		}
		if ev.Wait != nil && l.Attempt == attempt {
			list = append(list, *ev.Wait)
		}
	}
	return list
}

// waitsFor waits until the latest that the public was told of a wait is so.
func (h *hall) waitsFor(t *testing.T, attempt int, what, by string) *journal.Wait {
	t.Helper()
	var last journal.Wait
	for range 200 {
		synctest.Wait()
		if list := h.waits(t, game.Public, attempt); len(list) > 0 {
			if last = list[len(list)-1]; last.For == what && last.By == by {
				return &last
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%+v, want %q by %q", last, what, by)
	return &last
}

// A game that its people have paused is paused still when another worker takes it up, and goes on when
// they want; both seats and the public are told.
func TestPauseAndRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "a"})
		p := people("othello", bus.PersonSeat)
		p.Keep, p.Rules = true, bus.Rules{Stall: -1}
		p.Seats[0].Clock, p.Seats[1].Clock = "600", "600"
		h.add(p)
		both := func() {
			h.visit(t, 0, "come")
			h.visit(t, 1, "come")
		}
		h.state(t, 0, "begun", func(s bus.SeatState) bool { return s.Away })
		both()
		h.visit(t, 0, "move")
		h.visit(t, 1, "10s")
		h.do(t, bus.SeatInput{Seat: 0, Act: "pause", ID: "1"}, "")
		h.do(t, bus.SeatInput{Seat: 1, Act: "accept", ID: "2"}, "")
		x := h.waitsFor(t, 1, journal.ForPause, p.Seats[0].Name)
		if x.Clocks == nil || x.Clocks[1].Left.Round(time.Second) != 590*time.Second {
			t.Errorf("%+v", x.Clocks)
		}
		if s := h.state(t, 1, "not asked", func(bus.SeatState) bool { return true }); s.Prompt != 0 {
			t.Errorf("asked while paused: %+v", s)
		}
		for _, to := range []game.Audience{game.ToFirst, game.ToSecond} {
			if list := h.waits(t, to, 1); len(list) == 0 || list[len(list)-1].For != journal.ForPause {
				t.Errorf("%v was told %+v", to, list)
			}
		}
		w.Park()
		end()
		if r := h.result(t, "g"); !r.Parked {
			t.Fatalf("%+v", r)
		}
		h.mu.Lock()
		delete(h.over, "g")
		h.mu.Unlock()
		h.add(p)
		_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "b"})
		h.waitsFor(t, 2, journal.ForPause, p.Seats[0].Name)
		for range 60 {
			both()
			time.Sleep(20 * time.Second)
		}
		h.do(t, bus.SeatInput{Seat: 1, Act: "resume", ID: "3"}, "")
		h.do(t, bus.SeatInput{Seat: 0, Act: "accept", ID: "4"}, "")
		h.waitsFor(t, 2, "", "")
		h.visit(t, 1, "move")
		h.do(t, bus.SeatInput{Seat: 1, Act: "resign", ID: "5"}, "")
		if r := h.result(t, "g"); r.Result.Reason != game.ByResign || r.Seconds[1] > 20 {
			t.Errorf("%+v", r)
		}
		end()
	})
}

// An arbiter's pause is the hall's word: with the game, or by order; the seats do not end it, and no order
// ends theirs.
func TestPauseByOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "w"})
		p := bots("g", "othello")
		p.Paused = "Ada"
		h.add(p)
		x := h.waitsFor(t, 1, journal.ForPause, "Ada")
		time.Sleep(time.Hour)
		if !x.Ruled || len(h.waits(t, game.Public, 1)) != 1 {
			t.Errorf("%+v", h.waits(t, game.Public, 1))
		}
		h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderResume})
		h.waitsFor(t, 1, "", "")
		time.Sleep(500 * time.Millisecond)
		h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderPause, By: "Eve"})
		h.waitsFor(t, 1, journal.ForAnswer, "Eve")
		h.waitsFor(t, 1, journal.ForPause, "Eve")
		h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderResume})
		h.waitsFor(t, 1, "", "")
		if r := h.result(t, "g"); r.Result.Reason == game.ByAbort || r.Fault != "" {
			t.Errorf("%+v", r)
		}
		end()
	})
}

// In a paused game nobody is missed as long as another one is there, and no clock decides: it ends when
// all have been away for the time of grace, here of 30 s.
func TestPauseAndAbsence(t *testing.T) {
	for _, clock := range []string{"", "3600"} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
			p := people("othello", bus.PersonSeat)
			p.Seats[0].Clock, p.Seats[1].Clock, p.Rules = clock, clock, bus.Rules{Stall: -1}
			h.add(p)
			h.state(t, 0, "begun", func(s bus.SeatState) bool { return s.Away })
			h.visit(t, 0, "move")
			h.visit(t, 1, "move")
			h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderPause, By: "Ada"})
			h.waitsFor(t, 1, journal.ForPause, "Ada")
			h.visit(t, 0, "go")
			for range 6 {
				h.visit(t, 1, "come")
				time.Sleep(29 * time.Second)
			}
			h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderResume})
			h.waitsFor(t, 1, "", "")
			time.Sleep(20 * time.Second) // the time of grace begins anew
			h.orders["g"](bus.Order{Game: "g", Kind: bus.OrderPause, By: "Ada"})
			h.visit(t, 1, "come")
			time.Sleep(15 * time.Second)
			h.mu.Lock()
			if r, over := h.over["g"]; over {
				t.Errorf("somebody is there, and it ended: %+v", r.Result)
			}
			h.mu.Unlock()
			h.visit(t, 1, "go")
			left := time.Now()
			r := h.result(t, "g")
			if took := r.Ended.Sub(left); r.Result.Reason != game.ByDisconnect || took < 29*time.Second || took > 62*time.Second {
				t.Errorf("%q: after %v %+v", clock, took, r.Result)
			}
			end()
		})
	}
}
