package othello

import (
	"kibitz/game"
	"kibitz/rules"
)

var _ rules.Forcer = (*State)(nil)

// Forced returns the pass if the side to move has no square to play on.
func (s *State) Forced() (move game.Move, forced bool) {
	return game.PassMove(), s.moves == 0 && !s.over
}
