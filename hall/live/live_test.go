package live

import "testing"

// What a seat did itself and what others are told of it are one step, also when steps are
// taken back.
func TestOneStep(t *testing.T) {
	own := Entry{By: "first", Ended: true, Notices: []Notice{{Kind: "played", By: "first", Move: "p1,1"}, {Kind: "moved", By: "first"}}}
	other := Entry{By: "second", Ended: true, Notices: []Notice{{Kind: "moved", By: "second"}}}
	if left := rewound([]Entry{other, own, other, own}, 3); len(left) != 1 {
		t.Errorf("of four steps three were taken back, %d are left", len(left))
	}
}

// A budget that has run out is followed by the next one, and none falls while time is free.
func TestAfter(t *testing.T) {
	main := Clock{Left: 5000, Next: 30_000, More: 2}
	for _, c := range []struct {
		clock     Clock
		ran, want int64
	}{
		{main, 4000, 1000},
		{main, 6000, 29_000},
		{main, 35_500, 29_500},
		{main, 66_000, -1000},
		{Clock{Left: 10_000}, 12_000, -2000},
		{Clock{Left: 10_000, Free: 3000}, 2000, 10_000},
		{Clock{Left: 10_000, Free: 3000}, 5000, 8000},
	} {
		if got := c.clock.After(c.ran); got != c.want {
			t.Errorf("%+v after %d: %d, want %d", c.clock, c.ran, got, c.want)
		}
	}
}
