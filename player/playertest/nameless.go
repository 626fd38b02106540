package playertest

import (
	"context"

	"kibitz/game"
	"kibitz/player"
)

// Nameless plays every game as if they all had the same name, so that a player who
// draws by the name draws the same wherever it plays.
type Nameless struct{ player.Player }

// NewGame implements player.Player.
func (n Nameless) NewGame(ctx context.Context, s *player.Setup) error {
	same := *s
	same.ID = "same"
	return n.Player.NewGame(ctx, &same)
}

// CanStart implements player.Positioner: as the player behind it.
func (n Nameless) CanStart(spec game.Spec) player.Start {
	if p, ok := n.Player.(player.Positioner); ok {
		return p.CanStart(spec)
	}
	return player.FromNothing
}
