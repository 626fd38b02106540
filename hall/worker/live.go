package worker

import (
	"fmt"
	"log/slog"
	"sync"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// stream is what one audience is told of a game.
type stream struct {
	to    game.Audience
	seq   uint64
	lines [][]byte
	// views are where the latest board of the audience's own, and the latest of the
	// public, stand in lines; -1 if there is none.
	views [2]int
	// thoughts are where the latest of what each seat reported while it thought stands.
	thoughts [2]int
	// wait is where what the game waits for stands in lines, -1 if it waits for nothing,
	// asks where what the seats ask of each other does, -1 for nothing.
	wait, asks int
	// presence are where the latest of each seat's person stand, -1 for none.
	presence [2]int
}

func newStream(to game.Audience) *stream {
	none := [2]int{-1, -1}
	return &stream{to: to, views: none, thoughts: none, presence: none, wait: -1, asks: -1}
}

// live publishes a game to those who watch it and those who sit in it. The referee
// adds, others read.
type live struct {
	bus     Bus
	log     *slog.Logger
	stopped func() bool
	alone   func() bool
	game    string
	attempt int
	// lines lets spectators see what engines say.
	lines bool
	// open lets those who sit in the game see it too.
	open bool

	mu      sync.Mutex
	streams []*stream
	failed  bool
	// asked is the number of the latest list of what is asked.
	asked int
	// begun tells that the game has, early who was there or away before that.
	begun bool
	early [2]*journal.Event
}

func newLive(a *attempt, private bool) *live {
	p := a.p
	l := &live{
		bus: a.w.Bus, log: a.log, stopped: a.stopped, alone: a.alone, game: p.Game, attempt: p.Attempt, lines: p.Lines && !private,
		open: p.Open,
	}
	for s := range p.Seats {
		if k := p.Seats[s].Kind; k == bus.PersonSeat || k == bus.RemoteSeat {
			l.streams = append(l.streams, newStream(game.To(game.Seat(s))))
		}
	}
	if p.Show {
		l.streams = append(l.streams, newStream(game.Public))
	}
	return l
}

// add tells an event to all whom it is meant for. Numbers are those of the audience
// alone: nobody can count what he was not told.
func (l *live) add(ev *journal.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped() {
		return
	}
	if ev.Kind == journal.KindAsks { // lists come from several goroutines
		if ev.Asks.Num <= l.asked {
			return
		}
		l.asked = ev.Asks.Num
	}
	if ev.Kind == journal.KindPresence && !l.begun {
		l.early[ev.Presence.Seat] = ev
		return
	}
	l.tell(ev)
	if ev.Kind == journal.KindStart && !l.begun {
		l.begun = true
		for _, e := range l.early {
			if e != nil {
				l.tell(e)
			}
		}
	}
}

// tell numbers an event for each audience and publishes it; mu is held.
func (l *live) tell(ev *journal.Event) {
	for _, s := range l.streams {
		e := *ev
		kibitzed := e.Kind == journal.KindSaid && !e.Said.By.IsPlayer()
		if e.Kind == journal.KindSaid && (l.lines || kibitzed) && (s.to == game.Public || l.open) {
			e.To = game.Public // else players do not hear what the other one, or a third one, thinks
		}
		if !e.To.Includes(s.to) {
			continue
		}
		s.seq++
		e.Seq = s.seq
		line, err := journal.AppendEvent(nil, &e)
		if err != nil {
			l.log.Error("an event cannot be told: " + err.Error())
			s.seq--
			continue
		}
		s.keep(&e, line)
		if l.alone() {
			continue // whoever listens sees the gap, and asks
		}
		err = l.bus.PublishLive(bus.Live{Game: l.game, Attempt: l.attempt, To: s.to, Seq: s.seq, Line: line})
		if err != nil && !l.failed {
			l.log.Warn("live events are lost: " + err.Error())
		}
		l.failed = err != nil
	}
}

// keep remembers a line for those who come later, of waits, of who is there and of what is asked the one that
// lasts, of boards the latest of each kind: where a seat has boards of its own the public ones show it less.
// Of what a seat reports while it thinks it is the latest, until the seat has decided.
func (s *stream) keep(ev *journal.Event, line []byte) {
	if ev.Kind == journal.KindSaid && ev.Said.By.IsPlayer() {
		at := &s.thoughts[ev.Said.By]
		if *at >= 0 {
			s.lines[*at] = nil
		}
		if *at = -1; ev.Said.Live {
			*at = len(s.lines)
		}
	}
	if ev.Kind == journal.KindView {
		kind := 0
		if ev.To == game.Public {
			kind = 1
		}
		if at := s.views[kind]; at >= 0 {
			s.lines[at] = nil
		}
		s.views[kind] = len(s.lines)
	}
	switch ev.Kind {
	case journal.KindWait:
		line = s.lasts(&s.wait, line, ev.Wait.For != "" || ev.Wait.Clocks != nil) // from where clocks go on
	case journal.KindPresence:
		line = s.lasts(&s.presence[ev.Presence.Seat], line, true)
	case journal.KindAsks:
		line = s.lasts(&s.asks, line, len(ev.Asks.List) > 0)
	}
	s.lines = append(s.lines, line)
}

// lasts replaces the line that stands at a place by one that is kept while it is true.
func (s *stream) lasts(at *int, line []byte, on bool) []byte {
	if *at >= 0 {
		s.lines[*at] = nil
	}
	if !on {
		*at = -1
		return nil
	}
	*at = len(s.lines)
	return line
}

// sync returns all that an audience may know.
func (l *live) sync(to game.Audience) (bus.Sync, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.streams {
		if s.to != to || l.stopped() {
			continue
		}
		out := bus.Sync{Attempt: l.attempt, Seq: s.seq}
		for _, line := range s.lines {
			if line != nil {
				out.Lines = append(out.Lines, line)
			}
		}
		return out, nil
	}
	return bus.Sync{}, fmt.Errorf("game %s is not shown to %s", l.game, to)
}
