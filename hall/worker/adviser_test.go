package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/player"
)

// wise is a player who writes down all that he is given, and chooses the last legal decision.
type wise struct {
	steady
	told *strings.Builder
	took time.Duration
}

func (w *wise) NewGame(_ context.Context, s *player.Setup) error {
	x := *s
	x.View, x.History = nil, nil
	fmt.Fprintf(w.told, "%+v\n", x)
	for i := range s.History {
		u := s.History[i].Clone()
		u.Used, u.Clocks, u.Info = 0, x.Clocks, nil
		fmt.Fprintf(w.told, "%+v\n", u)
	}
	fmt.Fprintf(w.told, "%+v\n", s.View.View())
	return nil
}

func (w *wise) Choose(_ context.Context, q *player.Prompt) (player.Answer, error) {
	time.Sleep(w.took)
	legal := q.Moves.Legal(nil)
	fmt.Fprintf(w.told, "%s %+v %v %d %d %+v\n", q.Seat, q.Turn, legal, q.Again, q.Rejected, q.View.View())
	best := legal[len(legal)-1]
	return player.Answer{Steps: []game.Move{best}, Info: game.Info{Eval: game.Eval{Unit: game.Points, Lo: 4, Hi: 4}, Depth: 7, PV: []game.Move{best, legal[0]}}}, nil
}

// Analyse has as many lines as are wanted, each worth more than the one before, and none in the
// first second, as on a busy machine.
func (w *wise) Analyse(_ context.Context, q player.Question, yield func(game.Info) bool) error {
	fmt.Fprintf(w.told, "%+v\n", q)
	if q.Budget < 2*hintTime {
		return nil
	}
	for i := range q.Lines {
		m := game.PlaceAt(game.Point{X: int8(i), Y: 0})
		yield(game.Info{PV: []game.Move{m}, Eval: game.Eval{Unit: game.Points, Lo: float64(i), Hi: float64(i)}, Depth: q.Lines})
	}
	return nil
}

// withAdviser adds an adviser to the games of a build.
func withAdviser(build func(context.Context, *bus.Play) (*Setup, error), took time.Duration) (func(context.Context, *bus.Play) (*Setup, error), *strings.Builder) {
	told := &strings.Builder{}
	return func(ctx context.Context, p *bus.Play) (*Setup, error) {
		s, err := build(ctx, p)
		if err == nil {
			s.Advise = func() (player.Player, error) { return &wise{told: told, took: took}, nil }
		}
		return s, err
	}, told
}

// A person who plays an engine is told more with each hint, and each counts once. Nothing of
// it keeps an act waiting, and what was advised about one question is forgotten at the next.
func TestHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		build, _ := withAdviser(steadySetup(10*time.Second), 800*time.Millisecond)
		_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w", Slots: 1})
		h.add(people("othello", bus.BotSeat))
		s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == 1 })
		best := s.Legal[len(s.Legal)-1]
		hint := func(id, code string) { h.do(t, bus.SeatInput{Seat: 0, Act: "hint", ID: id}, code) }
		hint("a", "")
		hint("a", "")
		s = h.state(t, 0, "thinks", func(s bus.SeatState) bool { return s.Hint != nil })
		if s.Hint.Level != 0 || s.Hints != 0 || s.Hint.Near != nil {
			t.Errorf("before anything was found: %+v", s.Hint)
		}
		s = h.state(t, 0, "first hint", func(s bus.SeatState) bool { return s.Hint != nil && s.Hint.Level > 0 })
		if s.Hint.Level != bus.HintNear || s.Hints != 1 || s.Hint.Steps != nil || s.Hint.Why != nil || !slices.Contains(s.Hint.Near, best) {
			t.Errorf("the first hint is %+v, of %v", s.Hint, s.Legal)
		}
		hint("b", "")
		s = h.state(t, 0, "second hint", func(s bus.SeatState) bool { return s.Hint.Level == bus.HintMove })
		if s.Hints != 2 || !slices.Equal(s.Hint.Steps, []string{best}) || s.Hint.Why != nil || s.Hint.Near != nil {
			t.Errorf("the second hint is %+v", s.Hint)
		}
		hint("c", "")
		s = h.state(t, 0, "third hint", func(s bus.SeatState) bool { return s.Hint.Level == bus.HintWhy })
		if w := s.Hint.Why; s.Hints != 3 || w == nil || *w.Lo != 4 || w.Depth != 7 || len(w.Line) != 2 {
			t.Errorf("the third hint is %+v, %+v", s.Hint, s.Hint.Why)
		}
		hint("d", "")
		s = h.state(t, 0, "fourth hint", func(s bus.SeatState) bool { return s.Hint.Level == bus.HintList })
		if l := s.Hint.Lines; s.Hints != 4 || len(l) != bus.HintLines || *l[0].Lo != 4 || *l[4].Lo != 0 || s.Hint.Why == nil {
			t.Errorf("the fourth hint is %+v", s.Hint)
		}
		hint("d2", "") // there is no fifth
		h.do(t, bus.SeatInput{Seat: 0, Act: "hint", ID: "d3", Lines: 2}, "")
		s = h.state(t, 0, "two decisions", func(s bus.SeatState) bool { return len(s.Hint.Lines) == 2 })
		if l := s.Hint.Lines; s.Hints != 4 || *l[0].Lo != 1 || l[0].Depth != 2 || len(l[1].Line) != 1 {
			t.Errorf("two decisions are %+v", s.Hint)
		}
		h.do(t, bus.SeatInput{Seat: 0, Prompt: 1, Steps: []string{best}}, "")
		h.state(t, 0, "not asked", func(s bus.SeatState) bool { return s.Prompt == 0 && s.Hint == nil })
		hint("e", "refused") // it is the other's turn
		h.state(t, 0, "asked again", func(s bus.SeatState) bool { return s.Prompt == 2 && s.Hint == nil && s.Hints == 4 })
		h.do(t, bus.SeatInput{Seat: 0, Act: "hint", ID: "f", Lines: 3}, "")
		h.do(t, bus.SeatInput{Seat: 0, Act: "undo"}, "") // at once, though somebody thinks
		s = h.state(t, 0, "asked for the first move", func(s bus.SeatState) bool { return s.Prompt == 3 })
		if s.Hint != nil || s.Hints != 4 {
			t.Errorf("a hint about another question: %+v", s)
		}
		h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
		if r := h.result(t, "g"); r.Hints != [2]int{4, 0} {
			t.Errorf("%d hints are in the result", r.Hints)
		}
		end()
		for to, list := range h.live {
			for _, l := range list {
				if strings.Contains(string(l.Line), `"hints"`) {
					t.Errorf("%s is told of hints: %s", to, l.Line)
				}
			}
		}
	})
}

// Nobody is advised against people, nor where a game counts.
func TestNoHints(t *testing.T) {
	for name, change := range map[string]func(p *bus.Play){
		"a person":         func(p *bus.Play) { p.Seats[1].Kind = bus.PersonSeat },
		"somebody's":       func(p *bus.Play) { p.Seats[1].Kind = bus.RemoteSeat; p.Seats[1].Grace = time.Hour },
		"a rated game":     func(p *bus.Play) { p.Rated = true },
		"in a competition": func(p *bus.Play) { p.Round = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				build, told := withAdviser(steadySetup(0), 0)
				_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w"})
				p := people("othello", bus.BotSeat)
				change(&p)
				h.add(p)
				h.until(t, "the seat is served", func() bool { return h.inputs[0] != nil })
				h.do(t, bus.SeatInput{Seat: 0, Act: "hint"}, "refused")
				h.mu.Lock()
				abort := h.orders["g"]
				h.mu.Unlock()
				abort(bus.Order{Game: "g", Kind: "abort"})
				h.result(t, "g")
				if told.Len() > 0 {
					t.Error("somebody was asked: " + told.String())
				}
				end()
			})
		})
	}
}

// The number of hints outlives a worker that is shut down.
func TestHintsAfterPark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		build, _ := withAdviser(steadySetup(0), 0)
		for n := 1; n <= 3; n++ {
			w, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: fmt.Sprint("w", n)})
			if n == 1 {
				h.add(people("othello", bus.BotSeat))
			} else {
				h.mu.Lock()
				p := h.plays["g"]
				p.Resume = h.logs["g"]
				delete(h.over, "g")
				h.mu.Unlock()
				h.add(p)
			}
			s := h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt > 0 && s.Hints == n-1 && s.Attempt == n })
			h.do(t, bus.SeatInput{Seat: 0, Act: "hint"}, "")
			h.state(t, 0, "hint", func(s bus.SeatState) bool { return s.Hints == n })
			if n == 3 {
				h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
				if r := h.result(t, "g"); r.Hints != [2]int{3, 0} {
					t.Errorf("%d hints are in the result", r.Hints)
				}
				end()
				return
			}
			h.do(t, bus.SeatInput{Seat: 0, Prompt: s.Prompt, Steps: s.Legal[:1]}, "")
			h.state(t, 0, "asked again", func(x bus.SeatState) bool { return x.Prompt > s.Prompt })
			w.Park()
			end()
		}
	})
}

// Who advises a seat of Phantom Go is told the same in games that differ in nothing that the
// seat may know, and so is the seat.
func TestTwinHints(t *testing.T) {
	r, err := games.Open("phantomgo:size=5,maxplies=40")
	if err != nil {
		t.Fatal(err)
	}
	compared, different := 0, 0
	for seed := range uint64(6) {
		a, b, _, err := twin.Pair(r, game.First, 30, seed)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Seats[0]) < 10 {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			var out [2]string
			for i, g := range []*twin.Game{&a, &b} {
				p := people(r.Spec(), bus.BotSeat)
				p.Seats[0].Clock, p.Seats[1].Clock, p.Seed = "600+1", "600+1", []byte{byte(i)}
				hidden := &scripted{turns: slices.Clone(g.Seats[1])}
				build, told := withAdviser(twinSetup(r, [2]*scripted{nil, hidden}, nil), 100*time.Millisecond)
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w"})
				h.add(p)
				n := 0
				for _, turn := range g.Seats[0][:9] {
					for _, m := range turn {
						n++
						h.state(t, 0, "asked", func(s bus.SeatState) bool { return s.Prompt == n })
						var s bus.SeatState
						for n := range bus.HintList {
							h.do(t, bus.SeatInput{Seat: 0, Act: "hint"}, "")
							s = h.state(t, 0, "hint", func(s bus.SeatState) bool { return s.Hint != nil && s.Hint.Level == n+1 })
						}
						data, err := json.Marshal(s.Hint)
						if err != nil {
							t.Fatal(err)
						}
						out[i] += string(data) + "\n"
						h.do(t, bus.SeatInput{Seat: 0, Prompt: n, Steps: []string{journal.FormatMove(m)}}, "")
					}
				}
				h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
				h.result(t, "g")
				end()
				out[i] += told.String()
			}
			if out[0] != out[1] {
				t.Errorf("seed %d: %s", seed, twin.Difference(out[0], out[1]))
			}
			if len(out[0]) < 5000 {
				t.Errorf("too little was told: %s", out[0])
			}
			compared++
			if a.Final != b.Final {
				different++
			}
		})
	}
	if compared < 4 || different < 2 {
		t.Errorf("%d pairs, %d of them differ", compared, different)
	}
}
