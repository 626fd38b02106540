package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"kibitz/bot/othello/internal/pattern"
)

// fitting finds the weights that add up to the scores with the least squared error,
// the last stage first: later stages tell the scores of earlier ones.
type fitting struct {
	all     []sample
	weights *pattern.Weights
	canon   []int32
	threads int
}

// ofStage returns the samples that a stage learns from: its own, and those of the
// borders of its neighbours. One in apart is kept apart to measure the error.
func (f *fitting) ofStage(stage int) (learn, test []int32) {
	for i := range f.all {
		s := &f.all[i]
		if s.stray || !inStage(s.board.Empties(), stage) {
			continue
		}
		if i/4096%apart == 0 { // whole games, for the most part
			test = append(test, int32(i))
			continue
		}
		learn = append(learn, int32(i))
	}
	return learn, test
}

const (
	apart = 20
	// overlap is by how many empty squares the positions of a stage reach into the
	// stages beside it.
	overlap = 2
)

func inStage(empties, stage int) bool {
	for d := -overlap; d <= overlap; d++ {
		if e := empties + d; e >= 0 && e <= 60 && pattern.StageOf(e) == stage {
			return true
		}
	}
	return false
}

// judge tells the scores of samples by a search of the positions that tell them.
func (f *fitting) judge(list []int32) {
	var wg sync.WaitGroup
	for part := range f.threads {
		wg.Go(func() {
			for n := part; n < len(list); n += f.threads {
				s := &f.all[list[n]]
				if s.later == 0 {
					continue
				}
				b := f.all[int(list[n])+int(s.later)].board
				v := searcher{f.weights}.value(b, -1<<20, 1<<20, 2)
				if s.other {
					v = -v
				}
				s.score, s.later = float32(v)/pattern.Disc, 0
			}
		})
	}
	wg.Wait()
}

func (f *fitting) fit(epochs int) {
	for stage := pattern.Stages - 1; stage >= 0; stage-- {
		learn, test := f.ofStage(stage)
		f.judge(learn)
		f.judge(test)
		f.weights[stage] = f.stage(stage, learn, epochs)
		fmt.Printf("stage %d: %d positions, error %.2f discs, of those kept apart %.2f\n",
			stage, len(learn), f.loss(stage, learn[:min(len(learn), 100_000)]), f.loss(stage, test))
	}
}

// loss is the root of the mean squared error of a stage.
func (f *fitting) loss(stage int, list []int32) float64 {
	sum := 0.0
	var x [pattern.Features]int32
	for _, i := range list {
		pattern.Extract(f.all[i].board, &x)
		v := int32(0)
		for _, n := range x {
			v += int32(f.weights[stage][n])
		}
		e := float64(v)/pattern.Disc - float64(f.all[i].score)
		sum += e * e
	}
	return math.Sqrt(sum / float64(max(1, len(list))))
}

// stage finds the weights of one stage.
func (f *fitting) stage(stage int, mine []int32, epochs int) []int16 {
	w := make([]float32, pattern.Count)
	square := make([]float32, pattern.Count) // sums of squared gradients
	count := make([]int32, pattern.Count)
	rng := rand.New(rand.NewPCG(uint64(stage), 9))
	var x [pattern.Features]int32
	for epoch := range epochs {
		rng.Shuffle(len(mine), func(i, k int) { mine[i], mine[k] = mine[k], mine[i] })
		rate := float32(0.6 * (1 - float64(epoch)/float64(epochs)))
		for _, i := range mine {
			s := &f.all[i]
			pattern.Extract(s.board, &x)
			sum := float32(0)
			for k, n := range x {
				x[k] = f.canon[n]
				sum += w[x[k]]
			}
			g := (s.score - sum) / 64
			for _, n := range x {
				square[n] += g * g
				w[n] += rate * g / float32(math.Sqrt(float64(square[n])+1))
				if epoch == 0 {
					count[n]++
				}
			}
		}
	}
	out := make([]int16, pattern.Count)
	for i := range out {
		c := f.canon[i]
		if n := count[c]; n > 0 {
			// What was seen rarely is not believed in full.
			v := float64(w[c]) * pattern.Disc * float64(n) / float64(n+4)
			out[i] = int16(math.Round(min(max(v, -8000), 8000)))
		}
	}
	return out
}
