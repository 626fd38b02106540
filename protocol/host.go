package protocol

import (
	"context"
	"errors"
	"syscall"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// Connect starts the engine, or reaches it. The error is a *player.Failure: the
// dialer's own, or that the engine did not start (see Blame).
func (c *Config) Connect(ctx context.Context) (link.Conn, error) {
	conn, err := c.Dial(ctx)
	if err == nil {
		return conn, nil
	}
	var f *player.Failure
	if errors.As(err, &f) {
		return nil, err
	}
	return nil, player.Fail(Blame(game.ByStart, err), err, "starting %s: %v", c.Name, err)
}

// Blame returns the reason by which an engine that could not be started loses: why,
// or game.ByAbort, by which nobody does, where the machine was at fault.
func Blame(why game.Reason, err error) game.Reason {
	if HostFault(err) {
		return game.ByAbort
	}
	return why
}

// HostFault reports whether an error is of the machine that runs the games, or of a
// limit that is set for it, and so of none of its engines: no room for another
// process, file or byte.
func HostFault(err error) bool {
	var n syscall.Errno
	if !errors.As(err, &n) {
		return false
	}
	switch n {
	case syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS,
		syscall.EIO:
		return true
	}
	return false
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
