package protocol

import (
	"context"
	"errors"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// Connect starts the engine, or reaches it. The error is a *player.Failure: the
// dialer's own, or that the engine did not start.
func (c *Config) Connect(ctx context.Context) (link.Conn, error) {
	conn, err := c.Dial(ctx)
	if err == nil {
		return conn, nil
	}
	var f *player.Failure
	if errors.As(err, &f) {
		return nil, err
	}
	return nil, player.Fail(game.ByStart, err, "starting %s: %v", c.Name, err)
}

// WarnEnd passes on what went wrong in ending the engine where nobody waits for the
// error, as between two games; nil is nothing.
func (c *Config) WarnEnd(err error) {
	if err != nil {
		c.Warnf("%s: ending the process: %v", c.Name, err)
	}
}

// Late is what silence up to the deadline of a prompt means: the loss of the game on
// time, or without a clock a stalled engine.
func Late(p *player.Prompt) game.Reason {
	if p.Seat.IsPlayer() && p.Clocks[p.Seat].Control.None() {
		return game.ByStall
	}
	return game.ByTime
}
