package main

import (
	"errors"
	"sync"
	"time"

	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// pool keeps the players of a run: an engine's process serves one game after
// another, and there are never more of one engine than games at a time.
type pool struct {
	a      *app
	rules  rules.Rules
	roster *roster
	seeds  tournament.Seeds
	warn   func(string)
	bound  *affinity
	// programs gives each player what it needs to be executed.
	programs *engines.Programs

	mu   sync.Mutex
	idle map[place][]*seated
	all  map[*seated]bool
	// ending holds a place for each of those that are ended while the next game
	// begins.
	ending chan struct{}
	ended  sync.WaitGroup
}

// mostEnding is how many engines may be ending at a time: one that does not want to
// keeps its place until it is killed.
const mostEnding = 8

// place is where an idle player waits: its engine, and its slot where engines are
// bound to the processors of one.
type place struct{ engine, slot int }

func newPool(r *matchRun) *pool {
	return &pool{
		a: r.a, rules: r.rules, roster: r.roster, seeds: r.seeds, warn: r.warn, bound: r.affinity, programs: r.programs,
		idle: map[place][]*seated{}, all: map[*seated]bool{}, ending: make(chan struct{}, mostEnding),
	}
}

// seated is one player of an engine with the log of its traffic.
type seated struct {
	engine  int
	slot    int // -1 for any
	player  player.Player
	spec    *engineSpec // as it was started
	traffic engines.Traffic
}

// take returns a player of the engine for a slot, an idle one if there is.
func (p *pool) take(engine, slot int) (*seated, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bound == nil {
		slot = -1
	}
	at := place{engine, slot}
	if list := p.idle[at]; len(list) > 0 {
		s := list[len(list)-1]
		p.idle[at] = list[:len(list)-1]
		return s, nil
	}
	s := &seated{engine: engine, slot: slot, spec: p.engineAt(engine, slot)}
	s.traffic.Note = p.warn
	s.traffic.Begin(p.a.now())
	if err := p.programs.Seat(s.spec); err != nil {
		return nil, err
	}
	var err error
	if s.player, err = p.a.launcher().Player(s.spec, p.rules, p.botSeed(), &s.traffic); err != nil {
		return nil, errors.Join(err, s.spec.Release())
	}
	p.all[s] = true
	return s, nil
}

// engineAt is an engine as it is started in a slot.
func (p *pool) engineAt(engine, slot int) *engineSpec {
	e := *p.roster.at(engine)
	if e.Processors == nil {
		e.Processors = p.bound.of(slot)
	}
	return &e
}

// botSeed is the same for all copies of all bots: what differs between games is
// the identifier of the game, so that the number of copies changes nothing. The secret
// of the run goes into it only where somebody must not know what is hidden: elsewhere
// the same seed is the same run.
func (p *pool) botSeed() uint64 {
	seeds := p.seeds
	if p.rules.Doc().Info == rules.Perfect {
		seeds.Secret = [32]byte{}
	}
	b := seeds.At("bots")
	var n uint64
	for _, x := range b[:8] {
		n = n<<8 | uint64(x)
	}
	return n
}

// give returns a player for the next game. One that would be started anew for it is
// ended meanwhile, and the next game has another.
func (p *pool) give(s *seated) {
	if e := p.roster.at(s.engine); len(e.Cmd) > 0 && e.Restart == protocol.RestartEachGame {
		p.retire(s)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := place{s.engine, s.slot}
	p.idle[at] = append(p.idle[at], s)
}

// retire ends a player in the background, when there is room.
func (p *pool) retire(s *seated) {
	p.mu.Lock()
	delete(p.all, s)
	p.mu.Unlock()
	p.ending <- struct{}{}
	p.ended.Go(func() {
		p.end(s)
		<-p.ending
	})
}

// end closes a player.
func (p *pool) end(s *seated) {
	if err := errors.Join(s.player.Close(), s.spec.Release()); err != nil {
		p.warn(p.roster.at(s.engine).Name + ": " + err.Error())
	}
}

// close ends all players, side by side: each may take its grace period.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	for s := range p.all {
		wg.Go(func() { p.end(s) })
	}
	wg.Wait()
	p.ended.Wait()
	p.all, p.idle = map[*seated]bool{}, map[place][]*seated{}
}

// seconds converts for JSON.
func seconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Second)
}
