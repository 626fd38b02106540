package roster

import (
	"runtime"
	"sync"
)

// Processors are those that the runtime of Go has while a run goes on.
type Processors struct {
	// Set sets how many there are, if n is above 0, and returns how many there were; nil where
	// that must not change.
	Set func(n int) int

	mu    sync.Mutex
	all   int // before the run, 0 until that is known
	games int // at a time, as they were last asked for
}

// Fit lets the runtime have as many processors as games are played at a time, if every engine
// is a process of its own. With more than that its idle threads look for work whenever the
// referee waits for an engine, which doubles what a move of a quick engine costs. Built-in
// engines think in this process and keep what there is. It is called again for the same
// games (0) when an engine enters.
func (p *Processors) Fit(games int, s *Roster) {
	if p.Set == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == 0 {
		p.all = p.Set(0)
	}
	if games > 0 {
		p.games = games
	}
	n := p.all
	if s.processes() {
		n = min(n, p.games)
	}
	p.Set(n)
}

// Have is how many there are for all games and engines.
func (p *Processors) Have() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.all, runtime.GOMAXPROCS(0))
}

// Free gives the runtime back what it had.
func (p *Processors) Free() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all > 0 {
		p.Set(p.all)
	}
}
