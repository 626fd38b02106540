package main

// fitProcessors lets the runtime have as many processors as games are played at a
// time, if every engine is a process of its own. With more than that its idle threads
// look for work whenever the referee waits for an engine, which doubles what a move
// of a quick engine costs. Built-in engines think in this process and keep what there
// is.
func (r *matchRun) fitProcessors(games int) {
	if r.a.processors == nil {
		return
	}
	if r.allProcessors == 0 {
		r.allProcessors = r.a.processors(0)
	}
	r.atATime.Store(int64(games))
	n := r.allProcessors
	if r.roster.processes() {
		n = min(n, games)
	}
	r.a.processors(n)
}

// freeProcessors gives the runtime back what it had.
func (r *matchRun) freeProcessors() {
	if r.allProcessors > 0 {
		r.a.processors(r.allProcessors)
	}
}

// processes reports whether every engine is a process of its own.
func (s *roster) processes() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.list {
		if len(e.Cmd) == 0 {
			return false
		}
	}
	return true
}
