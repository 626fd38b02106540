package run

import (
	"slices"
	"sync"
	"time"

	"kibitz/player"
	"kibitz/run/engines"
	"kibitz/run/roster"
)

const (
	// quickPly is what a decision takes at most, of an engine that answers at once, with
	// the referee: what it costs to wake another processor is most of it then.
	quickPly = 500 * time.Microsecond
	// thinkPly is what only one takes that thinks, on a machine that is busy, too.
	thinkPly = 20 * quickPly
	// trialGames are played free, and then bound, before a place is judged; a bound one
	// is judged again after each of them. The median counts: another program that comes
	// between makes single games slow.
	trialGames = 16
	// restGames is how many games are played free after a trial that failed, twice as many
	// after each further one.
	restGames = 128
)

// placing has the engines of a game at a time and its referee share a processor of their own,
// if they answer at once: then each wakes the next where it runs itself. Engines that
// think are left alone, and so is everything as soon as games take longer for it: beside
// other programs the system knows better.
type placing struct {
	// processors may be used, none if nothing is to be bound.
	processors []int
	// places are those of the engines where the user has them bound; nil else. The referee
	// of each game is bound with them.
	places *roster.Places
	// tell is told once.
	tell func(string)

	mu    sync.Mutex
	told  bool
	taken map[int]bool // processors of games
	spots []*spot      // by slot
}

// spot is one of the games at a time. It belongs to the goroutine that plays there.
type spot struct {
	processor []int // nil while it is free
	thread    int
	free      func()

	took           []time.Duration // for a decision, in each game of the trial
	before         time.Duration   // the median while it was free
	rest, failures int
}

// newPlacing returns what binds the engines of a run as it began, which may be nothing.
func newPlacing(s *Settings, list []*engines.Spec, places *roster.Places, tell func(string)) *placing {
	x := &placing{tell: tell, taken: map[int]bool{}}
	if !slices.ContainsFunc(list, func(e *engines.Spec) bool { return len(e.Cmd) == 0 }) {
		x.places = places
	}
	for _, e := range list {
		if len(e.Cmd) == 0 || e.Human || e.Ponder || e.Threads > 1 || e.Processors != nil {
			return x
		}
	}
	if all, err := engines.AllowedProcessors(); err == nil && s.Affinity == "" && s.Concurrency <= len(all) && len(all) > 1 {
		x.processors = all
	}
	return x
}

func (x *placing) at(slot int) *spot {
	x.mu.Lock()
	defer x.mu.Unlock()
	for slot >= len(x.spots) {
		x.spots = append(x.spots, &spot{})
	}
	return x.spots[slot]
}

// begin sees to it that the players of a game, and who calls, are where they should be.
func (x *placing) begin(slot int, seats [2]*roster.Seated) {
	if x.processors == nil && x.places == nil {
		return
	}
	s := x.at(slot)
	if x.places != nil {
		if s.processor = x.places.Of(slot); s.processor != nil && s.thread != engines.Thread() {
			s.hold()
		}
		return
	}
	if s.processor != nil && s.thread != engines.Thread() { // another goroutine plays here now
		s.free = nil
		if !s.hold() {
			x.release(s)
		}
	}
	for _, p := range seats {
		again := len(s.took) == 0 // an engine may have started threads
		if (again || !slices.Equal(p.Place, s.processor)) && !x.place(p, s.processor) && s.processor != nil {
			x.release(s)
			break
		}
	}
	if s.processor == nil {
		for _, p := range seats {
			x.place(p, nil)
		}
	}
}

// place binds a player, or frees it.
func (x *placing) place(p *roster.Seated, processor []int) bool {
	if processor == nil && p.Place == nil {
		return true
	}
	who, ok := p.Player.(player.Placed)
	if p.Place = nil; ok && who.Place(processor, x.processors) {
		p.Place = processor
	}
	return p.Place != nil
}

// hold binds the goroutine that plays.
func (s *spot) hold() bool {
	free, err := engines.Hold(s.processor)
	s.free, s.thread = free, engines.Thread()
	return err == nil
}

// release frees a spot, and does not try again for a while.
func (x *placing) release(s *spot) {
	if s.free != nil {
		s.free()
	}
	x.mu.Lock()
	delete(x.taken, s.processor[0])
	x.mu.Unlock()
	*s = spot{failures: s.failures + 1, rest: restGames << min(s.failures, 13)}
}

// end is told how long a game took, and judges.
func (x *placing) end(slot int, took time.Duration, plies int) {
	if x.processors == nil {
		return
	}
	s := x.at(slot)
	if s.rest > 0 {
		s.rest--
		return
	}
	each := took / time.Duration(max(1, plies))
	if plies == 0 || each > thinkPly {
		if s.took = s.took[:0]; s.processor != nil {
			x.release(s)
		}
		return
	}
	if s.took = append(s.took, each); len(s.took) < trialGames {
		return
	}
	slices.Sort(s.took)
	each, s.took = s.took[trialGames/2], s.took[:0]
	switch {
	case s.processor != nil && each > min(quickPly, s.before+s.before/4):
		x.release(s)
	case s.processor == nil && each <= quickPly:
		s.before = each
		x.bind(s)
	}
}

// bind gives a spot a processor that no other has, best the one on which it is.
func (x *placing) bind(s *spot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(x.processors), func(n int) bool { return x.taken[n] })
	if len(list) == 0 {
		return
	}
	n := list[0]
	if here := engines.Here(); slices.Contains(list, here) {
		n = here
	}
	if s.processor = []int{n}; !s.hold() {
		s.processor, s.rest = nil, restGames
		return
	}
	x.taken[n] = true
	if !x.told {
		x.told = true
		x.tell("engines that answer at once share a processor with the referee of their game (--affinity off: they do not)")
	}
}
