package worker

import (
	"fmt"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/match"
)

// signFor is how long a sign of a person counts: a hall gives one every fifteen seconds for
// whoever is connected. Who gave none for so long is away.
const signFor = 45 * time.Second

// awayShown is how long somebody is away before others are told: a page that is loaded anew
// is no news.
const awayShown = 12 * time.Second

// toReturn is how long a person who could not be heard has to give a sign, when he can be
// again.
const toReturn = 15 * time.Second

// absence is what is known of whether the person of a seat is there. Nobody is, from the
// beginning of an attempt, until there is a sign; who is away too long ends the game.
type absence struct {
	// Others than the one who holds the lock read it.
	gone atomic.Bool
	// came tells that there was a sign of the person in this attempt.
	came atomic.Bool
	// shows tells that a connection of the person shows the seat.
	shows bool
	// decided tells that the person has made a move of the game, in an earlier attempt too.
	decided bool
	// timed tells that the seat has a clock for the game.
	timed bool
	// timer ends the time for which a sign counts, or that of grace; due is when it did, while
	// it is not known whether a sign could have come until then.
	timer *time.Timer
	due   time.Time
	// since is when the time of grace began, held how long until then nobody could be
	// heard (reach.heldFor).
	since time.Time
	held  time.Duration
	// notice is the time until others are told that he is away.
	notice *time.Timer
	shown
}

func (x *absence) rest() {
	for _, t := range []*time.Timer{x.timer, x.notice} {
		if t != nil {
			t.Stop()
		}
	}
	x.timer, x.notice, x.due = nil, nil, time.Time{}
}

// presence takes that the person is there, who has waited for the hall until then, or has gone.
func (s *person) presence(what string, waited time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch what {
	case "present":
		if !s.shows { // else another of his connections has shown him what is asked
			s.box.Lose(waited)
		}
		s.shows = true
		s.here()
		s.publish()
	case "gone":
		s.shows = false
		if !s.gone.Load() {
			s.leave()
			s.publish() // another of his connections says that he is there
		}
	default:
		return fmt.Errorf("presence %q is neither present nor gone", what)
	}
	return nil
}

// call asks whether somebody is there who has not said so, by the state of the seat.
func (s *person) call() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone.Load() && !s.closed {
		s.publish()
	}
}

// here notes a sign of the person; s.mu is held.
func (s *person) here() {
	s.rest()
	s.gone.Store(false)
	s.came.Store(true)
	if s.closed {
		return
	}
	s.timer = time.AfterFunc(signFor, s.fade)
	s.showHere(s.a, s.seat)
}

// shown is what others were told of whether the one of a seat is there; the lock of the seat
// guards it.
type shown struct{ told journal.Presence }

// show tells all who watch whether he is there: nothing of that is hidden.
func (x *shown) show(a *attempt, p *journal.Presence) {
	x.told = *p
	a.live.add(&journal.Event{Time: a.w.Now(), Game: a.p.Game, To: game.Public, Kind: journal.KindPresence, Presence: p})
}

// showHere tells that he is there, since now, unless that was told.
func (x *shown) showHere(a *attempt, seat game.Seat) {
	if x.told.Away || x.told.Since.IsZero() {
		x.show(a, &journal.Presence{Seat: seat, Since: a.w.Now()})
	}
}

// noticed tells that he is away, and what comes of it.
func (s *person) noticed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone.Load() || s.closed {
		return
	}
	p := &journal.Presence{Seat: s.seat, Away: true, Since: s.since}
	paused, _ := s.a.standing()
	if grace := s.a.p.Seats[s.seat].Grace; grace > 0 && (!s.decided || !s.timed) && !paused {
		if p.Lapses, p.Ends = s.since.Add(grace), game.ByAbort; s.decided {
			p.Ends = game.ByDisconnect
		}
	}
	s.show(s.a, p)
}

// fade is called when there was no sign for too long.
func (s *person) fade() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone.Load() || s.closed {
		return
	}
	if rest := s.allowance(signFor); rest > 0 {
		s.timer = time.AfterFunc(rest, s.fade)
		return
	}
	s.leave()
	s.publish()
}

// allowance is how much longer somebody may be silent whose time is over: while nobody can
// be heard, and then for as long as it takes to be. s.mu is held.
func (s *person) allowance(most time.Duration) time.Duration {
	now := s.a.w.Now()
	if s.due.IsZero() {
		s.due = now
	}
	on, freed := s.a.w.reach.held(s.due)
	if on {
		return time.Second // and look again
	}
	s.due = time.Time{}
	return freed.Add(min(most, toReturn)).Sub(now)
}

// leave begins the time of grace; s.mu is held.
func (s *person) leave() {
	s.rest()
	s.since, s.held = s.a.w.Now(), s.a.w.reach.heldFor()
	s.shows = false
	s.gone.Store(true)
	if s.closed {
		return
	}
	if s.a.left() {
		s.a.deserted()
	}
	s.notice = time.AfterFunc(awayShown, s.noticed)
	if grace := s.a.p.Seats[s.seat].Grace; grace > 0 {
		s.timer = time.AfterFunc(grace, s.missed)
	}
}

// missed ends a game whose person has been away for as long as is allowed: without a
// result before his first move, else by a loss, unless he has a clock for the game, which
// decides by itself. While the game is paused no clock decides, and nobody is missed as long as
// another one is there.
func (s *person) missed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone.Load() || s.closed {
		return
	}
	grace := s.a.p.Seats[s.seat].Grace
	lost := s.a.w.reach.heldFor() - s.held // in which he could not have come back
	rest := s.allowance(grace)
	paused, since := s.a.standing()
	if since.Before(s.since) {
		since = s.since
	}
	if rest = max(rest, grace+lost-s.a.w.Now().Sub(since)); rest > 0 {
		s.timer = time.AfterFunc(rest, s.missed)
		return
	}
	if paused && !s.a.left() {
		s.timer = time.AfterFunc(grace, s.missed)
		return
	}
	me := &s.a.p.Seats[s.seat]
	r := game.Win(s.seat.Other(), game.ByDisconnect, fmt.Sprintf("%s: away for %s", me.Name, me.Grace))
	switch {
	case !s.decided:
		r = game.Result{Reason: game.ByAbort, Detail: fmt.Sprintf("%s was away for %s before the first move", me.Name, me.Grace)}
		s.a.unplayed(game.Why{Code: bus.WhyAway, Name: me.Name, Text: r.Detail})
	case s.timed && !paused:
		s.timer = time.AfterFunc(grace, s.missed) // it may be paused later
		return
	}
	s.a.cancel(&match.Verdict{Result: r})
}

// unplayed notes why the game ends without a move of somebody who was away: because of him, or
// because nobody came.
func (a *attempt) unplayed(why game.Why) {
	came := false
	for i, s := range a.seats {
		came = came || a.remote[i] != nil || s != nil && s.came.Load()
	}
	if !came {
		why.Code, why.Name = bus.WhyNobody, ""
	}
	a.mu.Lock()
	a.why = why
	a.mu.Unlock()
}

// left reports whether people play the game, and none of them is there.
func (a *attempt) left() bool {
	people := false
	for _, s := range a.seats {
		if s != nil && !s.gone.Load() {
			return false
		}
		people = people || s != nil
	}
	return people
}
