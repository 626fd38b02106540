package roster

import (
	"fmt"

	"kibitz/internal/plain"
	"kibitz/run/engines"
)

// Places say on which processors the engines of each game at a time run.
type Places struct {
	// slots are those of each place, all of the same number.
	slots [][]int
}

// Of returns the processors of a place, none for any.
func (f *Places) Of(slot int) []int {
	if f == nil || slot >= len(f.slots) {
		return nil
	}
	return f.slots[slot]
}

// NewPlaces reads "auto" or a list of processors. A game has as many as its engines have
// threads that think at a time.
func NewPlaces(text string, threads, games int) (*Places, error) {
	allowed, err := engines.AllowedProcessors()
	if err != nil {
		return nil, err
	}
	list := allowed
	if text != "auto" {
		if list, err = engines.ParseProcessors(text, allowed); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	f := &Places{}
	for ; len(list) >= threads; list = list[threads:] {
		f.slots = append(f.slots, list[:threads])
	}
	if have := len(f.slots); games > have {
		return nil, fmt.Errorf("%s: %s at a time with %s each need %d processors, and there are enough for %d; without --affinity they "+
			"share what there is",
			text, plain.Count(games, "game"), plain.Count(threads, "thread"), games*threads, have)
	}
	return f, nil
}

// Threads is how many threads think at a time in one game: those of the engine with the
// most, or of both where one thinks in the other's time.
func Threads(list []*engines.Spec) int {
	most, second, ponder := 1, 1, false
	for _, e := range list {
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
