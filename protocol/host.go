package protocol

import (
	"context"
	"errors"
	"syscall"
	"time"

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

// Until returns the moment at which a limit has passed from now on, or where it is not
// set, another.
func (c *Config) Until(limit, otherwise time.Duration) time.Time {
	if limit <= 0 {
		limit = otherwise
	}
	return c.Now().Add(limit)
}

// Renew makes sure that an engine runs that has not failed, and for each game a new one
// where it is to be so; shut ends the one that runs. It reports whether a new one was
// started, which knows of nothing yet.
func (w *Wire) Renew(ctx context.Context, c *Config, failed, played bool, shut func() error) (started bool, err error) {
	if w.Conn() != nil && failed && c.Restart == RestartNever {
		return false, player.Fail(game.ByStart, nil, "the engine failed and restart=never forbids a new one")
	}
	if w.Conn() != nil && (failed || c.Restart == RestartEachGame && played) {
		c.WarnEnd(shut())
	}
	if w.Conn() != nil {
		return false, nil
	}
	conn, err := c.Connect(ctx)
	if err != nil {
		return false, err
	}
	w.Attach(conn)
	return true, nil
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
