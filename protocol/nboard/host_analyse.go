package nboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// Analyse streams what the engine says to hint, or for a whole game to analyze.
// It ends when the engine says that it is idle, when all lines asked for are
// there at the depth asked for, when the budget is used up, when yield has
// enough, or with ctx; a ping then makes the engine idle in any case. Engines
// that cannot analyze a whole game return player.ErrUnsupported.
func (h *Host) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	if h.fail != nil {
		return h.fail
	}
	if q.WholeGame && h.opt.version == 1 {
		return fmt.Errorf("%w: version 1 of the protocol has no analyze", player.ErrUnsupported)
	}
	if ctx.Err() != nil {
		return nil
	}
	h.Watch(ctx)
	defer h.EndWatch()
	depth := h.wantedDepth(player.Limits{}, q.Budget > 0)
	if q.Depth > 0 {
		depth = min(q.Depth, deepest)
	}
	if err := h.sync(depth); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return h.failed(err)
	}
	s := stream{h: h, yield: yield, lines: max(1, q.Lines), depth: depth, whole: q.WholeGame}
	if q.WholeGame {
		h.buf = append(h.buf[:0], "analyze\n"...)
	} else {
		h.buf = AppendHint(h.buf[:0], s.lines)
	}
	if err := h.Send(h.buf); err != nil {
		return h.failed(h.Failed(err, game.ByStall, "sending hint"))
	}
	if q.Budget > 0 {
		s.until = h.cfg.Now().Add(q.Budget)
	}
	if err := s.run(); err != nil {
		return h.failed(err)
	}
	if q.WholeGame && s.found == 0 && ctx.Err() == nil {
		return fmt.Errorf("%w: the engine sent no analysis", player.ErrUnsupported)
	}
	return nil
}

// stream is the reading of one hint or analyze.
type stream struct {
	h     *Host
	yield func(game.Info) bool
	lines int
	depth int
	whole bool
	until time.Time

	best   []game.Info // the latest line of each first move
	busy   bool        // the engine has said something since it was asked
	done   bool        // nothing more is to be passed on
	found  int
	ending bool // a ping was sent
	tries  int  // pings that were not answered in time
}

func (s *stream) run() error {
	h := s.h
	for {
		line, err := h.ReadLine(s.until)
		if err != nil {
			if err = s.interrupted(err); err != nil {
				return err
			}
			continue
		}
		r := ParseReply(line)
		switch r.Kind {
		case Search, Book:
			s.busy = true
			if !s.whole {
				s.line(&r)
			}
		case Analysis:
			s.busy = true
			s.analysis(&r)
		case Status:
			s.status(r.Text)
		default:
			if h.common(&r, line) && s.ending && h.pong == h.ping {
				return nil
			}
		}
		if (s.done || s.complete()) && !s.ending {
			if err := s.end(); err != nil {
				return err
			}
		}
		if !s.until.IsZero() && h.cfg.Now().After(s.until) {
			if err := s.interrupted(os.ErrDeadlineExceeded); err != nil {
				return err
			}
		}
	}
}

// end stops the engine. What a budget cut short may still come before the pong.
func (s *stream) end() error {
	h := s.h
	s.ending = true
	s.until = h.cfg.Now().Add(h.opt.pong)
	if err := h.sendPing(h.buf[:0], h.Conn().Write); err != nil {
		return h.Failed(err, game.ByStall, "ending the analysis")
	}
	return nil
}

// interrupted deals with a read that brought no line; nil means read on.
func (s *stream) interrupted(err error) error {
	h := s.h
	switch {
	case errors.Is(err, link.ErrInterrupted):
		s.done = true
		h.EndWatch() // the pong is read in any case
		if s.ending {
			return nil
		}
		return s.end()
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return h.Failed(err, game.ByStall, "waiting for the analysis")
	case s.tries > 0:
		return player.Fail(game.ByProtocol, err, "no pong after the analysis was stopped twice")
	case s.ending:
		s.tries++
	}
	return s.end()
}

// idle reports whether a status says that the engine has nothing to do.
func idle(status []byte) bool {
	return len(status) == 0 || bytes.HasSuffix(status, []byte("waiting"))
}

func (s *stream) status(t []byte) {
	switch {
	case !idle(t):
		s.busy = true
	case s.busy:
		s.done = true
	}
}

// line passes on a line with its rank among the first moves seen so far.
func (s *stream) line(r *Reply) {
	if s.done {
		return
	}
	in := r.Info()
	in.Eval = scaled(in.Eval, s.h.opt.scale)
	at := -1
	for i := range s.best {
		if s.best[i].PV[0] == in.PV[0] {
			at = i
		}
	}
	if at < 0 {
		at = len(s.best)
		s.best = append(s.best, in)
	} else {
		s.best[at] = in
	}
	in.Rank = 1
	for i := range s.best {
		if i != at && better(s.best[i].Eval, in.Eval) {
			in.Rank++
		}
	}
	s.found++
	if !s.yield(in) {
		s.done = true
	}
}

func better(a, b game.Eval) bool { return a.Known() && (!b.Known() || a.Mid() > b.Mid()) }

// complete reports whether every line asked for is there as deep as asked for.
func (s *stream) complete() bool {
	if s.whole || len(s.best) < s.lines {
		return false
	}
	for i := range s.best {
		if in := &s.best[i]; in.Bound != game.Exact && (in.Bound != game.Searched || in.Depth < s.depth) {
			return false
		}
	}
	return true
}

func (s *stream) analysis(r *Reply) {
	if s.done || int(r.N) > len(s.h.game.steps) {
		return
	}
	s.found++
	if !s.yield(game.Info{Eval: scaled(r.Eval, s.h.opt.scale), Rank: int(r.N)}) {
		s.done = true
	}
}

// Learn makes the engine learn the game. It waits until the engine says so, or
// that it is idle, up to the limit of the dialect, and then until it is in step
// again.
func (h *Host) Learn(ctx context.Context) error {
	if h.Conn() == nil {
		return fmt.Errorf("%w: the engine is not running", player.ErrUnsupported)
	}
	h.Watch(ctx)
	defer h.EndWatch()
	if err := h.trySync(h.depth); err != nil {
		h.Discard(&h.cfg)
		return err
	}
	h.learned = true
	h.buf = append(h.buf[:0], "learn\n"...)
	if err := h.Send(h.buf); err != nil {
		h.Discard(&h.cfg)
		return err
	}
	deadline := h.cfg.Now().Add(h.opt.learn)
	if err := h.awaitLearned(deadline); err != nil {
		f := h.Failed(err, game.ByStall, "waiting for learned")
		h.Discard(&h.cfg)
		return f
	}
	return h.afterLearn(deadline)
}

// afterLearn waits for the pong: an engine may answer a ping only long after, or
// only the next one.
func (h *Host) afterLearn(deadline time.Time) error {
	const grace = 20 * time.Second
	for {
		err := h.sendPing(h.buf[:0], h.Conn().Write)
		if err == nil {
			err = h.awaitPong(h.opt.pong)
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || h.cfg.Now().After(deadline.Add(grace)) {
			err = h.unanswered(err)
			h.Discard(&h.cfg)
			return err
		}
	}
}

func (h *Host) awaitLearned(deadline time.Time) error {
	busy, over := false, 0
	for {
		line, err := h.ReadLine(deadline)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			h.warnf("learn took longer than %s and is stopped", h.opt.learn)
			return nil
		}
		if err != nil {
			return err
		}
		r := ParseReply(line)
		switch {
		case r.Kind == Learned, r.Kind == Status && idle(r.Text) && busy:
			return nil
		case r.Kind == Status:
			busy = busy || !idle(r.Text)
		default:
			h.common(&r, line)
		}
		if h.past(deadline, &over) {
			h.warnf("learn took longer than %s and is stopped", h.opt.learn)
			return nil
		}
	}
}
