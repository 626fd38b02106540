package match

import (
	"errors"
	"math/rand/v2"

	"kibitz/game"
	"kibitz/rules"
)

// NewDealer returns the dealer that the seed determines: the rules' own shuffle,
// if they have one, else draws by weight.
func NewDealer(r rules.Rules, seed [32]byte) rules.Dealer {
	if s, ok := r.(rules.Shuffler); ok {
		return s.Shuffle(seed)
	}
	return Outcomes(rand.New(rand.NewChaCha8(seed)).IntN)
}

// Outcomes returns a dealer that draws by weight with the numbers of next, which
// returns a number from 0 up to but excluding n.
func Outcomes(next func(n int) int) rules.Dealer { return &weighted{next: next} }

type weighted struct {
	next func(n int) int
	list []rules.Outcome
}

// Deal draws one outcome by weight.
func (w *weighted) Deal(s rules.State) (game.Move, error) {
	w.list = w.list[:0]
	if c, ok := s.(rules.Chance); ok {
		w.list = c.Outcomes(w.list)
	}
	total := 0
	for _, o := range w.list {
		total += o.Weight
	}
	if total <= 0 {
		return game.Move{}, errors.New("the position offers chance nothing to decide")
	}
	k := w.next(total)
	for _, o := range w.list {
		if k -= o.Weight; k < 0 {
			return o.Move, nil
		}
	}
	return w.list[len(w.list)-1].Move, nil
}
