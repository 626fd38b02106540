package people

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Found are the things that must not happen. Each is a key of Ledger.Found.
const (
	NeverEnds  = "games that nobody can end"
	Unseen     = "over before they were seen"
	NoReason   = "waits without a reason"
	Swallowed  = "moves swallowed"
	NoEffect   = "acts without effect"
	Missed     = "missed though there"
	Fault      = "answers of 500 and more"
	BrokenOff  = "streams broken"
	Refused    = "orders refused"
	Unexpected = "not as told"
)

// Ledger counts what visitors do and keeps what they find. Its methods are safe for any
// goroutine.
type Ledger struct {
	mu     sync.Mutex
	counts map[string]int
	found  map[string][]string
	times  map[string][]time.Duration
	left   map[string]time.Time // games that were left, and until when they must be over
}

func newLedger() *Ledger {
	return &Ledger{counts: map[string]int{}, found: map[string][]string{}, times: map[string][]time.Duration{}, left: map[string]time.Time{}}
}

// Count adds to a count.
func (l *Ledger) Count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

// Counts returns a count.
func (l *Ledger) Counts(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[what]
}

// find keeps something that must not be.
func (l *Ledger) find(what, format string, a ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found[what] = append(l.found[what], fmt.Sprintf(format, a...))
}

// Found returns what was found of a kind.
func (l *Ledger) Found(what string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.found[what])
}

// Kinds lists what was found anything of, in order.
func (l *Ledger) Kinds() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.found))
}

// took keeps a time.
func (l *Ledger) took(what string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times[what] = append(l.times[what], d)
}

// Times returns the times of a kind, in order of length.
func (l *Ledger) Times(what string) []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(slices.Values(l.times[what]))
}

// leave tells that a person has left a game, which must then be over at a time.
func (l *Ledger) leave(game string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left[game].Before(until) {
		l.left[game] = until
	}
}

// stay tells that a game is looked after again.
func (l *Ledger) stay(game string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.left, game)
}

// due returns the games that must be over by now, and forgets them.
func (l *Ledger) due(now time.Time) (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, until := range l.left {
		if !now.Before(until) {
			list = append(list, id)
			delete(l.left, id)
		}
	}
	slices.Sort(list)
	return list
}

// Left is how many games wait for their end.
func (l *Ledger) Left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.left)
}

// at returns the time that a part of a list in order does not exceed.
func at(list []time.Duration, part float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[min(len(list)-1, int(part*float64(len(list))))]
}

// keys lists the games that wait for their end.
func (l *Ledger) keys() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.left))
}

// summary is what was found in a line.
func (l *Ledger) summary() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.found) == 0 {
		return "nothing"
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(l.found)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, len(l.found[k])))
	}
	return strings.Join(parts, ", ")
}
