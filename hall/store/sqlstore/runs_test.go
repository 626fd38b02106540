package sqlstore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRuns writes visits as blocks and reads them back, one run alone and several together.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []visit
	var cursors []*cursor
	for run := range 3 {
		var list []visit
		least := int64(1000 * run)
		for n := range int64(300) {
			for ply := range 20 {
				key := r.Int64N(1<<40)<<20 - 1<<59
				if ply < 4 {
					key = []int64{math.MinInt64, -1, 0, math.MaxInt64}[ply]
				}
				list = append(list, visit{key, least + n, ply})
			}
		}
		slices.SortFunc(list, visit.compare)
		blocks := pack(slices.Values(list), least)
		bytes := 0
		c := &cursor{least: least}
		for i, b := range blocks {
			if bytes += len(b.data); i > 0 && b.first <= blocks[i-1].first {
				t.Fatalf("block %d begins with %d after %d", i, b.first, blocks[i-1].first)
			}
			c.blocks = append(c.blocks, b.data)
		}
		if len(blocks) < 5 || bytes > 12*len(list) {
			t.Errorf("%d visits are %d blocks of %d bytes", len(list), len(blocks), bytes)
		}
		all, cursors = append(all, list...), append(cursors, c)
	}
	slices.SortFunc(all, visit.compare)
	var got []visit
	if err := merge(cursors, func(v visit) bool { got = append(got, v); return true }); err != nil || !slices.Equal(got, all) {
		t.Fatalf("%d visits are read back as %d: %v", len(all), len(got), err)
	}
}

// FuzzBlock reads blocks that say anything.
func FuzzBlock(f *testing.F) {
	for _, b := range pack(slices.Values([]visit{{-5, 7, 1}, {-5, 9, 2}, {3, 8, 300}}), 7) {
		f.Add(b.data, int64(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, least int64) {
		c := cursor{least: least, blocks: [][]byte{data}}
		for n := 0; ; n++ {
			more, err := c.next()
			if err != nil || !more {
				return
			}
			if n > len(data) {
				t.Fatal("more visits than bytes")
			}
		}
	})
}
