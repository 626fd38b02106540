package gtp_test

import (
	"context"
	"testing"

	"kibitz/game"
)

// TestFollow tells a program that is never asked for a move of each one at once, and asks
// for a word of its own, before a game and at its end.
func TestFollow(t *testing.T) {
	d := newDriver(t, game.Nobody, conversation(t, "follow.txt"), nil)
	ctx := context.Background()
	if text, ok, err := d.host.Ask(ctx, "version"); text != "3" || !ok || err != nil {
		t.Fatalf("%q, %v, %v", text, ok, err)
	}
	if err := d.start("nogo:size=4", untimed, "a1"); err != nil {
		t.Fatal(err)
	}
	for _, move := range []string{"b2", "c3"} {
		d.tell(move)
		if err := d.host.Follow(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if text, ok, err := d.host.Ask(ctx, "final_score"); text != "B+2" || !ok || err != nil {
		t.Errorf("%q, %v, %v", text, ok, err)
	}
	if text, ok, err := d.host.Ask(ctx, "cputime"); text != "unknown command" || ok || err != nil {
		t.Errorf("%q, %v, %v", text, ok, err)
	}
	d.tell("d4")
	if err := d.host.Follow(ctx); err == nil {
		t.Error("a refused move is no error")
	}
	if err := d.host.Follow(ctx); err == nil {
		t.Error("the game goes on after a refused move")
	}
}
