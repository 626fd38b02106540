package tournament

import "slices"

// Ladder is a tournament of challenges. The engines stand on a ladder, in the
// order in which they were named. In each pass everyone from the last but one up
// is challenged from the place below, and whoever wins a match from below takes
// the place: one pass brings the strongest to the top, who is king of the hill, as
// many as there are engines bring order to them all. Who ties stays where he is.
type Ladder struct {
	meetings
	places []int
	// match is the number of the challenge, from 0.
	match int
}

func newLadder(plan Plan) *Ladder {
	l := &Ladder{meetings: newMeetings(plan)}
	for e := range plan.Engines {
		l.places = append(l.places, e)
	}
	return l
}

func (l *Ladder) matches() int { return l.plan.Rounds * (l.plan.Engines - 1) }

// Len returns the number of games.
func (l *Ladder) Len() int { return l.matches() * l.plan.Games }

// Most is the number of games.
func (l *Ladder) Most() int { return l.Len() }

// challenged is the place, from 0, that the current challenge is about.
func (l *Ladder) challenged() int {
	n := l.plan.Engines
	return n - 2 - l.match%(n-1)
}

// Next returns the next game; challenges are played one after the other.
func (l *Ladder) Next() (Pairing, State) {
	if p, ok := l.take(); ok {
		return p, Ready
	}
	switch {
	case l.open > 0:
		return Pairing{}, Wait
	case l.match == l.matches():
		return Pairing{}, Over
	}
	at := l.challenged()
	l.begin(l.match+1, l.plan.Games, []meeting{l.seats(1, l.places[at+1], l.places[at])})
	return l.Next()
}

// Record takes a result.
func (l *Ladder) Record(f Finished) {
	if !l.record(f) {
		return
	}
	at, p := l.challenged(), l.pairs[0]
	challenger := p.points[0]
	holder := p.points[1]
	if p.first == l.places[at] {
		challenger, holder = holder, challenger
	}
	if challenger > holder {
		l.places[at], l.places[at+1] = l.places[at+1], l.places[at]
	}
	l.match++
}

// Places returns the engines from the top of the ladder down.
func (l *Ladder) Places() []int { return slices.Clone(l.places) }
