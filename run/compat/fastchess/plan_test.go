package fastchess

import (
	"slices"
	"testing"

	"kibitz/run/compat/cutechess"
)

// TestOrders holds orders of openings that fastchess made from its seeds.
func TestOrders(t *testing.T) {
	for _, k := range []struct {
		seed  uint64
		start int
		want  []int
	}{
		{5, 1, []int{5, 0, 2, 1, 6, 4, 3, 5, 0}},
		{99, 3, []int{1, 0, 3, 4, 6, 5, 2, 1, 0}},
		{1, 1, []int{2, 1, 0, 5, 4, 6, 3, 2, 1}},
	} {
		p := newPlan(cutechess.Settings{Players: 2, Games: 1, Rounds: len(k.want), Openings: cutechess.Openings{N: 7, Random: true, Start: k.start}}, k.seed, nil)
		var got []int
		for range k.want {
			g, _ := p.Next()
			got = append(got, g.Opening)
		}
		if !slices.Equal(got, k.want) {
			t.Errorf("seed %d: %v, want %v", k.seed, got, k.want)
		}
	}
}
