package compat

import "kibitz/tournament"

// Counter is told of every game that is over.
type Counter func(tournament.Finished)

// Record counts a game.
func (c Counter) Record(f tournament.Finished) { c(f) }

// Schedule hands out games that are known beforehand.
type Schedule struct {
	Counter
	Games int                            // how many there are
	At    func(i int) tournament.Pairing // from 0
	next  int
}

// Next returns the next game.
func (s *Schedule) Next() (tournament.Pairing, tournament.State) {
	if s.next == s.Games {
		return tournament.Pairing{}, tournament.Over
	}
	s.next++
	return s.At(s.next - 1), tournament.Ready
}

// Len is how many games there are.
func (s *Schedule) Len() int { return s.Games }

// Most is how many there can be.
func (s *Schedule) Most() int { return s.Games }

// Order is the order of n openings: as they are numbered, from 0, or by lot, where each in turn
// changes places with one from it on. below draws a number from 0 to n-1.
func Order(n int, random bool, below func(n int) int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	for i := 0; random && i+1 < n; i++ {
		j := i + below(n-i)
		list[i], list[j] = list[j], list[i]
	}
	return list
}
