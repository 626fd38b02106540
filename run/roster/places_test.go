package roster

import (
	"testing"

	"kibitz/run/engines"
)

func TestThreadsAtATime(t *testing.T) {
	for _, c := range []struct {
		threads []int
		ponder  bool
		want    int
	}{{[]int{0, 0}, false, 1}, {[]int{4, 1}, false, 4}, {[]int{0, 1}, true, 2}, {[]int{4, 2, 3}, true, 7}} {
		var list []*engines.Spec
		for i, n := range c.threads {
			list = append(list, &engines.Spec{Threads: n, Ponder: c.ponder && i == 0})
		}
		if got := Threads(list); got != c.want {
			t.Errorf("%v, ponder %v: %d instead of %d", c.threads, c.ponder, got, c.want)
		}
	}
}
