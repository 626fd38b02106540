package journal

import (
	"testing"
	"time"
)

// The quick form of a time is the one that the general form gives.
func TestAppendTime(t *testing.T) {
	zone := time.FixedZone("", -5*3600-1800)
	var s stamp // remembers the second before
	for _, at := range []time.Time{
		{},
		time.Unix(0, 0), time.Unix(1763712000, 123456789), time.Unix(-62135596801, 0), time.Unix(253402300800, 999999999),
		time.Date(2024, 2, 29, 23, 59, 59, 999999999, zone), time.Date(9, 1, 2, 3, 4, 5, 6000, time.UTC),
	} {
		if got, want := string(appendTime(nil, at)), at.UTC().Format(timeForm); got != want {
			t.Errorf("%v is written %s instead of %s", at, got, want)
		}
		for _, more := range []time.Duration{0, 1000, 999 * time.Millisecond, -time.Hour} {
			if got, want := string(s.append([]byte("x"), at.Add(more))), "x"+at.Add(more).UTC().Format(timeForm); got != want {
				t.Errorf("%v is written %s instead of %s", at.Add(more), got, want)
			}
		}
	}
}

func FuzzAppendTime(f *testing.F) {
	f.Add(int64(1763712000), int64(1))
	f.Fuzz(func(t *testing.T, sec, nano int64) {
		at := time.Unix(sec%(1<<40), nano)
		if got, want := string(appendTime(nil, at)), at.UTC().Format(timeForm); got != want {
			t.Errorf("%v is written %s instead of %s", at, got, want)
		}
	})
}

func BenchmarkAppendTime(b *testing.B) {
	at := time.Unix(1763712000, 123456789)
	var buf []byte
	for b.Loop() {
		buf = appendTime(buf[:0], at)
	}
	b.SetBytes(int64(len(buf)))
}
