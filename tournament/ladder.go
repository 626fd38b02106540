package tournament

import (
	"slices"

	"kibitz/game"
)

// Ladder is a tournament of challenges. The engines stand on a ladder, in the
// order in which they were named. In each pass everyone from the last but one up
// is challenged from the place below, and whoever wins a match from below takes
// the place: one pass brings the strongest to the top, who is king of the hill, as
// many as there are engines bring order to them all. Who ties stays where he is.
type Ladder struct {
	meetings
	places []int
	// at is the place, from 0, that the current challenge is about; pass counts the
	// passes that have begun.
	at, pass int
	// leaving are engines that go when the current challenge is over.
	leaving []int
}

func newLadder(plan Plan) *Ladder {
	l := &Ladder{meetings: newMeetings(plan)}
	for e := range plan.Engines {
		l.places = append(l.places, e)
	}
	return l
}

// Len returns the number of games, as far as is known while engines leave.
func (l *Ladder) Len() int {
	left := 0
	if n := len(l.places) - len(l.leaving); n > 1 {
		left = l.at + (l.plan.Rounds-l.pass)*(n-1)
	}
	return l.total + left*l.plan.Games
}

// Most is the number of games.
func (l *Ladder) Most() int { return l.Len() }

// Next returns the next game; challenges are played one after the other.
func (l *Ladder) Next() (Pairing, State) { return l.follow(l.advance) }

// advance begins the next challenge.
func (l *Ladder) advance() bool {
	if l.open > 0 {
		return false
	}
	places, at := l.after()
	pass := l.pass
	if at--; at < 0 {
		at, pass = len(places)-2, pass+1
	}
	if pass > l.plan.Rounds || len(places) < 2 {
		return false // the last challenge stays open for corrections
	}
	l.places, l.leaving, l.at, l.pass = places, nil, at, pass
	l.start(l.count+1, l.plan.Games, []meeting{l.seat(1, places[at+1], places[at])})
	return true
}

// after returns the places when the current challenge is counted and who leaves is
// gone, and the place of its winner.
func (l *Ladder) after() (places []int, at int) {
	places, at = slices.Clone(l.places), l.at
	if l.count > 0 && l.open == 0 {
		p := l.pairs[0]
		challenger, holder := p.points[0], p.points[1]
		if p.first == places[at] {
			challenger, holder = holder, challenger
		}
		if challenger > holder {
			places[at], places[at+1] = places[at+1], places[at]
		}
	}
	for _, e := range l.leaving {
		i := slices.Index(places, e)
		places = slices.Delete(places, i, i+1)
		if i < at {
			at--
		}
	}
	return places, max(0, min(at, len(places)-1))
}

// Record takes a result.
func (l *Ladder) Record(f Finished) {
	l.change(f.Pairing, f.Result, 1)
	l.hold(-1)
}

// change counts a result; one of a challenge after which there was another moves
// nobody any more.
func (l *Ladder) change(p Pairing, r game.Result, by int) { l.tally(p, r, by) }

// withdraw takes an engine off the ladder when the current challenge is over.
func (l *Ladder) withdraw(engine int) { l.leaving = append(l.leaving, engine) }

// enter puts an engine at the bottom, from where it challenges in the next pass.
func (l *Ladder) mayEnter(int) error {
	if l.pass == l.plan.Rounds {
		return errBegun("the last pass up the ladder has begun")
	}
	return nil
}

func (l *Ladder) enter(int) *block {
	l.places = append(l.places, l.plan.Engines)
	l.grow()
	return nil
}

// Places returns the engines from the top of the ladder down.
func (l *Ladder) Places() []int {
	places, _ := l.after()
	return places
}

// standing is an engine's place, counted from below; who has left the ladder stands
// below all.
func (l *Ladder) standing(engine int) (float64, bool) {
	places := l.Places()
	if i := slices.Index(places, engine); i >= 0 {
		return float64(len(places) - i), true
	}
	return 0, true
}
