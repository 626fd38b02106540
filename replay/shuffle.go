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
	d := sh.Shuffle(seed)
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.By != game.Dealer || s.Opening {
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
