package worker

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// Who asks for it is told when his latest turn lost much, as long as it is the latest: an answer of
// the engine does not wait for that, and what was taken back is not asked about.
func TestLearning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		build, _ := withAdviser(steadySetup(10*time.Second), 0)
		var judged [][2]int
		lost := []float64{3, 40, 60}
		_, end := start(t, Config{ID: "w", Slots: 2, Bus: &line{hall: h}, Build: func(ctx context.Context, p *bus.Play) (*Setup, error) {
			s, err := build(ctx, p)
			s.Judge = func(ctx context.Context, moves []game.Move, ply int) (float64, error) {
				judged = append(judged, [2]int{len(moves), ply})
				l := lost[len(judged)-1]
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
				return l, ctx.Err()
			}
			return s, err
		}})
		h.add(people("othello", bus.BotSeat))
		play := func(prompt int) {
			s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == prompt })
			if s.Sure != nil {
				t.Errorf("question %d is doubted: %+v", prompt, s.Sure)
			}
			h.do(t, bus.SeatInput{Seat: 0, Prompt: prompt, Steps: s.Legal[:1]}, "")
			h.state(t, 0, "the other's turn", func(s bus.SeatState) bool { return s.Prompt == 0 })
		}
		judge := func(code string) { h.do(t, bus.SeatInput{Seat: 0, Act: "judge"}, code) }
		h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
		judge("refused") // nothing was played
		play(1)
		judge("")
		judge("") // once is enough
		time.Sleep(2 * time.Second)
		play(2)
		judge("")
		s := h.state(t, 0, "doubt", func(s bus.SeatState) bool { return s.Sure != nil })
		if *s.Sure != (bus.Sure{Ply: 2, Lost: 40}) || s.Prompt != 0 {
			t.Errorf("the second turn: %+v", s)
		}
		h.do(t, bus.SeatInput{Seat: 0, Act: "undo", Ply: &s.Sure.Ply}, "")
		play(3)
		judge("")
		h.do(t, bus.SeatInput{Seat: 0, Act: "undo"}, "") // before it is known
		time.Sleep(2 * time.Second)
		if s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 4 }); s.Sure != nil || s.Hints != 0 {
			t.Errorf("a turn that was taken back is doubted: %+v", s)
		}
		if want := [][2]int{{1, 0}, {3, 2}, {3, 2}}; !slices.Equal(judged, want) {
			t.Errorf("judged are %v, not %v", judged, want)
		}
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		h.result(t, "g")
		end()
	})
}
