package clock_test

import (
	"testing"

	"kibitz/clock"
)

func TestSpeedOf(t *testing.T) {
	for _, tt := range []struct {
		first, second string
		want          clock.Speed
	}{
		{"inf", "inf", clock.Untimed},
		{"60", "inf", clock.Untimed},
		{"60+0.5", "60+0.5", clock.Bullet},
		{"2:59", "2:59", clock.Bullet},
		{"3:00", "3:00", clock.Blitz},
		{"60+3", "60+3", clock.Blitz}, // 60 + 40 × 3 = 180
		{"60+2.9", "60+3", clock.Blitz},
		{"15:00", "15:00", clock.Rapid},
		{"25:00", "25:00", clock.Classical},
		{"st=1", "st=1", clock.Bullet},
		{"st=30", "st=30", clock.Rapid},
		{"15:00 st=5", "15:00 st=5", clock.Blitz},     // never more than 200 s
		{"20/60", "20/60", clock.Bullet},              // two periods
		{"10/60", "10/60", clock.Blitz},               // four
		{"1 byo=5x30", "1 byo=5x30", clock.Rapid},     // 1 + 40 × 30 = 1201
		{"1 byo=1x30/3", "1 byo=1x30/3", clock.Blitz}, // 401
		{"1 canadian=600/20", "1 canadian=600/20", clock.Rapid},
		{"hourglass=60", "hourglass=60", clock.Bullet},
		{"2:00 overtime=2:00", "2:00 overtime=2:00", clock.Blitz},
		{"1 delay=5", "1 bronstein=5", clock.Blitz},
	} {
		first, err := clock.Parse(tt.first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := clock.Parse(tt.second)
		if err != nil {
			t.Fatal(err)
		}
		if got := clock.SpeedOf(first, second); got != tt.want {
			t.Errorf("%q and %q are %s (%s and %s), want %s", tt.first, tt.second, got, first.Expected(), second.Expected(), tt.want)
		}
	}
}
