package watchdog

import (
	"testing"
	"time"
)

// A watchdog that looks every 100 ms does not from 10 s to 13 s.
func TestWatchdog(t *testing.T) {
	zero := time.Unix(1000, 0)
	at := func(seconds float64) time.Time { return zero.Add(time.Duration(seconds * float64(time.Second))) }
	for _, tt := range []struct {
		what         string
		began, ended float64
		all, last    float64
	}{
		{"over before", 8, 9.5, 0, 0},
		{"answered before, read before", 9, 10, 0, 0},
		{"answered meanwhile", 9, 13, 3, 3},
		{"answered meanwhile, read a little later", 9, 13.02, 3, 3.02},
		{"begun meanwhile", 10.05, 13.01, 2.95, 2.96},
		{"answered afterwards", 9, 13.5, 3, 0},
		{"begun afterwards", 13.2, 14, 0, 0},
	} {
		for _, first := range []string{"the watchdog wakes first", "the reader wakes first"} {
			var now time.Time
			p := New(func() time.Time { return now })
			p.last = zero
			for i := range 150 {
				now = at(float64(i) / 10)
				if now.After(at(tt.ended)) && first != "the watchdog wakes first" {
					break
				}
				if i <= 100 || i >= 130 {
					p.note(now)
				}
			}
			all, last := p.Slept(at(tt.began), at(tt.ended))
			if near(all, tt.all) && near(last, tt.last) {
				continue
			}
			t.Errorf("%s, %s: %v, %v, want %v, %v", tt.what, first, all, last, tt.all, tt.last)
		}
	}
}

func near(d time.Duration, seconds float64) bool {
	return (d - time.Duration(seconds*float64(time.Second))).Abs() < time.Microsecond
}

// A watchdog that runs looks at the time.
func TestWatchdogRuns(t *testing.T) {
	p := New(time.Now)
	began := p.now()
	stop := p.Start()
	defer stop()
	looked := func() time.Time {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.last
	}
	last := looked()
	for n := 0; n < 600 && last.Sub(began) < gapLeast/2; n++ { // it may be woken late
		time.Sleep(interval)
		last = looked()
	}
	if last.Sub(began) < gapLeast/2 {
		t.Errorf("it looked last %v after the first", last.Sub(began))
	}
}
