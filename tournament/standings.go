package tournament

import (
	"kibitz/game"
	"kibitz/rating"
)

// Points weighs results. The zero value is 1, ½, 0.
type Points struct{ Win, Draw, Loss float64 }

// DefaultPoints are the usual match points.
var DefaultPoints = Points{Win: 1, Draw: 0.5}

// Entry is one engine's line in the standings.
type Entry struct {
	Games, Wins, Draws, Losses int
	// Points includes what byes brought.
	Points                     float64
	Byes                       int
	Crashes, Timeouts, Illegal int
	// Starts counts forfeits by engines that never became ready, Other those for any
	// other fault: stall, protocol, resource.
	Starts, Other int
	// WonUnplayed and LostUnplayed are the wins and losses of games that an organiser
	// awarded. They are no evidence of strength.
	WonUnplayed, LostUnplayed int
}

// Standings counts the results of a run.
type Standings struct {
	points  Points
	entries []Entry
	// halves holds what engine 0 made in the two games on a shuffle, by its number.
	halves []couple
	// pairs counts couples for two engines: LL to WW as seen by engine 0; single
	// is how many wait for their other game.
	pairs  [5]int
	single int
	whole  int
	paired bool
	// changes counts what was added and taken back.
	changes int
}

// couple is two games with seats exchanged: what engine 0 made in either seat, in
// half points from 1, 0 for a game that is not counted.
type couple [2]uint8

func (c couple) whole() bool { return c[0] > 0 && c[1] > 0 }

func (c couple) single() bool { return (c[0] > 0) != (c[1] > 0) }

// NewStandings returns the standings of a plan before its first game.
func NewStandings(plan Plan, points Points) *Standings {
	return &Standings{
		points: points, entries: make([]Entry, plan.Engines), paired: plan.Repeat && plan.Engines == 2,
	}
}

// Grow makes room for engines that enter late.
func (s *Standings) Grow(engines int) {
	for len(s.entries) < engines {
		s.entries = append(s.entries, Entry{})
	}
	if engines > 2 {
		s.paired, s.halves = false, nil
	}
}

// Add counts a game. Aborted games count for nobody.
func (s *Standings) Add(f Finished) { s.count(f, 1) }

// Remove takes back a game that was counted.
func (s *Standings) Remove(f Finished) { s.count(f, -1) }

func (s *Standings) count(f Finished, by int) {
	if !f.hasVerdict() {
		return
	}
	engines := [2]int{f.Pairing.First, f.Pairing.Second}
	for seat, e := range engines {
		s.entries[e].count(&f, game.Seat(seat), s.points, by)
	}
	s.whole += by
	s.changes++
	if s.paired && !f.Unplayed() {
		s.countHalf(f, by)
	}
}

// countHalf counts a game of two engines among the pairs.
func (s *Standings) countHalf(f Finished, by int) {
	// Shuffles of games that an organiser added are negative: every other place.
	at := 2 * f.Pairing.Shuffle
	if at < 0 {
		at = -at - 1
	}
	for at >= len(s.halves) {
		s.halves = append(s.halves, couple{})
	}
	c := &s.halves[at]
	s.book(*c, -1)
	seat := 0
	if f.Pairing.First != 0 {
		seat = 1
	}
	c[seat] = 0
	if by > 0 {
		c[seat] = uint8(2*f.Result.Points[seat] + 1.5)
	}
	s.book(*c, 1)
}

// book counts a couple.
func (s *Standings) book(c couple, by int) {
	switch {
	case c.whole():
		s.pairs[c[0]+c[1]-2] += by
	case c.single():
		s.single += by
	}
}

func (e *Entry) count(f *Finished, seat game.Seat, w Points, by int) {
	e.Games += by
	at, points := &e.Losses, w.Loss
	switch f.Result.Winner() {
	case seat:
		at, points = &e.Wins, w.Win
	case game.Nobody:
		at, points = &e.Draws, w.Draw
	}
	*at += by
	e.Points = exact(e.Points + float64(by)*points)
	if f.Unplayed() {
		if at == &e.Wins {
			e.WonUnplayed += by
		} else {
			e.LostUnplayed += by
		}
	}
	if at == &e.Losses {
		e.fault(f.Result, by)
	}
}

// fault counts why a game was lost.
func (e *Entry) fault(r game.Result, by int) {
	switch fault(r) {
	case 1:
		e.Crashes += by
	case 2:
		e.Timeouts += by
	case 3:
		e.Illegal += by
	case 4:
		e.Other += by
	case 5:
		e.Starts += by
	}
}

// AddByes counts matches that an engine won without playing.
func (s *Standings) AddByes(engine, byes int, points float64) {
	s.entries[engine].Byes += byes
	s.entries[engine].Points += points
}

// Games returns how many games were counted.
func (s *Standings) Games() int { return s.whole }

// Entry returns the line of one engine.
func (s *Standings) Entry(engine int) Entry { return s.entries[engine] }

// Difference returns the rating difference of one of two engines to the other, from
// pairs of games where each opening is played twice.
func (s *Standings) Difference(engine int) rating.Estimate {
	if pairs, ok := s.Pairs(engine); ok && pairs.Total() > 0 && s.single == 0 {
		return pairs.Estimate()
	}
	return s.Singles(engine).Estimate()
}

// Singles returns an engine's single games, without those that were not played.
func (s *Standings) Singles(engine int) rating.Counts {
	e := s.entries[engine]
	return rating.Trinomial(e.Losses-e.LostUnplayed, e.Draws, e.Wins-e.WonUnplayed)
}

// Pairs returns an engine's whole pairs of games. It is false unless two engines
// play each opening twice.
func (s *Standings) Pairs(engine int) (rating.Counts, bool) {
	if !s.paired || engine > 1 {
		return rating.Counts{}, false
	}
	p := s.pairs
	if engine == 1 {
		p[0], p[1], p[3], p[4] = p[4], p[3], p[1], p[0]
	}
	return rating.Pentanomial(p[0], p[1], p[2], p[3], p[4]), true
}
