package main

import "time"

// pool is a machine, or a part of one: processors that take tasks in the order in which
// they come. Times are from the beginning of the simulation.
type pool struct {
	name string
	free []time.Duration // when each processor is free again
	busy time.Duration   // work done from begin on
	most time.Duration   // the longest that a task waited
	from time.Duration   // work before this does not count
}

func newPool(name string, processors int, from time.Duration) *pool {
	return &pool{name: name, free: make([]time.Duration, processors), from: from}
}

// do gives a task to the processor that is free first and returns when it is done. Tasks
// come in order of time.
func (p *pool) do(at, cost time.Duration) time.Duration {
	best := 0
	for i, t := range p.free {
		if t < p.free[best] {
			best = i
		}
	}
	begin := max(at, p.free[best])
	p.free[best] = begin + cost
	if at >= p.from {
		p.busy += cost
		p.most = max(p.most, begin-at)
	}
	return begin + cost
}

// share is the part of all processors that was busy until a time.
func (p *pool) share(until time.Duration) float64 {
	return p.busy.Seconds() / (until - p.from).Seconds() / float64(len(p.free))
}
