package worker

import (
	"testing"

	"kibitz/game"
	"kibitz/journal"
)

// Whoever comes late to a game in which a seat has boards of its own is told the latest
// of them too, though the latest board of all is the public's.
func TestSyncHasTheSeatsOwnBoard(t *testing.T) {
	l := &live{bus: &line{hall: newHall()}, stopped: func() bool { return false }, alone: func() bool { return true }, game: "g", attempt: 1}
	for _, to := range []game.Audience{game.ToFirst, game.Public} {
		l.streams = append(l.streams, &stream{to: to, views: [2]int{-1, -1}})
	}
	for n := range 3 {
		for _, to := range []game.Audience{game.ToFirst, game.Public} {
			l.add(&journal.Event{Game: "g", To: to, Kind: journal.KindView, View: &game.View{For: to, Width: 1, Height: 1, Cells: make([]game.Cell, 1), Notes: []game.Note{{Text: string(rune('a' + n))}}}})
		}
	}
	for to, want := range map[game.Audience][]game.Audience{game.ToFirst: {game.ToFirst, game.Public}, game.Public: {game.Public}} {
		s, err := l.sync(to)
		if err != nil || len(s.Lines) != len(want) {
			t.Fatalf("%s is told %d lines, want the latest boards of %v: %v", to, len(s.Lines), want, err)
		}
		for i, line := range s.Lines {
			if ev, err := journal.ParseEvent(line); err != nil || ev.View == nil || ev.View.For != want[i] || ev.View.Notes[0].Text != "c" {
				t.Errorf("%s, line %d: %+v %v", to, i, ev.View, err)
			}
		}
	}
}
