package worker

import (
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// A third engine comments on a game for those who look on, on those who play only if the
// room is open, and on none that hides anything. It ends with the game.
func TestKibitzer(t *testing.T) {
	for _, c := range []struct {
		spec          game.Spec
		open          bool
		public, seats bool
	}{{"othello", false, true, false}, {"othello", true, true, true}, {"phantomgo:size=5", true, false, false}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			asked := 0
			h.analyse = func(q bus.Analysis, fn func(bus.Analysed) error) error {
				h.mu.Lock()
				asked++
				if _, over := h.over["g"]; over || q.Engine != "bot=3" || q.Hash != "abc" || q.Time > time.Second || q.Spec != c.spec {
					t.Errorf("asked for %+v", q)
				}
				h.mu.Unlock()
				if len(q.Moves) == 3 { // one of them finds no place
					return &bus.AskError{Code: bus.AnalysisBusy}
				}
				seat := game.Seat(len(q.Moves) % 2)
				for depth := range 3 {
					l := bus.AnalysedLine{Eval: game.Eval{Unit: game.Discs, Lo: 2, Hi: 2}, Depth: depth, Moves: []string{q.Moves[0]}}
					if err := fn(bus.Analysed{Ply: len(q.Moves), Seat: seat, Lines: []bus.AnalysedLine{l}, Final: depth == 2}); err != nil {
						return err
					}
				}
				return nil
			}
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w"})
			p := people(c.spec, bus.BotSeat)
			p.Show, p.Open, p.Kibitzer, p.KibitzerHash = true, c.open, "bot=3", "abc"
			h.add(p)
			for prompt := 1; prompt <= 3; prompt++ {
				st := h.state(t, game.First, "asked", func(st bus.SeatState) bool { return st.Prompt == prompt })
				h.do(t, bus.SeatInput{Seat: game.First, Prompt: prompt, Steps: st.Legal[:1]}, "")
			}
			h.state(t, game.First, "asked again", func(st bus.SeatState) bool { return st.Prompt == 4 })
			h.do(t, bus.SeatInput{Seat: game.First, Act: "resign"}, "")
			h.result(t, "g")
			end()
			for to, want := range map[game.Audience]bool{game.Public: c.public, game.ToFirst: c.seats} {
				numbered(t, h.live[to], to)
				plies := map[int]bool{}
				for _, l := range h.live[to] {
					ev, err := journal.ParseEvent(l.Line)
					if err != nil {
						t.Fatal(err)
					}
					if ev.Said == nil || ev.Said.By != game.Nobody {
						continue
					}
					x := ev.Said
					plies[x.Ply] = true
					if eval := float64(2 - 4*(x.Ply%2)); x.Info.Depth != 2 || x.Info.Eval.Lo != eval || len(x.Info.PV) != 1 {
						t.Errorf("after %d steps it says %+v", x.Ply, x.Info)
					}
				}
				if (len(plies) > 2) != want || plies[3] || plies[0] {
					t.Errorf("%s for %s: it speaks of %v", c.spec, to, plies)
				}
			}
			if (asked > 0) != c.public {
				t.Errorf("%s: asked %d times", c.spec, asked)
			}
		})
	}
}
