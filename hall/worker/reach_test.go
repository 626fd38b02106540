package worker

import (
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/player"
)

// addHeard adds a game to a worker that hears beats, and gives the first.
func (h *hall) addHeard(t *testing.T, p bus.Play) {
	t.Helper()
	h.add(p)
	h.until(t, "beats are heard", func() bool { return h.hear != nil })
	h.hear(0)
}

// beats lets a hall say for so long, twice a second, that it can take moves.
func (h *hall) beats(t *testing.T, d time.Duration) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		h.mu.Lock()
		fn := h.hear
		h.mu.Unlock()
		fn(0)
	}
}

// last is the latest state of a seat.
func (h *hall) last(seat game.Seat) bus.SeatState {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.states[seat][len(h.states[seat])-1]
}

// charged is what the first seat's clock was charged for the first move of a game.
func charged(t *testing.T, r bus.Result) time.Duration {
	t.Helper()
	return time.Duration(r.Seconds[0] * float64(time.Second))
}

// TestUnreached cuts a person off from every hall, for longer than the clock has: at most
// two seconds are charged, the flag does not fall, nobody is missed who
// could not give a sign, and the seat is told. A stop of less
// than two seconds is on the clock, and who overstepped it has lost as before.
func TestUnreached(t *testing.T) {
	for name, c := range map[string]struct {
		before, away, after time.Duration
		answer              bool
		least, most         time.Duration // charged
		reason              game.Reason
	}{
		"for longer than the clock":       {3 * time.Second, 3 * time.Minute, time.Second, true, 3 * time.Second, 6 * time.Second, game.ByResign},
		"at the last second":              {9 * time.Second, 20 * time.Second, 500 * time.Millisecond, true, 9 * time.Second, 10 * time.Second, game.ByResign},
		"for a second":                    {3 * time.Second, time.Second, time.Second, true, 4 * time.Second, 5500 * time.Millisecond, game.ByResign},
		"answered while nobody can be":    {3 * time.Second, 20 * time.Second, 0, true, 2500 * time.Millisecond, 3 * time.Second, game.ByResign},
		"and then he thinks for too long": {3 * time.Second, 20 * time.Second, 10 * time.Second, false, 10 * time.Second, 12 * time.Second, game.ByTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
				p := people("othello", bus.PersonSeat)
				p.Seats[0].Clock, p.Seats[1].Clock = "10+0", "10+0"
				h.addHeard(t, p)
				s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
				for seat := range game.Seat(2) {
					h.do(t, bus.SeatInput{Seat: seat, Presence: "present"}, "")
				}
				h.beats(t, c.before)
				time.Sleep(c.away)
				if held := h.last(0).Held; held.IsZero() != (c.away < unreached) {
					t.Errorf("after %s the seat is told that it is held since %v", c.away, held)
				}
				h.beats(t, c.after)
				if now := h.last(0); c.after > 0 && (!now.Held.IsZero() || c.answer && now.Deadline.IsZero()) {
					t.Errorf("afterwards the state is %+v", now)
				}
				if c.answer {
					h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: s.Legal[:1]}, "")
					h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
				}
				r := h.result(t, "g")
				if got := charged(t, r); r.Result.Reason != c.reason || got < c.least || got > c.most {
					t.Errorf("%s charged, want %s to %s; %v", got, c.least, c.most, r.Result)
				}
				end()
			})
		})
	}
}

// TestUnreachedEngine does the same to an engine that plays from a player's machine.
func TestUnreachedEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
		p := bots("g", "othello")
		p.Rules.MaxMoves = 1
		p.Seats[0] = bus.Seat{Kind: bus.RemoteSeat, Name: "far", Clock: "10+0", Grace: 5 * time.Second}
		h.addHeard(t, p)
		far := joinFar(t, h, game.First, &steady{think: 40 * time.Second, say: "late"})
		h.beats(t, 2*time.Second)
		time.Sleep(30 * time.Second)
		h.beats(t, 6*time.Second)
		if r, over := h.over["g"]; over {
			t.Fatalf("the game ended meanwhile: %+v", r.Result)
		}
		h.beats(t, 4*time.Second)
		if r := h.result(t, "g"); r.Result.Reason != game.ByAdjudication {
			t.Errorf("%s charged; %v", charged(t, r), r.Result)
		}
		far()
		end()
	})
}

// TestSlowSigns plays beside a hall whose services are slow and work: its signs are never
// fresh, and never so old that no hall could take a move. Flags fall, absent people are missed,
// and nobody is held.
func TestSlowSigns(t *testing.T) {
	const age, every = 1300 * time.Millisecond, 500 * time.Millisecond
	slow := func(h *hall, until func() bool) (took time.Duration) {
		for began := time.Now(); !until() && took < 2*time.Minute; took = time.Since(began) {
			time.Sleep(every)
			h.hear(age)
		}
		return took
	}
	for name, c := range map[string]struct {
		clock       string
		decided     bool
		least, most time.Duration
		reason      game.Reason
	}{
		"a flag":     {"10+0", false, 10 * time.Second, 12 * time.Second, game.ByTime},
		"an absence": {"", true, 30 * time.Second, 34 * time.Second, game.ByDisconnect},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
				p := people("othello", bus.BotSeat)
				p.Seats[0].Clock = c.clock
				h.addHeard(t, p)
				h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
				h.do(t, bus.SeatInput{Seat: 0, Presence: "present"}, "")
				if c.decided {
					h.visit(t, 0, "move")
					h.visit(t, 0, "go")
				}
				took := slow(h, func() bool {
					h.mu.Lock()
					defer h.mu.Unlock()
					_, over := h.over["g"]
					return over
				})
				if took < c.least || took > c.most {
					t.Errorf("after %s, want %s to %s", took, c.least, c.most)
				}
				h.mu.Lock()
				for _, s := range h.states[0] {
					if !s.Held.IsZero() {
						t.Errorf("held since %v", s.Held)
					}
				}
				r, over := h.over["g"]
				h.mu.Unlock()
				if !over || r.Result.Reason != c.reason {
					t.Errorf("%v, want it by %s", r.Result, c.reason)
				}
				end()
			})
		})
	}
}

// asked begins a game of two people with a clock, who can be heard, and waits until the first is
// asked; end ends it.
func asked(t *testing.T, clock string) (h *hall, s bus.SeatState, end func()) {
	t.Helper()
	h = newHall()
	_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
	p := people("othello", bus.PersonSeat)
	p.Seats[0].Clock, p.Seats[1].Clock = clock, clock
	h.addHeard(t, p)
	return h, h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 }), end
}

// TestWaiting lets the hall need longer for a move than the clock has: that is not the
// person's time, and no flag falls while it may be on its way.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s, end := asked(t, "6+0")
		for seat := range game.Seat(2) {
			h.do(t, bus.SeatInput{Seat: seat, Presence: "present"}, "")
		}
		h.beats(t, 3*time.Second)
		came := time.Now()
		for time.Since(came) < 10*time.Second {
			time.Sleep(500 * time.Millisecond)
			h.waiting(0, time.Since(came))
		}
		if held := h.last(0).Held; !held.IsZero() {
			t.Errorf("everybody is held since %v", held)
		}
		h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: s.Legal[:1], Waited: time.Since(came)}, "")
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		r := h.result(t, "g")
		if got := charged(t, r); r.Result.Reason != game.ByResign || got < 2500*time.Millisecond || got > 3500*time.Millisecond {
			t.Errorf("%s charged; %v", got, r.Result)
		}
		end()
	})
}

// TestComesSlowly lets the hall need three seconds until who comes to a game is shown it: they are not
// his, nor what the hall had his move for, but once, where clocks stood for everybody too. One
// who was there all the time has no more time for another connection.
func TestComesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s, end := asked(t, "60+0")
		h.beats(t, 4*time.Second)
		h.waiting(0, time.Minute)                                                         // perhaps nobody can be heard
		h.do(t, bus.SeatInput{Seat: 0, Presence: "present", Waited: 3 * time.Second}, "") // one second was his
		h.do(t, bus.SeatInput{Seat: 0, Presence: "present", Waited: 3 * time.Second}, "")
		h.do(t, bus.SeatInput{Seat: 0, Presence: "gone"}, "")
		h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: []string{"none"}}, "not-legal") // a sign of him, who is shown nothing
		h.beats(t, 5*time.Second)
		h.do(t, bus.SeatInput{Seat: 0, Presence: "present", Waited: 5 * time.Second}, "")
		if got := h.last(0).Deadline.Sub(s.Deadline); got != 8*time.Second {
			t.Errorf("the deadline moved by %s", got)
		}
		h.beats(t, 2*time.Second) // and these were
		came := time.Now()
		time.Sleep(10 * time.Second) // no hall can take a move
		h.beats(t, time.Second)
		h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: s.Legal[:1], Waited: time.Since(came)}, "")
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		r := h.result(t, "g")
		if got := charged(t, r); got < 2500*time.Millisecond || got > 3*time.Second { // one and two, to the latest sign
			t.Errorf("%s charged", got)
		}
		end()
	})
}

// TestNeverHeard plays beside a hall that sends no beats.
func TestNeverHeard(t *testing.T) {
	r := newReach(time.Now, func(time.Time, bool) { t.Error("held") })
	box := player.NewMailbox(time.Now)
	r.add(box)
	r.look()
	if on, _ := r.held(time.Now()); on || !box.Read().Held.IsZero() {
		t.Error("held without a beat")
	}
	r.remove(box)
}
