package tournament

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// leastCost is the second way to the cheapest pairing: all subsets, one after the
// other.
func leastCost(n int, cost [][]int64) int64 {
	best := make([]int64, 1<<n)
	for set := 1; set < 1<<n; set++ {
		best[set] = math.MaxInt64
		if bits.OnesCount(uint(set))%2 == 1 {
			continue
		}
		a := bits.TrailingZeros(uint(set))
		for b := a + 1; b < n; b++ {
			if rest := set &^ (1 << a) &^ (1 << b); set>>b&1 == 1 && best[rest] != math.MaxInt64 {
				best[set] = min(best[set], best[rest]+cost[a][b])
			}
		}
	}
	return best[1<<n-1]
}

func TestCheapestPairing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 2 * rapid.IntRange(1, 6).Draw(t, "half")
		top := rapid.SampledFrom([]int64{1, 3, 20, 1000, 1 << 58}).Draw(t, "top")
		cost := make([][]int64, n)
		for a := range cost {
			cost[a] = make([]int64, n)
			for b := range a {
				cost[a][b] = rapid.Int64Range(0, top).Draw(t, "cost")
				cost[b][a] = cost[a][b]
			}
		}
		mates := cheapest(n, func(a, b int) int64 { return cost[a][b] })
		var sum int64
		for a, b := range mates {
			if b < 0 || b >= n || b == a || mates[b] != a {
				t.Fatalf("no pairing: %v", mates)
			}
			if a < b {
				sum += cost[a][b]
			}
		}
		if want := leastCost(n, cost); sum != want {
			t.Errorf("pairing costs %d, the cheapest %d", sum, want)
		}
	})
}
