package main

import (
	"fmt"
	"runtime"
	"slices"

	"kibitz/internal/plain"
	"kibitz/run/engines"
)

// affinity says on which processors the engines of each game at a time run.
type affinity struct {
	// slots are those of each place, all of the same number.
	slots [][]int
}

// of returns the processors of a place, none for any.
func (f *affinity) of(slot int) []int {
	if f == nil || slot >= len(f.slots) {
		return nil
	}
	return f.slots[slot]
}

// readAffinity reads --affinity. A game has as many processors as its engines have
// threads that think at a time: those of the one with the most, or of both where
// one thinks in the other's time.
func (r *matchRun) readAffinity() error {
	text := r.cmd.Affinity
	if text == "" {
		return nil
	}
	allowed, err := engines.AllowedProcessors()
	if err != nil {
		return fmt.Errorf("--affinity: %w", err)
	}
	list := allowed
	if text != "auto" {
		if list, err = engines.ParseProcessors(text, allowed); err != nil {
			return fmt.Errorf("--affinity %s: %w", text, err)
		}
	}
	each := r.threadsAtATime()
	r.affinity = &affinity{}
	for ; len(list) >= each; list = list[each:] {
		r.affinity.slots = append(r.affinity.slots, list[:each])
	}
	if have := len(r.affinity.slots); r.cmd.Concurrency > have {
		return fmt.Errorf("--affinity %s: %s at a time with %s each need %d processors, and there are enough for %d; without --affinity they "+
			"share what there is",
			text, plain.Count(r.cmd.Concurrency, "game"), plain.Count(each, "thread"), r.cmd.Concurrency*each, have)
	}
	return nil
}

// remarkCrowd tells where engines wait for a processor while their clocks run: more
// games at a time than processors, and nobody to share them out.
func (r *matchRun) remarkCrowd(games int) {
	timed := func(e *engineSpec) bool { return !e.Human && !e.Control.None() }
	have, each := max(r.allProcessors, runtime.GOMAXPROCS(0)), r.threadsAtATime()
	if r.affinity != nil || games*each <= have || !slices.ContainsFunc(r.engines, timed) || r.crowdTold.Swap(true) {
		return
	}
	r.warn(fmt.Sprintf("%s at a time with %s each on %s: engines wait for each other while their clocks run; %s would not",
		plain.Count(games, "game"), plain.Count(each, "thread"), plain.Count(have, "processor"), concurrencyFor(have/each)))
}

// concurrencyFor is the flag for so many games at a time, or what helps where not even
// one fits.
func concurrencyFor(games int) string {
	if games < 1 {
		return "fewer threads"
	}
	return fmt.Sprintf("--concurrency %d", games)
}

// threadsAtATime is how many threads think at a time in one game.
func (r *matchRun) threadsAtATime() int {
	most, second, ponder := 1, 1, false
	for _, e := range r.engines {
		n := max(1, e.Threads)
		if n > most {
			most, second = n, most
		} else {
			second = max(second, n)
		}
		ponder = ponder || e.Ponder
	}
	if ponder {
		return most + second
	}
	return most
}
