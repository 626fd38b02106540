package player

import (
	"context"

	"kibitz/game"
)

// Forbidder is implemented by players that name the points on which black may not play.
type Forbidder interface {
	// Forbidden returns them for the current position.
	Forbidden(ctx context.Context) ([]game.Point, error)
}

// HashOrder is what a player is to do with its table of positions.
type HashOrder uint8

// The orders: to empty it, to read it from a file, to write it to one, and to say how full
// it is.
const (
	HashClear HashOrder = iota
	HashLoad
	HashDump
	HashUsage
)

// Hasher is implemented by players whose table of positions can be managed while a game runs.
type Hasher interface {
	// Hash returns what the player said of it. The file is that of HashLoad and HashDump.
	Hash(ctx context.Context, order HashOrder, file string) (said string, err error)
}
