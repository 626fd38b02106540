package cutechess

import (
	"slices"
	"testing"
)

// TestOrders holds orders of openings that cutechess-cli made from its seeds.
func TestOrders(t *testing.T) {
	for _, k := range []struct {
		seed          uint32
		start, repeat int
		want          []int
	}{
		{5, 1, 2, []int{2, 2, 1, 1, 6, 6, 0, 0}},
		{99, 3, 2, []int{5, 5, 0, 0, 2, 2}},
		{1, 1, 3, []int{4, 4, 4, 6, 6, 6, 3, 3, 3}},
	} {
		o := newOrder(Openings{N: 7, Random: true, Start: k.start, Policy: "default"}, k.repeat, newTwister(k.seed))
		var got []int
		for range k.want {
			got = append(got, o.take())
		}
		if !slices.Equal(got, k.want) {
			t.Errorf("seed %d: %v, want %v", k.seed, got, k.want)
		}
	}
}
