package main

import (
	"sync"
	"time"

	"kibitz/player"
	"kibitz/rules"
	"kibitz/tournament"
)

// pool keeps the players of a run: an engine's process serves one game after
// another, and there are never more of one engine than games at a time.
type pool struct {
	a       *app
	rules   rules.Rules
	engines []*engineSpec
	seeds   tournament.Seeds
	warn    func(string)

	mu   sync.Mutex
	idle map[int][]*seated
	all  []*seated
}

// seated is one player of an engine with the log of its traffic.
type seated struct {
	engine  int
	player  player.Player
	traffic traffic
}

// take returns a player of the engine, an idle one if there is.
func (p *pool) take(engine int) (*seated, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.idle[engine]; len(list) > 0 {
		s := list[len(list)-1]
		p.idle[engine] = list[:len(list)-1]
		return s, nil
	}
	s := &seated{engine: engine}
	s.traffic.note = p.warn
	s.traffic.begin(p.a.now())
	var err error
	if s.player, err = newPlayer(p.a, p.engines[engine], p.rules, p.botSeed(), &s.traffic); err != nil {
		return nil, err
	}
	p.all = append(p.all, s)
	return s, nil
}

// botSeed is the same for all copies of all bots: what differs between games is
// the identifier of the game, so that the number of copies changes nothing.
func (p *pool) botSeed() uint64 {
	b := p.seeds.At("bots")
	var n uint64
	for _, x := range b[:8] {
		n = n<<8 | uint64(x)
	}
	return n
}

// give returns a player for the next game.
func (p *pool) give(s *seated) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle[s.engine] = append(p.idle[s.engine], s)
}

// close ends all players, side by side: each may take its grace period.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	for _, s := range p.all {
		wg.Go(func() {
			if err := s.player.Close(); err != nil {
				p.warn(p.engines[s.engine].Name + ": " + err.Error())
			}
		})
	}
	wg.Wait()
	p.all, p.idle = nil, map[int][]*seated{}
}

// seconds converts for JSON.
func seconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Second)
}
