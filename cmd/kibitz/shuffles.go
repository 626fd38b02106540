package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kibitz/journal"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/tournament"
)

// shuffles deals for the games of a run in which chance decides. A game carries
// the commitment to its shuffle from the start; the seed behind it is published
// when the last game on that shuffle is over, not before.
type shuffles struct {
	seeds tournament.Seeds
	// each is how many games are played on one shuffle.
	each int
	// open are the shuffles of which a game has been played and another has not.
	open map[int]int
}

// checkPairs refuses paired games for those who could remember a shuffle: people,
// and engines that live on between games. Engines that may be restarted are.
func checkPairs(engines []*engineSpec) error {
	for _, e := range engines {
		switch {
		case e.Human:
			return fmt.Errorf("--repeat: a person would know the shuffle when it comes again; play different ones")
		case len(e.Cmd) > 0 && e.Restart == protocol.RestartNever:
			return fmt.Errorf("--repeat: %s has restart=never and would know the shuffle when it comes again; leave restart away", e.Name)
		case len(e.Cmd) > 0:
			e.Restart = protocol.RestartEachGame
		}
	}
	return nil
}

// deal gives a game its dealer and its commitment, and returns the seed.
func (s *shuffles) deal(g *match.Game, r rules.Rules, p tournament.Pairing) string {
	seed := s.seed(p.Shuffle)
	g.Dealer = dealerFor(r, seed)
	if _, fixed := r.(rules.Shuffler); !fixed {
		return ""
	}
	g.Commitment = tournament.Commitment(seed)
	return hex.EncodeToString(seed[:])
}

// seed returns the seed of a shuffle. Its label holds the attempt: a game that is
// played again is dealt anew.
func (s *shuffles) seed(n int) [32]byte {
	return s.seeds.At(fmt.Sprintf("shuffle %d/attempt 1/dealer", n))
}

// played notes that a game on the shuffle is over and reports whether it was the
// last, so that the seed can be known.
func (s *shuffles) played(n int) bool {
	if s.open[n]++; s.open[n] < s.each {
		return false
	}
	delete(s.open, n)
	return true
}

// reveal returns the event that publishes the seed of a shuffle.
func (s *shuffles) reveal(n int) *journal.Reveal {
	seed := s.seed(n)
	return &journal.Reveal{Commitment: tournament.Commitment(seed), Seed: hex.EncodeToString(seed[:])}
}

// rest returns the shuffles that were not played out, in order.
func (s *shuffles) rest() []int { return slices.Sorted(maps.Keys(s.open)) }

// readSeedText reads the seed of a shuffle, 64 hexadecimal digits.
func readSeedText(text string) (seed [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(seed) {
		return seed, errors.New("the seed of a shuffle has 64 hexadecimal digits")
	}
	copy(seed[:], b)
	return seed, nil
}
