package worker

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// visit is what a person does: "come", "go", "move", or a time to wait.
func (h *hall) visit(t *testing.T, seat game.Seat, what string) {
	t.Helper()
	switch what {
	case "come":
		h.do(t, bus.SeatInput{Seat: seat, Presence: "present"}, "")
	case "go":
		h.do(t, bus.SeatInput{Seat: seat, Presence: "gone"}, "")
	case "move":
		s := h.state(t, seat, "asked", func(s bus.SeatState) bool { return s.Prompt > 0 })
		h.do(t, bus.SeatInput{Seat: seat, Prompt: s.Prompt, Steps: s.Legal[:1]}, "")
		h.state(t, seat, "answered", func(x bus.SeatState) bool { return x.Prompt != s.Prompt })
	default:
		d, err := time.ParseDuration(what)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(d)
	}
}

// Whoever is not there is missed from the first moment, whatever the state of the game.
// The seat of Ann is the first, that of Bob the second; the grace is 30 s.
func TestAbsence(t *testing.T) {
	type acts struct {
		seat game.Seat
		what string
	}
	for name, c := range map[string]struct {
		other  bus.SeatKind
		think  time.Duration // of the other seat, if it is an engine
		clock  string
		acts   []acts
		reason game.Reason
		winner game.Seat
		within time.Duration
		why    game.WhyCode
	}{
		"never came":                {bus.BotSeat, 0, "", nil, game.ByAbort, game.Nobody, 31 * time.Second, bus.WhyNobody},
		"never came, has a clock":   {bus.BotSeat, 0, "3600", nil, game.ByAbort, game.Nobody, 31 * time.Second, bus.WhyNobody},
		"the other one never came":  {bus.PersonSeat, 0, "3600", []acts{{0, "come"}, {0, "move"}}, game.ByAbort, game.Nobody, 31 * time.Second, bus.WhyAway},
		"left on his first turn":    {bus.BotSeat, 0, "", []acts{{0, "come"}, {0, "10s"}, {0, "go"}}, game.ByAbort, game.Nobody, 31 * time.Second, bus.WhyAway},
		"left on his second turn":   {bus.BotSeat, 0, "", []acts{{0, "move"}, {0, "10s"}, {0, "go"}}, game.ByDisconnect, game.Second, 31 * time.Second, ""},
		"left on the other's turn":  {bus.BotSeat, time.Hour, "", []acts{{0, "move"}, {0, "go"}}, game.ByDisconnect, game.Second, 31 * time.Second, ""},
		"without a word":            {bus.BotSeat, 0, "", []acts{{0, "move"}}, game.ByDisconnect, game.Second, signFor + 31*time.Second, ""},
		"both, one by one":          {bus.PersonSeat, 0, "", []acts{{0, "move"}, {1, "move"}, {0, "go"}, {1, "1s"}, {1, "go"}}, game.ByDisconnect, game.Second, 31 * time.Second, ""},
		"his clock decides":         {bus.BotSeat, 0, "50", []acts{{0, "move"}, {0, "go"}}, game.ByTime, game.Second, 51 * time.Second, ""},
		"came back before the time": {bus.BotSeat, 0, "", []acts{{0, "move"}, {0, "go"}, {0, "29s"}, {0, "come"}, {0, "25s"}, {0, "go"}}, game.ByDisconnect, game.Second, 31 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(c.think), ID: "w"})
				p := people("othello", c.other)
				p.Seats[0].Clock, p.Rules = c.clock, bus.Rules{Stall: -1}
				h.add(p)
				h.state(t, 0, "begun", func(s bus.SeatState) bool { return s.Away })
				for _, a := range c.acts {
					h.visit(t, a.seat, a.what)
				}
				left := time.Now()
				r := h.result(t, "g")
				if r.Result.Reason != c.reason || r.Result.Winner() != c.winner || r.Fault != "" || r.Parked {
					t.Errorf("%+v", r.Result)
				}
				if r.Why.Code != c.why || (c.why == bus.WhyAway) != (r.Why.Name != "") {
					t.Errorf("why %+v, want %q", r.Why, c.why)
				}
				if took := r.Ended.Sub(left); took > c.within || took < c.within-2*time.Second {
					t.Errorf("it took %s, want %s", took, c.within)
				}
				end()
			})
		})
	}
}

// A seat that is left asks whether anybody is there: another tab of the same person says so.
func TestOtherTab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
		h.add(people("othello", bus.BotSeat))
		h.visit(t, 0, "move")
		for range 3 {
			h.visit(t, 0, "go")
			h.state(t, 0, "asked who is there", func(s bus.SeatState) bool { return s.Away })
			h.visit(t, 0, "come")
			h.state(t, 0, "not asked any more", func(s bus.SeatState) bool { return !s.Away })
			h.visit(t, 0, "40s")
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if r, over := h.over["g"]; over {
			t.Errorf("a game ends whose player is there: %+v", r.Result)
		}
		h.mu.Unlock()
		end()
		h.mu.Lock()
	})
}

// A game that goes on after its worker was lost misses people as before, and knows that
// they have moved.
func TestAbsenceAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		a := &line{hall: h}
		_, endA := start(t, Config{Bus: a, Build: steadySetup(0), ID: "a"})
		h.add(people("othello", bus.PersonSeat))
		h.visit(t, 0, "move")
		h.visit(t, 1, "move")
		h.mu.Lock()
		a.cut = true
		h.mu.Unlock()
		_, endB := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "b"})
		h.until(t, "taken over", func() bool { return h.attempt["g"] == 2 })
		began := time.Now()
		time.Sleep(time.Second)
		h.visit(t, 1, "come")
		r := h.result(t, "g")
		if r.Worker != "b" || r.Result.Reason != game.ByDisconnect || r.Result.Winner() != game.Second || !strings.Contains(r.Result.Detail, "away for 30s") {
			t.Errorf("%+v", r)
		}
		if took := r.Ended.Sub(began); took > 31*time.Second {
			t.Errorf("it took %s", took)
		}
		endA()
		endB()
	})
}

// Who has gone is not given his whole time anew because no hall could be heard for a moment
// when it was over, and an outage in the middle of it does not count.
func TestAbsenceUnheard(t *testing.T) {
	for name, c := range map[string]struct{ heard, silent, gap, took time.Duration }{
		"a second as the time is over":    {29 * time.Second, 2 * time.Second, time.Hour, 31*time.Second + toReturn},
		"a minute in the middle":          {10 * time.Second, time.Minute, time.Hour, 90 * time.Second},
		"a minute as the time is over":    {25 * time.Second, time.Minute, time.Hour, 100 * time.Second},
		"moments all the time":            {0, 40 * time.Second, 1200 * time.Millisecond, 40 * time.Second},
		"a moment long before it is over": {10 * time.Second, time.Second, time.Hour, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
				h.addHeard(t, people("othello", bus.BotSeat))
				h.visit(t, 0, "move")
				h.visit(t, 0, "go")
				left := time.Now()
				h.beats(t, c.heard)
				for time.Since(left) < c.heard+c.silent {
					time.Sleep(min(c.silent, c.gap))
					h.hear(0)
				}
				h.beats(t, c.took+3*time.Second-time.Since(left))
				r := h.result(t, "g")
				if took := r.Ended.Sub(left); r.Result.Reason != game.ByDisconnect || took < c.took-2*time.Second || took > c.took+2*time.Second {
					t.Errorf("%+v after %s, want %s", r.Result, took, c.took)
				}
				end()
			})
		})
	}
}

// served counts the seats that are answered, at present and when the result came.
type served struct {
	*line
	open, at atomic.Int32
}

func (c *served) ServeSeatInput(id string, seat game.Seat, fn func(bus.SeatInput) bus.Reply) (func(), error) {
	stop, err := c.line.ServeSeatInput(id, seat, fn)
	c.open.Add(1)
	return func() { c.open.Add(-1); stop() }, err
}

func (c *served) PublishResult(ctx context.Context, r bus.Result) error {
	c.at.Store(c.open.Load())
	c.mu.Lock()
	fn := c.inputs[0]
	c.mu.Unlock()
	if late := fn(bus.SeatInput{Game: r.Game, Prompt: 1, Steps: []string{"p0,0"}}); late.Code != "not-asked" {
		return fmt.Errorf("who is late hears %+v", late)
	}
	return c.line.PublishResult(ctx, r)
}

// A seat is answered until the result of its game is out: a move that comes as the clock
// falls is too late, and does not find nobody.
func TestSeatUntilResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		c := &served{line: &line{hall: h}}
		_, end := start(t, Config{Bus: c, Build: steadySetup(0), ID: "w"})
		p := people("othello", bus.BotSeat)
		p.Seats[0].Clock = "5"
		h.add(p)
		h.state(t, 0, "begun", func(s bus.SeatState) bool { return s.Away })
		h.visit(t, 0, "come")
		if r := h.result(t, "g"); r.Result.Reason != game.ByTime || c.at.Load() != 1 || r.Ended.Sub(r.Begun) > time.Minute {
			t.Errorf("%+v with %d seats", r.Result, c.at.Load())
		}
		end()
		if n := c.open.Load(); n != 0 {
			t.Errorf("%d seats are served afterwards", n)
		}
	})
}

// again sends each act once more when the game is over, and its result not yet out.
type again struct {
	*line
	act     bus.SeatInput
	replies []bus.Reply
}

func (c *again) PublishResult(ctx context.Context, r bus.Result) error {
	c.mu.Lock()
	fn := c.inputs[0]
	c.mu.Unlock()
	c.replies = append(c.replies, fn(c.act), fn(bus.SeatInput{Game: "g", Act: "resign", ID: "other"}))
	return c.line.PublishResult(ctx, r)
}

// Whose answer to the act that ended the game was lost, and who sends it again before the
// result is out, is told that it is done; another act comes too late.
func TestActAgainAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		c := &again{line: &line{hall: h}, act: bus.SeatInput{Game: "g", Act: "resign", ID: "mine"}}
		_, end := start(t, Config{Bus: c, Build: steadySetup(0), ID: "w"})
		defer end()
		h.add(people("othello", bus.BotSeat))
		h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt > 0 })
		h.do(t, c.act, "")
		if r := h.result(t, "g"); r.Result.Reason != game.ByResign {
			t.Errorf("%+v", r.Result)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(c.replies) != 2 || c.replies[0].Code != "" || string(c.replies[0].Data) != `{"effect":"done"}` || c.replies[1].Code != "refused" {
			t.Errorf("answered %+v", c.replies)
		}
	})
}
