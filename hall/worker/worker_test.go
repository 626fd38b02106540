package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// Games are played, told and recorded.
func TestPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w1", Slots: 3})
		for i := range 6 {
			h.add(bots(fmt.Sprint("g", i), "othello"))
		}
		h.until(t, "busy", func() bool { return h.workers["w1"].Busy == 3 && len(h.workers["w1"].Games) == 3 })
		for i := range 6 {
			r := h.result(t, fmt.Sprint("g", i))
			rec := unpacked(t, r)
			if r.Fault != "" || r.Parked || r.Plies != 30 || len(rec.Steps) != 30 || r.Worker != "w1" || rec.Result.Reason != r.Result.Reason {
				t.Errorf("%+v", r)
			}
		}
		end()
		if h.done != 6 || !w.Entry().Draining || len(w.Entry().Games) != 0 {
			t.Errorf("%d jobs done, %+v", h.done, w.Entry())
		}
	})
}

// numbered checks the live events of an audience: numbers without gaps, and nothing
// that is not for it.
func numbered(t *testing.T, list []bus.Live, to game.Audience) (kinds map[journal.Kind]int) {
	t.Helper()
	kinds = map[journal.Kind]int{}
	for i, l := range list {
		ev, err := journal.ParseEvent(l.Line)
		if err != nil {
			t.Fatal(err)
		}
		if l.Seq != uint64(i+1) || ev.Seq != l.Seq || l.To != to || !ev.To.Includes(to) {
			t.Fatalf("event %d for %s: %+v", i+1, to, ev)
		}
		kinds[ev.Kind]++
	}
	return kinds
}

// Spectators hear what engines say where the game hides nothing and the room allows it;
// whoever comes late gets all but old boards.
func TestLive(t *testing.T) {
	for _, c := range []struct {
		spec  game.Spec
		lines bool
		said  bool
	}{{"othello", true, true}, {"othello", false, false}, {"phantomgo:size=5", true, false}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w"})
			p := bots("g", c.spec)
			p.Lines = c.lines
			h.add(p)
			h.until(t, "ten events", func() bool { return len(h.live[game.Public]) >= 10 })
			s, err := h.syncs["g"](game.Public)
			if err != nil || s.Seq < 10 {
				t.Fatalf("%+v, %v", s, err)
			}
			views := 0
			for _, l := range s.Lines {
				if bytes.Contains(l, []byte(`"kind":"view"`)) {
					views++
				}
			}
			if views != 1 {
				t.Errorf("%d boards of %d lines", views, len(s.Lines))
			}
			if _, err := h.syncs["g"](game.ToFirst); err == nil {
				t.Error("a seat of a bot has listeners")
			}
			h.result(t, "g")
			end()
			kinds := numbered(t, h.live[game.Public], game.Public)
			if kinds[journal.KindResult] != 1 || kinds[journal.KindView] < 20 || (kinds[journal.KindSaid] > 0) != c.said || kinds[journal.KindEvidence] > 0 {
				t.Errorf("%v", kinds)
			}
		})
	}
}

// A worker that is cut off loses its game to another one, and says nothing more.
func TestDeadWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		a := &line{hall: h}
		_, endA := start(t, Config{Bus: a, Build: steadySetup(100 * time.Millisecond), ID: "a"})
		h.add(bots("g", "othello"))
		h.until(t, "begun", func() bool { return len(h.live[game.Public]) > 3 })
		h.mu.Lock()
		a.cut = true
		h.mu.Unlock()
		_, endB := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(100 * time.Millisecond), ID: "b"})
		h.until(t, "taken over", func() bool { return h.attempt["g"] == 2 })
		h.mu.Lock()
		n := len(h.live[game.Public])
		a.cut = false
		h.mu.Unlock()
		r := h.result(t, "g")
		if r.Worker != "b" || r.Attempt != 2 || r.Plies != 30 {
			t.Errorf("%+v", r)
		}
		for _, l := range h.live[game.Public][n+2:] {
			if l.Attempt != 2 {
				t.Errorf("a stale attempt says %s", l.Line)
			}
		}
		endA()
		endB()
		if len(h.late) > 0 {
			t.Errorf("late results: %+v", h.late)
		}
	})
}

// Two jobs of one game, as a hall publishes that does not know of the first, begin it
// twice at most: they do not take it from each other for ever.
func TestTwoJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, endA := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(2 * time.Second), ID: "a"})
		h.add(bots("g", "othello"))
		h.until(t, "begun", func() bool { return h.attempt["g"] == 1 })
		_, endB := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(2 * time.Second), ID: "b"})
		h.add(bots("g", "othello"))
		r := h.result(t, "g")
		if r.Worker != "b" || r.Attempt != 2 || r.Plies != 30 {
			t.Errorf("%+v", r)
		}
		endA()
		endB()
		for _, j := range h.jobs {
			if !j.gone {
				t.Error("a job of a game that is over is in the queue")
			}
		}
	})
}

// What a worker cannot play goes back a few times and is then reported; the other
// games go on.
func TestFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		good := steadySetup(time.Millisecond)
		build := func(ctx context.Context, p *bus.Play) (*Setup, error) {
			switch p.Game {
			case "lacks":
				return nil, errors.New("engine \"deep\" is not here")
			case "panics":
				panic("a bug")
			}
			return good(ctx, p)
		}
		_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w", Slots: 2})
		for _, id := range []string{"lacks", "panics", "fine"} {
			h.add(bots(id, "othello"))
		}
		for id, want := range map[string]string{"lacks": "is not here", "panics": "broke down"} {
			if r := h.result(t, id); !strings.Contains(r.Fault, want) || r.Attempt != mostFailures || r.Result.Reason != game.ByAbort {
				t.Errorf("%s: %+v", id, r)
			}
		}
		if r := h.result(t, "fine"); r.Fault != "" {
			t.Errorf("%+v", r)
		}
		end()
	})
}

// The hall's word counts.
func TestOrders(t *testing.T) {
	won := game.Win(game.Second, game.ByAdjudication, "decided")
	for _, c := range []struct {
		order  bus.Order
		reason game.Reason
		parked bool
	}{
		{bus.Order{Game: "g", Kind: "abort"}, game.ByAbort, false},
		{bus.Order{Game: "g", Kind: "park"}, game.ByAbort, true},
		{bus.Order{Game: "g", Kind: "verdict", Result: &won}, game.ByAdjudication, false},
	} {
		for _, pulse := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "w"})
				h.add(bots("g", "othello"))
				h.until(t, "begun", func() bool { return len(h.live[game.Public]) > 3 })
				if pulse {
					h.mu.Lock()
					h.order = &c.order
					h.mu.Unlock()
				} else {
					h.orders["g"](c.order)
				}
				if r := h.result(t, "g"); r.Result.Reason != c.reason || r.Parked != c.parked || r.Fault != "" || (len(r.Record) > 0) == c.parked {
					t.Errorf("%+v", r)
				}
				end()
				if n := numbered(t, h.live[game.Public], game.Public)[journal.KindResult]; (n == 0) != c.parked {
					t.Errorf("%d results are told", n)
				}
			})
		}
	}
}

// A game that is parked and taken up has the record of the game that was not.
func TestParkAndResume(t *testing.T) {
	for _, spec := range []game.Spec{"othello", "phantomgo:size=5", "darkchess"} {
		var records [2]*native2
		for i := range records {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				p := bots("g", spec)
				p.Keep, p.Seed = true, bytes.Repeat([]byte{5}, 32)
				w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(70 * time.Millisecond), ID: "a"})
				h.add(p)
				if i == 1 {
					h.until(t, "some log", func() bool { return len(h.logs["g/1"]) > 15 })
					w.Park()
					end()
					r := h.result(t, "g")
					if !r.Parked || r.Fault != "" {
						t.Fatalf("%+v", r)
					}
					h.mu.Lock()
					delete(h.over, "g")
					h.mu.Unlock()
					h.add(p)
					_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(70 * time.Millisecond), ID: "b"})
				}
				r := h.result(t, "g")
				end()
				rec := unpacked(t, r)
				if r.Attempt != i+1 || len(rec.Steps) < 20 {
					t.Fatalf("%+v", r)
				}
				records[i] = &native2{rec.Steps, *rec.Result, r.Plies, r.Seconds}
			})
		}
		if diff := cmp.Diff(records[0], records[1]); diff != "" {
			t.Errorf("%s: %s", spec, diff)
		}
	}
}

// Who watches a game that is taken up is told from when its clocks go on: not from when it was
// broken off.
func TestResumeTellsClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "a"})
		p := bots("g", "othello")
		p.Keep = true
		h.add(p)
		h.until(t, "some log", func() bool { return len(h.logs["g/1"]) > 15 })
		w.Park()
		end()
		time.Sleep(time.Minute)
		again := time.Now()
		h.mu.Lock()
		delete(h.over, "g")
		h.mu.Unlock()
		h.add(p)
		_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "b"})
		h.until(t, "the clocks to go on", func() bool {
			return slices.ContainsFunc(h.live[game.Public], func(l bus.Live) bool {
				ev, err := journal.ParseEvent(l.Line)
				return err == nil && l.Attempt == 2 && ev.Wait != nil && ev.Wait.For == "" && !ev.Time.Before(again)
			})
		})
		h.result(t, "g")
		end()
	})
}

// native2 is what two records of one game share.
type native2 struct {
	Steps   any
	Result  game.Result
	Plies   int
	Seconds [2]float64
}

// A worker that is shut down gives games that nobody waits for back to the queue.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Second), ID: "a"})
		h.add(bots("g", "othello"))
		h.until(t, "begun", func() bool { return len(h.live[game.Public]) > 3 })
		w.Park()
		end()
		_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(time.Millisecond), ID: "b"})
		if r := h.result(t, "g"); r.Worker != "b" || r.Attempt != 2 || r.Parked {
			t.Errorf("%+v", r)
		}
		end()
	})
}

// people is a game between a person and somebody else.
func people(spec game.Spec, other bus.SeatKind) bus.Play {
	p := bots("g", spec)
	p.Seats[0] = bus.Seat{Kind: bus.PersonSeat, Name: "Ann", Grace: 30 * time.Second}
	p.Seats[1] = bus.Seat{Kind: other, Name: "Bob", Grace: 30 * time.Second}
	p.Keep, p.Rules = true, bus.Rules{Undo: true}
	return p
}

// state waits for the state of a seat of game g that fits.
func (h *hall) state(t *testing.T, seat game.Seat, what string, fn func(bus.SeatState) bool) bus.SeatState {
	t.Helper()
	var s bus.SeatState
	h.until(t, what, func() bool {
		s = bus.SeatState{}
		for _, x := range slices.Backward(h.states[seat]) {
			if x.Game == "g" {
				s = x
				break
			}
		}
		return s.Game != "" && fn(s)
	})
	return s
}

// do sends an input and wants the code.
func (h *hall) do(t *testing.T, in bus.SeatInput, code string) {
	t.Helper()
	in.Game = "g"
	h.mu.Lock()
	fn := h.inputs[in.Seat]
	h.mu.Unlock()
	if r := fn(in); r.Code != code || (r.Error == "") != (code == "") {
		t.Errorf("%+v is answered by %+v, want %q", in, r, code)
	}
}

// Two people play, offer, take back, and end a game in each way.
func TestPeople(t *testing.T) {
	ends := map[string]struct {
		acts   []bus.SeatInput
		reason game.Reason
		winner game.Seat
	}{
		"resign":  {[]bus.SeatInput{{Seat: 1, Act: "resign"}}, game.ByResign, game.First},
		"draw":    {[]bus.SeatInput{{Seat: 0, Act: "draw"}, {Seat: 1, Act: "accept"}}, game.ByAgreement, game.Nobody},
		"abort":   {[]bus.SeatInput{{Seat: 0, Act: "abort"}, {Seat: 1, Act: "accept"}}, game.ByAbort, game.Nobody},
		"aborts":  {[]bus.SeatInput{{Seat: 0, Act: "abort"}, {Seat: 1, Act: "abort"}}, game.ByAbort, game.Nobody},
		"leaving": {[]bus.SeatInput{{Seat: 0, Presence: "gone"}, {Seat: 1, Presence: "gone"}, {Seat: 1, Presence: "present"}}, game.ByDisconnect, game.Second},
	}
	for name, c := range ends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
				h.add(people("othello", bus.PersonSeat))
				s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
				if len(s.Legal) != 4 {
					t.Errorf("%+v", s)
				}
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: []string{"p0,0"}}, "not-legal")
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: []string{"what"}}, "not-legal")
				h.do(t, bus.SeatInput{Seat: 1, Prompt: 1, Steps: s.Legal[:1]}, "not-asked")
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: s.Legal[:1]}, "")
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: s.Legal[:1]}, "")
				h.do(t, bus.SeatInput{Seat: 0, Act: "dance"}, "refused")
				h.state(t, 1, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: []string{"p0,1"}}, "not-asked")
				h.do(t, bus.SeatInput{Seat: 0, Act: "undo"}, "")
				h.state(t, 1, "offered", func(s bus.SeatState) bool { return len(s.Asks) == 1 && s.Asks[0].What == "undo" && s.Asks[0].By == 0 })
				h.state(t, 0, "asks", func(s bus.SeatState) bool { return len(s.Asks) == 1 })
				h.do(t, bus.SeatInput{Seat: 1, Act: "accept"}, "")
				s = h.state(t, 0, "asked again", func(s bus.SeatState) bool { return s.Prompt == 2 })
				h.do(t, bus.SeatInput{Seat: 0, Prompt: 2, Steps: s.Legal[:1]}, "")
				h.state(t, 1, "asked", func(s bus.SeatState) bool { return s.Prompt == 2 })
				for _, in := range c.acts {
					h.do(t, in, "")
					time.Sleep(time.Second)
				}
				r := h.result(t, "g")
				if r.Result.Reason != c.reason || r.Result.Winner() != c.winner || r.Fault != "" {
					t.Errorf("%+v", r)
				}
				end()
				for seat := range game.Seat(2) {
					last := h.states[seat][len(h.states[seat])-1]
					if !last.Over || last.Prompt > 0 {
						t.Errorf("the last state of seat %d is %+v", seat, last)
					}
					numbered(t, h.live[game.To(seat)], game.To(seat))
				}
			})
		})
	}
}

// A remote engine plays through the bus.
func TestRemote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w"})
		p := bots("g", "othello")
		p.Seats[1] = bus.Seat{Kind: bus.RemoteSeat, Name: "far", Clock: "60+1"}
		h.add(p)
		far := joinFar(t, h, game.Second, random.New(random.Options{Seed: 1}))
		r := h.result(t, "g")
		if r.Plies != 30 || r.Fault != "" || r.Result.Reason != game.ByAdjudication {
			t.Errorf("%+v", r)
		}
		far()
		end()
	})
}

// seatConn carries frames between the bus and a client.
type seatConn struct {
	h    *hall
	seat game.Seat
	down chan []byte
}

func (c *seatConn) Send(f []byte) error {
	c.h.mu.Lock()
	fn := c.h.seats[c.seat]
	c.h.mu.Unlock()
	if fn != nil {
		fn(f)
	}
	return nil
}

func (c *seatConn) Recv(ctx context.Context) ([]byte, error) {
	select {
	case f := <-c.down:
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
