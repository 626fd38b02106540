package site

import (
	"testing"
	"time"

	"kibitz/game/wire"
	"kibitz/hall/live"
)

// The clock of the seat on turn runs on from the latest event, but not after the end of the game.
func TestPlainClock(t *testing.T) {
	s := &live.State{View: &wire.View{}, Clocks: &[2]live.Clock{{Left: 60_000}, {Left: 50_000}}, At: 1000}
	s.View.Seat = "second"
	for _, want := range []string{"0:41", "0:50"} {
		if first, second := plainClock(s, 0, time.UnixMilli(10_000)), plainClock(s, 1, time.UnixMilli(10_000)); first != "1:00" || second != want {
			t.Errorf("%s and %s, want 1:00 and %s", first, second, want)
		}
		s.Result = &live.Result{}
	}
}

// A clock says hours as the one of the page with scripts does.
func TestPlainTime(t *testing.T) {
	for left, want := range map[time.Duration]string{
		-time.Second: "0:00", 100 * time.Millisecond: "0:01", 59*time.Minute + 59*time.Second: "59:59", time.Hour: "1:00:00",
		2*time.Hour - time.Second: "1:59:59", 30 * time.Hour: "30:00:00",
	} {
		if got := plainTime(left); got != want {
			t.Errorf("%v is %s, want %s", left, got, want)
		}
	}
}
