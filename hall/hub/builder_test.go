package hub

import (
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
)

// What a third engine says comes at any time: alone it is a delta of its own that leaves
// the clocks as they are, and within a decision it goes with it.
func TestKibitz(t *testing.T) {
	now := time.UnixMilli(5000)
	said := journal.Event{Time: now.Add(time.Second), To: game.Public, Said: &journal.Said{By: game.Nobody, Ply: 3, Info: game.Info{Depth: 7}}}
	decision := journal.Event{Time: now, To: game.Public, Decision: &journal.Decision{Steps: []game.Move{game.PassMove()}}}
	view := journal.Event{Time: now, To: game.Public, View: &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}}
	add := func(b *builder, seq uint64, ev journal.Event) *live.Delta {
		t.Helper()
		d, err := b.add(seq, &ev)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	b := newBuilder("g", game.Public, 1, &Meta{})
	add(b, 1, decision)
	add(b, 2, view)
	if d := add(b, 3, said); d == nil || d.Seq != 3 || d.At != 5000 || d.Kibitz == nil || d.Kibitz.Ply != 3 || d.Kibitz.Depth != 7 || len(d.Entries) > 0 {
		t.Errorf("alone: %+v", d)
	}
	if s := b.state; s.Kibitz == nil || s.Kibitz.Ply != 3 || s.At != 5000 || s.Said != [2]*live.Said{} {
		t.Errorf("%+v", s)
	}
	add(b, 4, decision)
	if d := add(b, 5, said); d != nil {
		t.Errorf("in the middle: %+v", d)
	}
	if d := add(b, 6, view); d == nil || d.Kibitz == nil || len(d.Entries) != 1 || d.Seq != 6 || d.Prev != 3 {
		t.Errorf("with the board: %+v", d)
	}
	// So does what an engine says while it thinks, to those who may know it.
	thinks := journal.Event{Time: now.Add(time.Minute), To: game.Public, Said: &journal.Said{By: game.Second, Live: true, Info: game.Info{Depth: 9}}}
	b.lines = true
	if d := add(b, 7, thinks); d == nil || d.Said[1] == nil || d.Said[1].Depth != 9 || d.At != 5000 || len(d.Entries) > 0 {
		t.Errorf("an engine thinks: %+v", d)
	}
	b.lines = false
	if d := add(b, 8, thinks); d == nil || d.Said[1] != nil {
		t.Errorf("an engine thinks, which is not shown: %+v", d)
	}
}

// While a game waits its clocks stand as they were, and go on from when it goes on. A pause tells what they
// show then; before it, while an engine thinks, they run.
func TestWait(t *testing.T) {
	at := func(ms int64, ev journal.Event) journal.Event {
		ev.Time, ev.To = time.UnixMilli(ms), game.Public
		return ev
	}
	stood := &[2]journal.Clock{{Left: 7 * time.Second}, {Left: 8 * time.Second}}
	b := newBuilder("g", game.Public, 1, &Meta{})
	for i, c := range []struct {
		ev   journal.Event
		at   int64
		wait *live.Wait
	}{
		{at(5000, journal.Event{View: &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}}), 5000, nil},
		{at(6000, journal.Event{Wait: &journal.Wait{For: journal.ForProcessor, Before: 2, Of: 3, About: 4}}), 5000, &live.Wait{For: "processor", Before: 2, Of: 3, About: 4}},
		{at(7000, journal.Event{Wait: &journal.Wait{For: journal.ForProcessor, Of: 2}}), 5000, &live.Wait{For: "processor", Before: 0, Of: 2, About: 0}},
		{at(8000, journal.Event{Wait: &journal.Wait{}}), 8000, nil},
		{at(9000, journal.Event{Wait: &journal.Wait{For: journal.ForAnswer, By: "Ada"}}), 8000, &live.Wait{For: "answer", By: "Ada"}},
		{at(9500, journal.Event{Wait: &journal.Wait{}}), 8000, nil},
		{at(10_000, journal.Event{Wait: &journal.Wait{For: journal.ForPause, By: "Ada", Ruled: true, Clocks: stood}}), 10_000, &live.Wait{For: "pause", By: "Ada", Ruled: true}},
		{at(20_000, journal.Event{Wait: &journal.Wait{Clocks: stood}}), 20_000, nil},
	} {
		d, err := b.add(uint64(i+1), &c.ev)
		if s := b.state; err != nil || d == nil || s.At != c.at || (s.Wait == nil) != (c.wait == nil) || c.wait != nil && *s.Wait != *c.wait {
			t.Errorf("after event %d: %+v, %+v, %v", i+1, d, s, err)
		}
	}
	if k := b.state.Clocks; k == nil || k[0].Left != 7000 || k[1].Left != 8000 {
		t.Errorf("the clocks show %+v", k)
	}
}

// A seat with boards of its own is not shown the public ones: what comes behind them is told
// at once, and not with the next move.
func TestBehindViews(t *testing.T) {
	own := game.To(game.Second)
	view := func(to game.Audience) journal.Event {
		return journal.Event{To: to, View: &game.View{For: to, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}}
	}
	for name, ev := range map[string]journal.Event{
		"who is there":         {Presence: &journal.Presence{Seat: game.First}},
		"what is asked":        {Asks: &journal.Asks{Num: 1, List: []journal.Ask{{Num: 1, What: "draw"}}}},
		"what is waited for":   {Wait: &journal.Wait{For: journal.ForProcessor, Of: 2}},
		"what is said":         {Said: &journal.Said{By: game.Nobody, Ply: 3}},
		"what is thought":      {Said: &journal.Said{By: game.First, Live: true}},
		"how the game ended":   {Result: &journal.Result{}},
		"a board of one's own": view(own),
	} {
		b := newBuilder("g", own, 1, &Meta{})
		for i, first := range []journal.Event{{To: game.Public, Start: &journal.Start{}}, view(own), view(game.Public)} {
			if _, err := b.add(uint64(i+1), &first); err != nil {
				t.Fatal(err)
			}
		}
		if ev.View == nil {
			ev.To = game.Public
		}
		if d, err := b.add(4, &ev); err != nil || d == nil || d.Prev != 2 || d.Seq != 4 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}
