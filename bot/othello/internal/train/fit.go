package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"kibitz/bot/othello/internal/pattern"
)

// fit finds the weights that add up to the scores with the least squared error.
// A stage learns from the positions of its neighbours' borders too.
func fit(all []sample, epochs, threads int) *pattern.Weights {
	canon := pattern.Canonical()
	w := new(pattern.Weights)
	work := make(chan int)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for stage := range work {
				w[stage] = fitStage(all, stage, epochs, canon)
			}
		})
	}
	for stage := range w {
		work <- stage
	}
	close(work)
	wg.Wait()
	return w
}

// overlap is by how many empty squares the positions of a stage reach into the
// stages beside it.
const overlap = 2

func inStage(empties, stage int) bool {
	for d := -overlap; d <= overlap; d++ {
		if e := empties + d; e >= 0 && e <= 60 && pattern.StageOf(e) == stage {
			return true
		}
	}
	return false
}

func fitStage(all []sample, stage, epochs int, canon []int32) []int16 {
	var mine []int32
	for i := range all {
		if inStage(all[i].board.Empties(), stage) {
			mine = append(mine, int32(i))
		}
	}
	w := make([]float32, pattern.Count)
	square := make([]float32, pattern.Count) // sums of squared gradients
	count := make([]int32, pattern.Count)
	rng := rand.New(rand.NewPCG(uint64(stage), 9))
	var f [pattern.Features]int32
	var loss float64
	for epoch := range epochs {
		rng.Shuffle(len(mine), func(i, k int) { mine[i], mine[k] = mine[k], mine[i] })
		rate := float32(0.6 * (1 - float64(epoch)/float64(epochs)))
		loss = 0
		for _, i := range mine {
			s := &all[i]
			pattern.Extract(s.board, &f)
			sum := float32(0)
			for k, x := range f {
				f[k] = canon[x]
				sum += w[f[k]]
			}
			e := float32(s.score) - sum
			loss += float64(e) * float64(e)
			g := e / 64
			for _, x := range f {
				square[x] += g * g
				w[x] += rate * g / float32(math.Sqrt(float64(square[x])+1))
				if epoch == 0 {
					count[x]++
				}
			}
		}
	}
	fmt.Printf("stage %d: %d positions, error %.2f discs\n", stage, len(mine), math.Sqrt(loss/float64(max(1, len(mine)))))
	out := make([]int16, pattern.Count)
	for i := range out {
		c := canon[i]
		if n := count[c]; n > 0 {
			// What was seen rarely is not believed in full.
			v := float64(w[c]) * pattern.Disc * float64(n) / float64(n+4)
			out[i] = int16(math.Round(min(max(v, -8000), 8000)))
		}
	}
	return out
}
