package worker

import (
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
)

// stands takes what becomes of a pause: all who watch hear of it, and whoever takes the game up.
func (a *attempt) stands(s match.Stand) {
	a.pausing.Lock()
	defer a.pausing.Unlock()
	a.stand = s
	w := &journal.Wait{}
	if s.Pause != nil {
		w.For, w.By, w.Ruled = journal.ForAnswer, s.By, s.Ruled
	}
	if s.Now {
		w.Clocks = &s.Clocks
		if s.Pause != nil {
			w.For = journal.ForPause
		}
		if a.events != nil {
			a.events.add(a.waitEvent(w))
		}
	}
	if s.Now && s.Pause == nil {
		a.counts = a.w.Now()
	}
	a.live.add(a.waitEvent(w))
}

// waitEvent is a wait as it is told.
func (a *attempt) waitEvent(w *journal.Wait) *journal.Event {
	return &journal.Event{Time: a.w.Now(), Game: a.p.Game, To: game.Public, Kind: journal.KindWait, Wait: w}
}

// standing reports whether the game is paused, on nobody's clock, and from when, at the earliest, it
// counts that somebody is away.
func (a *attempt) standing() (on bool, counts time.Time) {
	a.pausing.Lock()
	defer a.pausing.Unlock()
	return a.stand.Now && a.stand.Pause != nil, a.counts
}

// deserted tells that the last person has left: in a paused game that counts from now.
func (a *attempt) deserted() {
	a.pausing.Lock()
	defer a.pausing.Unlock()
	if a.stand.Now && a.stand.Pause != nil {
		a.counts = a.w.Now()
	}
}
