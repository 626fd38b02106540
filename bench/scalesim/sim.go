package main

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// event is something that happens at a time; of two at the same time the earlier made
// comes first, so that a seed gives one course.
type event struct {
	at   time.Duration
	n    int
	what func(at time.Duration)
}

type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].n < a[j].n
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

// sim is a simulation under way.
type sim struct {
	c       *Costs
	p       *Plan
	rng     *rand.Rand
	agenda  agenda
	made    int
	halls   []*pool
	workers []*pool
	buses   []*pool
	bases   []*pool
	games   []played
	delays  delays
	sent    uint64 // events to spectators that were counted
}

// played is a game of the simulation: a sequence of games in one place.
type played struct {
	worker, bus, base int
	// viewers are how many look on at each hall.
	viewers []int
	left    int // decisions until its end
}

// simulate lets a plan run.
func simulate(c *Costs, p *Plan) (*Outcome, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &sim{c: c, p: p, rng: rand.New(rand.NewPCG(p.Seed, 1))}
	s.machines()
	s.settle()
	for g := range s.games {
		at := time.Duration(0)
		if !p.Together {
			at = time.Duration(s.rng.Int64N(int64(p.Every)))
		}
		s.plan(at, func(at time.Duration) { s.move(g, at) })
	}
	s.background()
	for len(s.agenda) > 0 && s.agenda[0].at < p.Length {
		e := heap.Pop(&s.agenda).(event)
		e.what(e.at)
	}
	return s.outcome(), nil
}

func (s *sim) plan(at time.Duration, what func(time.Duration)) {
	s.made++
	heap.Push(&s.agenda, event{at, s.made, what})
}

// machines makes the pools; on one machine they are all the same.
func (s *sim) machines() {
	if s.p.Halls == 0 {
		one := []*pool{newPool("machine", s.p.Processors, s.p.Warm)}
		s.halls, s.workers, s.buses, s.bases = one, one, one, one
		return
	}
	several := func(name string, n int) (list []*pool) {
		for range n {
			list = append(list, newPool(name, s.p.Processors, s.p.Warm))
		}
		return list
	}
	s.halls, s.workers = several("hall", s.p.Halls), several("worker", s.p.Workers)
	s.buses, s.bases = several("bus", s.p.Buses), several("database", s.p.Databases)
}

// settle gives games their places and spectators their halls.
func (s *sim) settle() {
	s.games = make([]played, s.p.Games)
	for g := range s.games {
		s.games[g] = played{
			worker: g % len(s.workers), bus: g % len(s.buses), base: g % len(s.bases), viewers: make([]int, len(s.halls)),
			left: 1 + s.rng.IntN(s.p.Decisions), // games are at all stages
		}
	}
	for i := range s.p.Spectators {
		g := i % s.p.Games
		hall := g % len(s.halls)
		if !s.p.Near {
			hall = s.rng.IntN(len(s.halls))
		}
		s.games[g].viewers[hall]++
	}
}

// cost draws what a task takes: half of it always, the rest by chance.
func (s *sim) cost(mean time.Duration) time.Duration {
	return mean/2 + time.Duration(s.rng.ExpFloat64()*float64(mean)/2)
}

// move lets a game make a decision, and plans the next.
func (s *sim) move(g int, at time.Duration) {
	x := &s.games[g]
	next := at + s.p.Every
	if x.left--; x.left == 0 {
		x.left = s.p.Decisions
		s.plan(at, func(at time.Duration) { s.end(g, at) })
	}
	s.plan(next, func(at time.Duration) { s.move(g, at) })
	told := s.workers[x.worker].do(at, s.cost(s.c.WorkerMove))
	s.plan(told, func(now time.Duration) { s.publish(g, at, now) })
}

// publish takes what a worker told over the bus to the halls that listen. At is when the
// decision was made.
func (s *sim) publish(g int, at, now time.Duration) {
	x := &s.games[g]
	if s.p.Halls == 0 { // its NATS server is within the hall, and in what that costs
		if n := x.viewers[0]; n > 0 {
			s.show(0, n, at, now)
			return
		}
		s.halls[0].do(now, s.cost(s.c.Unseen))
		return
	}
	s.buses[x.bus].do(now, s.cost(s.c.BusIn))
	for h, n := range x.viewers {
		if n == 0 {
			continue
		}
		there := s.buses[x.bus].do(now, s.cost(s.c.BusOut))
		s.plan(there, func(now time.Duration) { s.show(h, n, at, now) })
	}
}

// show lets a hall pass a decision on to the spectators that it has.
func (s *sim) show(h, n int, at, now time.Duration) {
	view := s.c.View
	if s.p.Halls == 0 { // who reads is here too
		view += s.c.Read
	}
	ready := s.halls[h].do(now, s.cost(s.c.HallMove))
	for range n {
		done := s.halls[h].do(ready, s.cost(view))
		if at >= s.p.Warm {
			s.delays.add(done - at)
			s.sent++
		}
	}
}

// end stores a game and begins the next; its spectators come anew.
func (s *sim) end(g int, at time.Duration) {
	x := &s.games[g]
	hall := s.rng.IntN(len(s.halls))
	done := s.halls[hall].do(at, s.cost(s.c.Game))
	s.plan(done, func(at time.Duration) { s.bases[x.base].do(at, s.cost(s.c.Store)) })
	for h, n := range x.viewers {
		for range n {
			s.plan(at+time.Duration(s.rng.Int64N(int64(time.Second))), func(at time.Duration) { s.halls[h].do(at, s.cost(s.c.Arrive)) })
		}
	}
}

// background is what costs every second whatever happens, in tenths of a second.
func (s *sim) background() {
	const step = 100 * time.Millisecond
	idle := make([]time.Duration, len(s.halls))
	for g := range s.games {
		for h, n := range s.games[g].viewers {
			idle[h] += time.Duration(n) * s.c.Idle / 10
		}
	}
	for h := range idle {
		idle[h] += time.Duration(s.p.Games) * s.c.HallGame / 10 / time.Duration(len(s.halls))
	}
	games := time.Duration(s.p.Games) * s.c.WorkerGame / 10 / time.Duration(len(s.workers))
	var again func(time.Duration)
	again = func(at time.Duration) {
		for h, p := range s.halls {
			s.piecemeal(p, at, idle[h])
		}
		for _, p := range s.workers {
			s.piecemeal(p, at, games)
		}
		s.plan(at+step, again)
	}
	s.plan(0, again)
}

// piecemeal does work in pieces of a millisecond, as what stands behind it consists of
// many small things.
func (s *sim) piecemeal(p *pool, at, work time.Duration) {
	for ; work > 0; work -= time.Millisecond {
		p.do(at, min(work, time.Millisecond))
	}
}
