package worker

import (
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// thoughtsEvery is the least time between two events about what engines report while they
// think: of what they report in between viewers get the latest.
const thoughtsEvery = 200 * time.Millisecond

// thoughts tells viewers what engines report before they have decided. Consoles get it
// too, of engines without a host here.
type thoughts struct {
	a *attempt
	// players are those in the seats; engines report in the goroutine that reads what they say.
	players [2]player.Player

	mu    sync.Mutex
	next  [2]*game.Info // not told yet
	names [2]string
	timer *time.Timer
	runs  bool // the timer does
	told  time.Time
	over  bool
}

// report is match.Game.Report.
func (t *thoughts) report(by game.Seat, i *game.Info) {
	if !by.IsPlayer() {
		return
	}
	info := *i
	info.PV = slices.Clone(info.PV)
	name := player.OwnName(t.players[by])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	t.next[by], t.names[by] = &info, name
	wait := max(0, thoughtsEvery-t.a.w.Now().Sub(t.told))
	switch {
	case t.runs:
		return
	case t.timer == nil:
		t.timer = time.AfterFunc(wait, t.tell)
	default:
		t.timer.Reset(wait)
	}
	t.runs = true
}

// forget drops what a decision has made old.
func (t *thoughts) forget(by game.Seat) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if by.IsPlayer() {
		t.next[by] = nil
	}
}

// tell tells what there is. A decision waits for it, so that it is told in front.
func (t *thoughts) tell() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs = false
	for s, info := range t.next {
		if info == nil || t.over {
			continue
		}
		t.next[s], t.told = nil, t.a.w.Now()
		ev := &journal.Event{
			Kind: journal.KindSaid, Game: t.a.p.Game, Time: t.a.w.Now(), To: game.Arbiter,
			Said: &journal.Said{By: game.Seat(s), Info: *info, Live: true, Name: t.names[s]},
		}
		t.a.live.add(ev)
		if c := t.a.consoles[s]; c != nil {
			c.event(ev)
		}
	}
}

// end tells no more.
func (t *thoughts) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over = true; t.timer != nil {
		t.timer.Stop()
	}
}
