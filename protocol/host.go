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
	if _, ok := errors.AsType[*player.Failure](err); ok {
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

// NeverReady returns the failure of an engine that never became ready for its first
// game: of one that has crashed that it did not start, however it ended.
func NeverReady(err error) error {
	if f, ok := errors.AsType[*player.Failure](err); ok && f.Reason == game.ByCrash {
		f.Reason = game.ByStart
	}
	return err
}

// AsFailure returns an error as the failure that it is, or else as a crash.
func AsFailure(err error) *player.Failure {
	var f *player.Failure
	if !errors.As(err, &f) {
		f = player.Fail(game.ByCrash, err, "%v", err)
	}
	return f
}

// Earlier returns the earlier of two times, of which a zero one is never.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Usable returns an error if the process of an earlier game had to be discarded and
// the configuration forbids a new one.
func (w *Wire) Usable(c *Config) error {
	if w.discarded && c.Restart == RestartNever {
		return player.Fail(game.ByCrash, nil, "%s failed in an earlier game and restart=never", c.Name)
	}
	return nil
}

// Discard ends an engine that must not be used again, at once.
func (w *Wire) Discard(c *Config) {
	if w.conn != nil {
		w.discarded = true
		c.WarnEnd(w.Kill())
	}
}

// Remarks passes on what is odd but harmless, a few times a game. The zero value is
// that of a game of which nothing was said.
type Remarks struct{ n int }

// Warnf passes one remark on, with the engine's name before it.
func (r *Remarks) Warnf(c *Config, format string, args ...any) {
	const perGame = 10
	switch r.n++; {
	case r.n < perGame:
		c.Warnf("%s: "+format, append([]any{c.Name}, args...)...)
	case r.n == perGame:
		c.Warnf("%s: further remarks on this game are left out", c.Name)
	}
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
