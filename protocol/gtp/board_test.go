package gtp

import (
	"fmt"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/player"
)

// TestBoardBack takes back after the engine has been brought to the game: whole turns
// of several points are not taken back one by one, single points are.
func TestBoardBack(t *testing.T) {
	stone := func(x int) game.Move { return game.PlaceAt(game.Pt(x, 0)) }
	for _, tt := range []struct {
		style  style
		rewind int
		moves  int
		can    bool
	}{
		{whole, 0, 0, true},
		{whole, 1, 0, false},
		{whole, 2, 0, false},
		{whole, 3, 0, false},
		{pointwise, 1, 1, true},
		{pointwise, 2, 2, true},
		{pointwise, 3, 3, true},
	} {
		var b board
		b.begin(tt.style)
		b.add(stone(0), game.Black, false)
		b.endTurn()
		b.add(stone(1), game.White, false)
		b.add(stone(2), game.White, false)
		b.endTurn()
		b.answered([]game.Move{stone(0)}, game.Black)
		b.answered([]game.Move{stone(1), stone(2)}, game.White)
		if moves, can := b.back(); moves != 0 || !can {
			t.Fatalf("%v: %d moves are wrong, %v", tt, moves, can)
		}
		b.rewind(tt.rewind)
		if moves, can := b.back(); moves != tt.moves || can != tt.can {
			t.Errorf("%+v: %d, %v", tt, moves, can)
		}
	}
}

// TestBooksRewind takes back what one seat of Phantom Go was told. An event is a, r, m
// or p (accepted, refused, moved, passed), an own one in upper case.
func TestBooksRewind(t *testing.T) {
	for _, tt := range []struct {
		events string
		n      int
		next   game.Seat
		want   string
	}{
		{"m A m A", 1, game.Second, "m A m"},
		{"m A m R A m", 1, game.Second, "m A m"},
		{"m A m R A m R", 1, game.Second, "m A m"},
		{"m A m A m", 2, game.Second, "m"},
		{"m A m A", 1, game.First, "m A"},
		{"m A m R A", 1, game.First, "m A"},
		{"m A p P", 2, game.First, "m A"},
		{"m A p R A", 1, game.Second, "m A p"},
		{"m A p A", 2, game.First, "m A"},
		{"m A", 1, game.First, ""},
	} {
		var b books
		b.begin(game.Second)
		for w := range strings.FieldsSeq(tt.events) {
			u := player.Update{By: game.First}
			if strings.ToUpper(w) == w {
				u.By = game.Second
			}
			switch strings.ToLower(w) {
			case "a":
				u.Steps = []game.Move{game.PlaceAt(game.Pt(1, 1))}
			case "p":
				u.Steps = []game.Move{game.PassMove()}
			case "m":
				u.Notices = []game.Notice{{Kind: game.Moved, By: u.By}}
			case "r":
				u.Notices = []game.Notice{{Kind: game.Refused, By: u.By, Move: game.PlaceAt(game.Pt(2, 2))}}
			}
			b.tell(&u)
		}
		b.told = len(b.events)
		b.rewind(tt.n, game.Turn{Seat: tt.next})
		var got []string
		for _, e := range b.events {
			letter := map[string]string{phantomAccepted: "a", phantomRefused: "r", phantomMoved: "m", phantomPassed: "p"}[e.command]
			if e.by == game.Second {
				letter = strings.ToUpper(letter)
			}
			got = append(got, letter)
		}
		if text := strings.Join(got, " "); text != tt.want || !b.stale {
			t.Errorf("%s: %q, want %q, stale %v", fmt.Sprint(tt), text, tt.want, b.stale)
		}
	}
}
