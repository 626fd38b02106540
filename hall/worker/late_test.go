package worker

import (
	"testing"
	"testing/synctest"

	"kibitz/game"
	"kibitz/hall/bus"
)

// An answer that says for which position it is meant is played there, once: sent again it has the
// same answer, in the next attempt of the game too, and elsewhere it is refused. The numbers of
// questions begin anew with each attempt, so that they alone do not tell.
func TestLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		p := people("gomoku:size=15", bus.PersonSeat)
		w, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "a"})
		h.add(p)
		answer := func(seat game.Seat, legal int) bus.SeatInput {
			s := h.state(t, seat, "asked", func(s bus.SeatState) bool { return s.Prompt > 0 })
			return bus.SeatInput{Seat: seat, Prompt: s.Prompt, Steps: s.Legal[legal : legal+1], For: &bus.Position{Attempt: s.Attempt, Ply: s.Ply}}
		}
		put := func(in bus.SeatInput) {
			h.do(t, in, "")
			h.state(t, in.Seat, "answered", func(s bus.SeatState) bool { return s.Prompt != in.Prompt })
		}
		played := func(n int) {
			t.Helper()
			if s := h.state(t, game.Seat(n%2), "asked", func(s bus.SeatState) bool { return s.Prompt > 0 }); s.Ply != n {
				t.Errorf("%d decisions, want %d", s.Ply, n)
			}
		}
		first := answer(0, 0)
		put(first)
		second := answer(1, 0)
		put(second)
		played(2)
		h.do(t, first, "") // it was taken
		h.do(t, second, "")
		other := first
		other.Steps = second.Steps
		h.do(t, other, "overtaken")
		waits := answer(0, 0) // which is sent only when the game is elsewhere
		elsewhere := waits
		elsewhere.For = &bus.Position{Attempt: 1, Ply: 1}
		h.do(t, elsewhere, "overtaken")
		played(2)

		w.Park()
		end()
		h.result(t, "g")
		h.mu.Lock()
		delete(h.over, "g")
		h.states[0], h.states[1] = nil, nil
		h.mu.Unlock()
		h.add(p)
		_, end = start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "b"})
		now := answer(0, 1)
		if now.Prompt != first.Prompt || now.For.Attempt != 2 || now.For.Ply != 2 {
			t.Fatalf("%+v: the test is worth nothing", now)
		}
		h.do(t, first, "") // its number is that of the question that waits
		h.do(t, second, "")
		other.For = &bus.Position{Attempt: 1, Ply: 0}
		h.do(t, other, "overtaken")
		h.do(t, waits, "overtaken") // whoever sent it looks whether it is what he means
		played(2)
		put(now)
		h.do(t, now, "")
		played(3)
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		h.result(t, "g")
		end()
	})
}
