package standing

import (
	"math"
	"time"

	"kibitz/journal"
	"kibitz/tournament"
)

// Use is what the processes of an engine used in some games. A nil one is that
// of an engine of which nothing is known.
type Use struct {
	games  int
	cpu    time.Duration // of all games together
	memory int64         // the highest peak, 0 if unknown
	Told   bool          // people, that it is more than is allowed
}

// Resources are processor seconds and the peak of memory of a seat in one game, nil where
// nobody can tell.
func Resources(u journal.Resources) (cpu *float64, memory *int64) {
	if !u.Known {
		return nil, nil
	}
	use := &Use{games: 1, cpu: u.CPU, memory: u.Memory}
	return use.Mean(), use.Peak()
}

// use counts what the seats of a game used.
func (t *Totals) use(p tournament.Pairing, list [2]journal.Resources) {
	for i, engine := range [2]int{p.First, p.Second} {
		if !list[i].Known {
			continue
		}
		if t.Used == nil {
			t.Used = map[int]*Use{}
		}
		if t.Used[engine] == nil {
			t.Used[engine] = &Use{}
		}
		u := t.Used[engine]
		u.games++
		u.cpu += list[i].CPU
		u.memory = max(u.memory, list[i].Memory)
	}
}

// Mean returns processor seconds a game, rounded to microseconds; nil if unknown.
func (u *Use) Mean() *float64 {
	if u == nil || u.games == 0 {
		return nil
	}
	x := math.Round(u.cpu.Seconds()/float64(u.games)*1e6) / 1e6
	return &x
}

// Peak returns the highest peak in bytes, nil if unknown.
func (u *Use) Peak() *int64 {
	if u == nil || u.memory == 0 {
		return nil
	}
	return &u.memory
}
