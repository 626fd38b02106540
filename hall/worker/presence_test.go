package worker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// present is what an audience is told of who is there: seat, state, for how long it was so when it was
// told, after how long the absence ends the game, and how.
func (h *hall) present(t *testing.T, to game.Audience) (out []string) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.live[to] {
		ev, err := journal.ParseEvent(l.Line)
		if err != nil {
			t.Fatal(err)
		}
		p := ev.Presence
		switch {
		case p == nil:
		case !p.Away:
			out = append(out, fmt.Sprintf("%d here", p.Seat))
		case p.Lapses.IsZero():
			out = append(out, fmt.Sprintf("%d away %s", p.Seat, ev.Time.Sub(p.Since)))
		default:
			out = append(out, fmt.Sprintf("%d away %s, %s in %s", p.Seat, ev.Time.Sub(p.Since), p.Ends, p.Lapses.Sub(p.Since)))
		}
	}
	return out
}

// All who watch are told who is there; that somebody is away after 12 s, with what comes of it.
func TestPresence(t *testing.T) {
	for name, c := range map[string]struct {
		clock string
		acts  []string
		want  string
	}{
		"stays":                        {"", []string{"come", "40s", "come", "40s"}, "0 here"},
		"a page that is loaded anew":   {"", []string{"move", "go", "11s", "come", "9s"}, "0 here"},
		"away and back":                {"", []string{"move", "go", "20s", "come", "20s"}, "0 here, 0 away 12s, disconnect in 30s, 0 here"},
		"away twice":                   {"", []string{"move", "go", "13s", "come", "go", "13s"}, "0 here, 0 away 12s, disconnect in 30s, 0 here, 0 away 12s, disconnect in 30s"},
		"away before the first move":   {"3600", []string{"come", "go", "13s"}, "0 here, 0 away 12s, abort in 30s"},
		"has not come yet":             {"", []string{"13s"}, "0 away 12s, abort in 30s"},
		"away where the clock decides": {"3600", []string{"move", "go", "13s", "move"}, "0 here, 0 away 12s, 0 here"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
				p := people("othello", bus.BotSeat)
				p.Seats[0].Clock, p.Show = c.clock, true
				h.add(p)
				h.state(t, 0, "begun", func(s bus.SeatState) bool { return s.Away })
				for _, a := range c.acts {
					h.visit(t, 0, a)
				}
				seat, public := h.present(t, game.ToFirst), h.present(t, game.Public)
				if got := strings.Join(seat, ", "); got != c.want {
					t.Errorf("told %q, want %q", got, c.want)
				}
				if !slices.Equal(seat, public) {
					t.Errorf("the seat is told %q, others %q", seat, public)
				}
				end()
			})
		})
	}
}

// An engine that plays from elsewhere is there, away and back as a person is.
func TestPresenceOfEngines(t *testing.T) {
	for clock, ends := range map[string]string{"": ", disconnect in 30s", "3600": ""} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
			p := people("othello", bus.RemoteSeat)
			p.Seats[1].Clock = clock
			h.add(p)
			far := joinFar(t, h, game.Second, random.New(random.Options{Seed: 1}))
			h.visit(t, 0, "come")
			h.visit(t, 0, "2s")
			h.mu.Lock()
			link := h.seats[1]
			h.seats[1] = nil // the line is cut
			h.mu.Unlock()
			h.visit(t, 0, "13s")
			h.mu.Lock()
			h.seats[1] = link
			h.mu.Unlock()
			h.visit(t, 0, "2s")
			seat, public := h.present(t, game.ToFirst), h.present(t, game.Public)
			if want := []string{"1 here", "0 here", "1 away 12s" + ends, "1 here"}; !slices.Equal(sorted(seat), sorted(want)) || !slices.Equal(seat[2:], want[2:]) {
				t.Errorf("told %q, want %q", seat, want)
			}
			if !slices.Equal(seat, public) {
				t.Errorf("the seat is told %q, others %q", seat, public)
			}
			h.visit(t, 0, "move")
			h.do(t, bus.SeatInput{Seat: 0, Act: "resign"}, "")
			h.result(t, "g")
			far()
			end()
		})
	}
}

// sorted is a list in order: who came first does not matter.
func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// Who begins to look on is told who is there at that moment.
func TestPresenceLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(0), ID: "w"})
		p := people("othello", bus.PersonSeat)
		p.Seats[1].Grace = time.Hour
		h.add(p)
		h.visit(t, 0, "move")
		h.visit(t, 1, "come")
		h.visit(t, 1, "go")
		h.visit(t, 0, "13s")
		h.mu.Lock()
		s, err := h.syncs["g"](game.ToFirst)
		h.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range s.Lines {
			if ev, err := journal.ParseEvent(l); err != nil {
				t.Fatal(err)
			} else if x := ev.Presence; x != nil {
				got = append(got, fmt.Sprint(x.Seat, x.Away))
			}
		}
		if want := []string{"first false", "second true"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		end()
	})
}
