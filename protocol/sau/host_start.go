package sau

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// NewGame starts the engine if need be and gives it the game. A black engine begins
// to think at new black, which therefore waits for the first Choose.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.EndWatch()
	if err := h.take(s); err != nil {
		return err
	}
	if h.cfg.Restart == protocol.RestartEachGame {
		h.Leave(&h.cfg)
	}
	if err := h.open(ctx); err != nil {
		h.Discard(&h.cfg)
		return err
	}
	if h.seat == game.First {
		h.held = appendArg(h.held[:0], wordNew, argBlack)
		return nil
	}
	h.playing = true
	h.write(appendArg(h.buf[:0], wordNew, argWhite))
	return nil
}

// take copies what the game needs out of the set-up.
func (h *Host) take(s *player.Setup) error {
	h.fail, h.playing = nil, false
	unsupported := func(format string, args ...any) error {
		return player.Fail(game.ByStart, player.ErrUnsupported, format, args...)
	}
	f := h.forms.of(s.Spec)
	switch {
	case f == nil:
		return unsupported("the protocol does not play %s", s.Spec.ID())
	case s.Start != "" || len(s.History) > 0:
		return unsupported("the protocol can begin a game at its initial position only")
	case !s.Seat.IsPlayer():
		return unsupported("the protocol knows no engine without a seat")
	case s.Width > MaxLetter+1 || s.Height > MaxLetter+1:
		return unsupported("a board of %dx%d has more columns or rows than the protocol has letters", s.Width, s.Height)
	}
	h.form, h.seat, h.loose = f, s.Seat, looseOf(s.Spec)
	h.width, h.height = s.Width, s.Height
	h.told, h.held, h.turn = false, h.held[:0], h.turn[:0]
	return nil
}

// open makes a process ready for a game: the one that runs, if it answers name?,
// or a new one.
func (h *Host) open(ctx context.Context) error {
	never := h.cfg.Restart == protocol.RestartNever
	h.Watch(ctx)
	if h.Conn() != nil {
		err := h.again()
		if err == nil || never || ctx.Err() != nil {
			return err
		}
		h.cfg.WarnEnd(h.Kill())
	}
	if err := h.Usable(&h.cfg); err != nil {
		return err
	}
	if err := h.dial(ctx); err != nil {
		return err
	}
	if err := h.ask(h.cfg.Now().Add(h.opt.startLimit)); err != nil {
		return protocol.NeverReady(h.Failed(err, game.ByStart, "waiting for the answer to name?"))
	}
	return nil
}

func (h *Host) dial(ctx context.Context) error {
	conn, err := h.cfg.Connect(ctx)
	if err != nil {
		return err
	}
	h.Attach(conn)
	h.owes, h.name = false, ""
	return nil
}

// ask sends name? and drops what comes before the answer.
func (h *Host) ask(deadline time.Time) error {
	h.buf = appendWord(h.buf[:0], wordAsk)
	if err := h.Send(h.buf); err != nil {
		return err
	}
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return err
		}
		if arg, ok := Find(line, wordName, h.opt.anywhere); ok {
			h.name = readName(arg)
			return nil
		}
	}
}

// again makes the running process ready for another game. The error says why it
// cannot be used. An engine that has left after the end of its last game has done
// nothing wrong.
func (h *Host) again() error {
	var err error
	switch {
	case h.opt.barrier:
		err = h.ask(h.cfg.Now().Add(h.opt.replyLimit))
	case h.owes:
		return player.Fail(game.ByStart, nil, "%s may still answer a question of the last game", h.cfg.Name)
	default:
		err = h.settle()
	}
	switch {
	case err == nil:
		h.owes = false
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		h.once = true
		h.cfg.Warnf("%s: no answer to name? between two games: a new process for each game from now on", h.cfg.Name)
	case h.left(err):
	default:
		h.cfg.Warnf("%s: ended between two games: %v", h.cfg.Name, h.Failed(err, game.ByCrash, "waiting for a new game").Detail)
	}
	return h.Failed(err, game.ByStart, "waiting for a new game")
}

// left reports whether a process has ended in good order.
func (h *Host) left(err error) bool {
	p, ok := h.Conn().(link.Process)
	if !ok {
		return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe)
	}
	exit, gone := p.Exited()
	return !gone || exit.Code == 0
}

// settle drops what the engine says until it is silent.
func (h *Host) settle() error {
	end := h.cfg.Now().Add(h.opt.replyLimit)
	for h.cfg.Now().Before(end) {
		_, err := h.ReadLine(h.cfg.Now().Add(quiet))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// drop drops what has come while the engine was not to move. What it finds wrong is
// found again by whoever waits for an answer.
func (h *Host) drop() { h.Early(h.cfg.Now(), func([]byte) {}) }
