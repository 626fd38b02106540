package roster

import (
	"errors"
	"sync"

	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// Pool keeps the players of a run: an engine's process serves one game after
// another, and there are never more of one engine than games at a time.
type Pool struct {
	Launcher *engines.Launcher
	Rules    rules.Rules
	Roster   *Roster
	Seeds    tournament.Seeds
	Warn     func(string)
	Places   *Places // nil where engines are not bound to processors
	// Programs give each player what it needs to be executed.
	Programs *engines.Programs

	mu   sync.Mutex
	idle map[place][]*Seated
	all  map[*Seated]bool
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

// Open makes room for the players.
func (p *Pool) Open() *Pool {
	p.idle, p.all, p.ending = map[place][]*Seated{}, map[*Seated]bool{}, make(chan struct{}, mostEnding)
	return p
}

// Seated is one player of an engine with the log of its traffic.
type Seated struct {
	Engine  int
	Player  player.Player
	Traffic engines.Traffic
	Quick   bool          // it was soon ready for its last game
	Place   []int         // the processors to which it was bound while it ran
	slot    int           // -1 for any
	spec    *engines.Spec // as it was started
}

// Take returns a player of the engine for a slot, an idle one if there is.
func (p *Pool) Take(engine, slot int) (*Seated, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Places == nil {
		slot = -1
	}
	at := place{engine, slot}
	if list := p.idle[at]; len(list) > 0 {
		s := list[len(list)-1]
		p.idle[at] = list[:len(list)-1]
		return s, nil
	}
	s := &Seated{Engine: engine, slot: slot, spec: p.engineAt(engine, slot)}
	s.Traffic.Note = p.Warn
	s.Traffic.Begin(p.Launcher.Now())
	if err := p.Programs.Seat(s.spec); err != nil {
		return nil, err
	}
	var err error
	if s.Player, err = p.Launcher.Player(s.spec, p.Rules, p.botSeed(), &s.Traffic); err != nil {
		return nil, errors.Join(err, s.spec.Release())
	}
	p.all[s] = true
	return s, nil
}

// engineAt is an engine as it is started in a slot.
func (p *Pool) engineAt(engine, slot int) *engines.Spec {
	e := *p.Roster.At(engine)
	if e.Processors == nil {
		e.Processors = p.Places.Of(slot)
	}
	return &e
}

// botSeed is the same for all copies of all bots: what differs between games is
// the identifier of the game, so that the number of copies changes nothing. The secret
// of the run goes into it only where somebody must not know what is hidden: elsewhere
// the same seed is the same run.
func (p *Pool) botSeed() uint64 {
	seeds := p.Seeds
	if p.Rules.Doc().Info == rules.Perfect {
		seeds.Secret = [32]byte{}
	}
	b := seeds.At("bots")
	var n uint64
	for _, x := range b[:8] {
		n = n<<8 | uint64(x)
	}
	return n
}

// Give returns a player for the next game. One that would be started anew for it is
// ended meanwhile, and the next game has another.
func (p *Pool) Give(s *Seated) {
	if e := p.Roster.At(s.Engine); len(e.Cmd) > 0 && e.Restart == protocol.RestartEachGame {
		p.retire(s)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := place{s.Engine, s.slot}
	p.idle[at] = append(p.idle[at], s)
}

// retire ends a player in the background, when there is room.
func (p *Pool) retire(s *Seated) {
	p.mu.Lock()
	delete(p.all, s)
	p.mu.Unlock()
	p.ending <- struct{}{}
	p.ended.Go(func() {
		p.end(s)
		<-p.ending
	})
}

func (p *Pool) end(s *Seated) {
	if err := errors.Join(s.Player.Close(), s.spec.Release()); err != nil {
		p.Warn(p.Roster.At(s.Engine).Name + ": " + err.Error())
	}
}

// Close ends all players, side by side: each may take its grace period.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	for s := range p.all {
		wg.Go(func() { p.end(s) })
	}
	wg.Wait()
	p.ended.Wait()
	p.all, p.idle = map[*Seated]bool{}, map[place][]*Seated{}
}
