package replay

import (
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/rules"
)

// CheckShuffle plays the dealer of a seed along the line and returns what it would
// have dealt otherwise, nil if everything was dealt from that shuffle.
func (l *Line) CheckShuffle(seed [32]byte) error {
	sh, ok := l.Rules.(rules.Shuffler)
	if !ok {
		return errors.New("the game has no shuffle")
	}
	// The dealer lays out what is face down when it is asked for the first time. Deals of
	// an opening were given, or the dealer was asked for them: the record has no word for
	// that, so any of them may have been the first.
	first := len(l.Steps)
	for i := range l.Steps {
		if s := &l.Steps[i]; s.By != game.Dealer {
			continue
		} else if !s.Opening {
			first = i
			break
		}
		if l.dealtFrom(sh.Shuffle(seed), i) == nil {
			return nil
		}
	}
	return l.dealtFrom(sh.Shuffle(seed), first)
}

// dealtFrom lets a dealer deal at a decision and, after the opening, behind it.
func (l *Line) dealtFrom(d rules.Dealer, first int) error {
	for i := first; i < len(l.Steps); i++ {
		s := &l.Steps[i]
		if s.By != game.Dealer || s.Opening && i != first {
			continue
		}
		st, err := l.State(i)
		if err != nil {
			return err
		}
		m, err := d.Deal(st)
		if err != nil {
			return fmt.Errorf("decision %d: %w", i+1, err)
		}
		if m != s.Move {
			return fmt.Errorf("decision %d: %s was dealt, the shuffle has %s", i+1, l.Rules.FormatMove(s.Move), l.Rules.FormatMove(m))
		}
	}
	return nil
}
