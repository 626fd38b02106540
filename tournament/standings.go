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
	// Other counts forfeits for any other fault: stall, protocol, resource, start.
	Other int
}

// Standings counts the results of a run.
type Standings struct {
	points  Points
	entries []Entry
	// half holds the first game of each pair of games with seats exchanged, by
	// round and pair and number of the couple.
	half map[[2]int]couple
	// pairs counts couples for two engines: LL to WW as seen by engine 0.
	pairs  [5]int
	whole  int
	paired bool
}

type couple struct{ points [2]float64 }

// NewStandings returns the standings of a plan before its first game.
func NewStandings(plan Plan, points Points) *Standings {
	return &Standings{
		points: points, entries: make([]Entry, plan.Engines),
		half: map[[2]int]couple{}, paired: plan.Repeat && plan.Engines == 2,
	}
}

// Add counts a game. Aborted games count for nobody.
func (s *Standings) Add(f Finished) {
	if f.Result.Points[0]+f.Result.Points[1] == 0 {
		return
	}
	engines := [2]int{f.Pairing.First, f.Pairing.Second}
	for seat, e := range engines {
		s.entries[e].add(f.Result, game.Seat(seat), s.points)
	}
	s.whole++
	if s.paired {
		s.addCouple(f)
	}
}

func (s *Standings) addCouple(f Finished) {
	key := [2]int{f.Pairing.Round, f.Pairing.Shuffle}
	mine := f.Result.Points[0]
	if f.Pairing.First != 0 {
		mine = f.Result.Points[1]
	}
	if c, ok := s.half[key]; ok {
		delete(s.half, key)
		s.pairs[int(2*(mine+c.points[0])+0.5)]++
		return
	}
	s.half[key] = couple{[2]float64{mine, 1 - mine}}
}

func (e *Entry) add(r game.Result, seat game.Seat, w Points) {
	e.Games++
	switch r.Winner() {
	case seat:
		e.Wins++
		e.Points += w.Win
		return
	case game.Nobody:
		e.Draws++
		e.Points += w.Draw
		return
	}
	e.Losses++
	e.Points += w.Loss
	switch r.Reason {
	case game.ByCrash, game.ByDisconnect:
		e.Crashes++
	case game.ByTime:
		e.Timeouts++
	case game.ByIllegal:
		e.Illegal++
	case game.ByStall, game.ByProtocol, game.ByResource, game.ByStart:
		e.Other++
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

// Estimate returns an engine's rating difference to the field it met. For two
// engines that play each opening twice the error comes from pairs of games.
func (s *Standings) Estimate(engine int) rating.Estimate {
	if pairs, ok := s.Pairs(engine); ok && pairs.Total() > 0 && len(s.half) == 0 {
		return pairs.Estimate()
	}
	return s.Singles(engine).Estimate()
}

// Singles returns an engine's single games.
func (s *Standings) Singles(engine int) rating.Counts {
	e := s.entries[engine]
	return rating.Trinomial(e.Losses, e.Draws, e.Wins)
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
