package hub

import (
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
)

// Clocks are told from the beginning on, each with what a page needs to count it on.
func TestClocks(t *testing.T) {
	type use struct {
		used  time.Duration
		ended bool
		want  live.Clock
	}
	for control, c := range map[string]struct {
		start live.Clock
		uses  []use
	}{
		"60+2": {live.Clock{Left: 60_000}, []use{{5 * time.Second, true, live.Clock{Left: 57_000, Total: 5000}}}},
		"st=10": {live.Clock{Left: 10_000}, []use{
			{4 * time.Second, false, live.Clock{Left: 6000, Total: 4000}},
			{time.Second, true, live.Clock{Left: 10_000, Total: 5000}},
		}},
		"20 byo=2x30": {live.Clock{Left: 20_000, Next: 30_000, More: 2, Periods: 2}, []use{
			{25 * time.Second, true, live.Clock{Left: 30_000, Next: 30_000, More: 1, Total: 25_000, Moves: 1, Periods: 2, Stage: 1}},
			{40 * time.Second, true, live.Clock{Left: 30_000, Total: 65_000, Moves: 1, Periods: 1, Stage: 1}},
		}},
		"20 canadian=60/5": {live.Clock{Left: 20_000, Next: 60_000, More: 1}, []use{
			{30 * time.Second, true, live.Clock{Left: 50_000, Total: 30_000, Moves: 4, Stage: 2}},
		}},
		"20 overtime=9": {live.Clock{Left: 20_000, Next: 9000, More: 1}, []use{{22 * time.Second, true, live.Clock{Left: 7000, Total: 22_000, Stage: 3}}}},
		"20 delay=3": {live.Clock{Left: 20_000, Free: 3000}, []use{
			{2 * time.Second, false, live.Clock{Left: 20_000, Free: 1000, Total: 2000}},
			{2 * time.Second, true, live.Clock{Left: 19_000, Free: 3000, Total: 4000}},
		}},
	} {
		own, err := clock.Parse(control)
		if err != nil {
			t.Fatal(err)
		}
		b := newBuilder("g", game.Public, 1, &Meta{})
		k := clock.New(own)
		_, err = b.add(1, &journal.Event{To: game.Public, Start: &journal.Start{Controls: [2]clock.Control{own, own}}})
		if got := b.state.Clocks; err != nil || got == nil || got[0] != c.start || got[1] != c.start {
			t.Fatalf("%s: begins with %+v, %v", control, got, err)
		}
		for i, u := range c.uses {
			if k = k.Spend(u.used); u.ended {
				k = k.EndTurn()
			}
			_, err = b.add(uint64(i+2), &journal.Event{To: game.Public, Decision: &journal.Decision{
				Used: u.used, Ended: u.ended, Clocks: [2]journal.Clock{journal.ClockOf(k), {}},
			}})
			b.whole()
			if got := b.state.Clocks[0]; err != nil || got != u.want {
				t.Errorf("%s, after decision %d: %+v, want %+v, %v", control, i+1, got, u.want, err)
			}
		}
	}
	b := newBuilder("g", game.Public, 1, &Meta{})
	if _, err := b.add(1, &journal.Event{To: game.Public, Start: &journal.Start{}}); err != nil || b.state.Clocks != nil {
		t.Errorf("without clocks: %+v, %v", b.state.Clocks, err)
	}
}

// The end of a game tells how the clocks stand; where an older worker does not, they stay.
func TestClocksOfTheEnd(t *testing.T) {
	b := newBuilder("g", game.Public, 1, &Meta{})
	k := [2]journal.Clock{{Left: 57 * time.Second}, {Left: 40 * time.Second, Total: 20 * time.Second, Periods: 2}}
	for i, c := range []struct {
		ev   journal.Event
		left int64
	}{
		{journal.Event{To: game.Public, Rewind: &journal.Rewind{Clocks: [2]journal.Clock{k[0], {Left: time.Minute}}}}, 0},
		{journal.Event{To: game.Public, View: &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}}, 60_000},
		{journal.Event{To: game.Public, Result: &journal.Result{}}, 60_000},
		{journal.Event{To: game.Public, Result: &journal.Result{Clocks: &k}}, 40_000},
	} {
		if _, err := b.add(uint64(i+1), &c.ev); err != nil {
			t.Fatal(err)
		}
		if s := b.state.Clocks; c.left > 0 && (s == nil || s[0].Left != 57_000 || s[1].Left != c.left) {
			t.Errorf("after event %d: %+v", i+1, s)
		}
	}
	if s := b.state.Clocks; s[1] != (live.Clock{Left: 40_000, Total: 20_000, Periods: 2}) {
		t.Errorf("%+v", s)
	}
}

// With a limit for each turn alone the end tells what was left of the turn that ended without a decision.
func TestLimitAtTheEnd(t *testing.T) {
	c := clocks{controls: [2]clock.Control{{Turn: 10 * time.Second}, {Turn: 10 * time.Second}}}
	c.start(c.controls)
	c.spend(game.First, 3*time.Second, true)
	c.at([2]journal.Clock{{Total: 3 * time.Second}, {}})
	got := c.end([2]journal.Clock{{Total: 3 * time.Second}, {Total: 4 * time.Second}})
	if got[0].Left != 10_000 || got[1].Left != 6_000 {
		t.Errorf("%+v", got)
	}
}
