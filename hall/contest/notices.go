package contest

import (
	"fmt"

	"kibitz/tournament"
)

// Orders are the kinds of events that people bring about.
func Orders() []Kind {
	return []Kind{Enter, Leave, Start, Order, Abort, Pause, Resume, Concurrency, Finish, Cancel}
}

// For returns an event as somebody may be told it: everyone hears which director did
// what, but of those who enter and withdraw their engines only directors hear, and they
// themselves. The owner is the account that made the tournament.
func (e Event) For(reader Actor, owner int64) Event {
	if reader.Director || !e.byAnyone() {
		return e
	}
	if reader.hearsNot(e.By, owner) {
		e.By, e.Name = 0, ""
	}
	if e.Entry != nil {
		x := e.Entry.For(reader, owner)
		e.Entry = &x
	}
	return e
}

// For returns an entry as somebody may see it: without the account that entered it, if
// that is neither his own nor the owner's.
func (x Entry) For(reader Actor, owner int64) Entry {
	if !reader.Director && reader.hearsNot(x.User, owner) {
		x.User, x.By = 0, ""
	}
	return x
}

func (a Actor) hearsNot(user, owner int64) bool { return user != owner && (user == 0 || user != a.ID) }

// byAnyone reports whether accounts that direct nothing bring such events about.
func (e *Event) byAnyone() bool {
	return e.Kind == Enter || e.Kind == Leave || e.Kind == Order && e.Order != nil && e.Order.Kind == tournament.Withdraw
}

// Story is an event in words that a page has: which of its sentences, and what stands
// in it.
type Story struct {
	// Says is the kind of an event, that of an order, or "void" for a game that ended
	// without a verdict, "annul" for an engine none of whose games counts any more,
	// "forfeitall" for all games of two.
	Says string
	// Name is an engine, or the one that sits first or is named first; Other the
	// other one.
	Name, Other string
	// Game is the label of a game, Number a number of games or openings.
	Game   string
	Number int
	Points [2]float64
	Reason string
}

// Story tells an event that has happened, or that would happen now.
func (s *State) Story(e *Event) Story {
	t := Story{Says: string(e.Kind), Number: e.Number}
	switch {
	case e.Entry != nil:
		t.Name = e.Entry.Name
	case e.Kind == Leave:
		t.Name = s.nameOf(e.Number)
	case e.Kind == AddOpenings:
		t.Number = len(e.Openings)
	case e.Game != nil:
		t.Game, t.Name, t.Other = e.Game.Label(), s.engineName(e.Game.First), s.engineName(e.Game.Second)
	case e.Over != nil:
		t.Game, t.Points, t.Reason = (&Game{Index: e.Over.Index, Replays: e.Over.Replays}).Label(), e.Over.Points, string(e.Over.Reason)
		if !isVerdict(e.Over.Points) {
			t.Says = "void"
		}
	case e.Order != nil:
		s.tellOrder(&t, e.Order)
	}
	return t
}

func (s *State) tellOrder(t *Story, o *tournament.Order) {
	t.Says, t.Number, t.Points = string(o.Kind), o.Games, o.Points
	t.Name, t.Other = s.engineName(o.Engine), s.engineName(o.Opponent)
	if o.Game > 0 {
		t.Game = fmt.Sprint(o.Game)
	}
	switch {
	case o.Kind == tournament.Withdraw && o.Remaining == tournament.Annulled:
		t.Says = "annul"
	case o.Kind == tournament.Forfeit && o.Game == 0:
		t.Says = "forfeitall"
	case o.Kind == tournament.Pair && t.Number == 0: // a Swiss has them meet in its next round
		t.Number = s.plan.Games
	}
}
