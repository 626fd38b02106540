package standing

import (
	"testing"

	"kibitz/game"
)

// TestFailures: the words are those of what happened.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		list []game.Reason
		want string
	}{
		{nil, ""},
		{[]game.Reason{game.ByResource, game.ByResource}, "it went beyond a limit"},
		{[]game.Reason{game.ByStart}, "it never became ready"},
		{[]game.Reason{game.ByResource, game.ByCrash, game.ByResource}, "it crashed (1), it went beyond a limit (2)"},
		{[]game.Reason{game.ByStall, game.ByProtocol}, "it fell silent (1), it broke its protocol (1)"},
	} {
		var f Failures
		for _, why := range c.list {
			f.add(why)
		}
		if f.String() != c.want || f.Games() != len(c.list) {
			t.Errorf("%v: %q of %d games, want %q", c.list, f.String(), f.Games(), c.want)
		}
	}
}
