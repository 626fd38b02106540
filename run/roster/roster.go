// Package roster keeps the engines of a run while it goes on: who takes part, the players that
// serve one game after another, and the processors that they have.
package roster

import (
	"slices"
	"sync"

	"kibitz/run/engines"
)

// Roster is the engines of a run, which can become more while it goes on.
type Roster struct {
	mu   sync.RWMutex
	list []*engines.Spec
}

// New returns the roster of the engines with which a run begins.
func New(list []*engines.Spec) *Roster { return &Roster{list: list} }

// At returns an engine by its number from 0.
func (s *Roster) At(i int) *engines.Spec {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.list[i]
}

// Count returns how many engines there are.
func (s *Roster) Count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.list)
}

// Add takes another engine, which has the next number.
func (s *Roster) Add(e *engines.Spec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e)
}

// Cut takes all off the roster but the first n.
func (s *Roster) Cut(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = s.list[:n:n]
}

// processes reports whether every engine is a process of its own.
func (s *Roster) processes() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return !slices.ContainsFunc(s.list, func(e *engines.Spec) bool { return len(e.Cmd) == 0 })
}
