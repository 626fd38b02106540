// Package shuffle deals for the games of a run in which chance decides.
package shuffle

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kibitz/journal"
	"kibitz/match"
	"kibitz/rules"
	"kibitz/tournament"
)

// Shuffles deals for the games of a run. A game carries
// the commitment to its shuffle from the start; the seed behind it is published
// when the last game on that shuffle is over, not before.
type Shuffles struct {
	seeds tournament.Seeds
	// Each is how many games are played on one shuffle.
	Each int
	// open are the shuffles of which a game has been played and another has not.
	open map[int]int
	// attempts are those at which the open shuffles are, if it is not the first.
	attempts map[int]int
	// spent are the commitments of shuffles that games of an earlier run began on.
	spent map[string]bool

	mu sync.Mutex
}

// New returns the shuffles of a run; repeated ones are played twice.
func New(seeds tournament.Seeds, repeated bool) *Shuffles {
	s := &Shuffles{seeds: seeds, Each: 1, open: map[int]int{}, attempts: map[int]int{}, spent: map[string]bool{}}
	if repeated {
		s.Each = 2
	}
	return s
}

// Deal gives a game its dealer and its commitment, and returns the seed.
func (s *Shuffles) Deal(g *match.Game, r rules.Rules, p tournament.Pairing) string {
	seed := s.seed(p.Shuffle)
	g.Dealer = match.NewDealer(r, seed)
	if _, fixed := r.(rules.Shuffler); !fixed {
		return ""
	}
	g.Commitment = tournament.Commitment(seed)
	return hex.EncodeToString(seed[:])
}

// seed returns the seed of a shuffle. Its label holds the attempt: a game that is
// played again is dealt anew, unless the other game on the shuffle stands.
func (s *Shuffles) seed(n int) [32]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, known := s.attempts[n]
	if !known {
		for k = 1; s.spent[tournament.Commitment(s.at(n, k))]; k++ {
		}
		if k > 1 {
			s.attempts[n] = k
		}
	}
	return s.at(n, max(1, k))
}

// mostAttempts is how often the game of a shuffle is looked for among those of a run.
const mostAttempts = 4

// Own reports whether a commitment is that of one of the first shuffles of this run.
func (s *Shuffles) Own(commitment string, first int) bool {
	for n := range first + 1 {
		for attempt := 1; attempt <= mostAttempts; attempt++ {
			if tournament.Commitment(s.at(n, attempt)) == commitment {
				return true
			}
		}
	}
	return false
}

func (s *Shuffles) at(n, attempt int) [32]byte {
	return s.seeds.At(fmt.Sprintf("shuffle %d/attempt %d/dealer", n, attempt))
}

// Began notes the commitment of a shuffle on which a game of an earlier run began: another
// game is dealt on it only if Keep says that one stands.
func (s *Shuffles) Began(commitment string) { s.spent[commitment] = true }

// Keep notes a game of an earlier run on a shuffle: another one on the same is dealt
// alike. It reports whether it was the last. A rekeyed run may have been begun with
// another secret.
func (s *Shuffles) Keep(n int, commitment string, rekeyed bool) (last bool, err error) {
	most := 1 << 16 // attempts at one game
	if rekeyed {
		most = 1 << 6
	}
	for k := 1; ; k++ {
		if k > most {
			return false, fmt.Errorf("shuffle %d is not one of this run: its commitment %s is for another secret", n, commitment)
		}
		if tournament.Commitment(s.at(n, k)) == commitment {
			s.attempts[n] = k
			return s.Played(n), nil
		}
	}
}

// Played notes that a game on the shuffle is over and reports whether it was the
// last, so that the seed can be known.
func (s *Shuffles) Played(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[n]++; s.open[n] < s.Each {
		return false
	}
	delete(s.open, n)
	return true
}

// Reveal returns what publishes the seed of a shuffle on which no further game is
// played.
func (s *Shuffles) Reveal(n int) *journal.Reveal {
	seed := s.seed(n)
	s.mu.Lock()
	delete(s.attempts, n)
	s.mu.Unlock()
	return &journal.Reveal{Commitment: tournament.Commitment(seed), Seed: hex.EncodeToString(seed[:])}
}

// Unfinished returns the commitments of the shuffles that were not played out.
func (s *Shuffles) Unfinished() map[string]bool {
	out := map[string]bool{}
	for _, n := range s.Rest() {
		out[tournament.Commitment(s.seed(n))] = true
	}
	return out
}

// Rest returns the shuffles that were not played out, in order.
func (s *Shuffles) Rest() []int { return slices.Sorted(maps.Keys(s.open)) }
