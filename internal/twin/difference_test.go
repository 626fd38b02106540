package twin_test

import (
	"strings"
	"testing"

	"kibitz/internal/twin"
)

func TestDifference(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ a, b, want string }{
		{"one\ntwo\nthree", "one\ntoo\nthree", "line 2\ntwo\ntoo"},
		{"one\ntwo", "one\ntwo, too", "line 2\ntwo\ntwo, too"},
		{long + "a" + long, long + "b" + long, "line 1\n" + long[:200] + "a" + long[:199] + "\n" + long[:200] + "b" + long[:199]},
		{"one", "one\ntwo\nthree", "1 and 3 lines\ntwo\nthree"},
	} {
		if got := twin.Difference(c.a, c.b); got != c.want {
			t.Errorf("%.20q and %.20q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
