package spread

import (
	"iter"
	"testing"
)

// Each item is done once, however many there are.
func TestOver(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		times := make([]int, n)
		Over(n, func(items iter.Seq[int]) {
			for i := range items {
				times[i]++
			}
		})
		for i, got := range times {
			if got != 1 {
				t.Errorf("item %d of %d is done %d times", i, n, got)
			}
		}
	}
}
