package nboard

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

const (
	// budgetMargin is kept back of the time when the host allots it.
	budgetMargin = 100 * time.Millisecond
	// lateGrace is how long a search that overran the deadline may take to print
	// what it has, as evidence.
	lateGrace = 200 * time.Millisecond
)

// Choose brings the engine to the position and asks it to go. Answer.Used runs
// from the complete write of go, after the pong, until the answer has been read;
// what comes before is not charged, and the deadline moves by it.
//
// At the deadline the engine is stopped by a ping and the failure is time, also
// without a clock; the process stays usable for the next game.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	h.Watch(ctx)
	h.Think(true)
	a, err := h.choose(p)
	h.Think(false)
	if err != nil {
		return player.Answer{}, h.failed(err)
	}
	return a, nil
}

// Suggest is Choose: go does not change the engine's board.
func (h *Host) Suggest(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	return h.Choose(ctx, p)
}

// failed remembers why the game cannot go on. Silence and abandoned games leave
// the process as it is; its late output is dropped by the next ping.
func (h *Host) failed(err error) error {
	f := protocol.AsFailure(err)
	h.fail = f
	switch f.Reason {
	case game.ByTime, game.ByAbort:
		h.owing = true
	default:
		h.Discard(&h.cfg)
	}
	return f
}

func (h *Host) choose(p *player.Prompt) (player.Answer, error) {
	own := ownClock(p)
	timed := !own.Control.None()
	if p.Again > 0 {
		h.reset = true // the engine's board may not be ours
	}
	before := h.cfg.Now()
	if err := h.sync(h.wantedDepth(p.Limits, timed)); err != nil {
		return player.Answer{}, err
	}
	h.buf = append(h.buf[:0], "go\n"...)
	s := search{h: h, tell: p.Report}
	if err := h.Send(h.buf); err != nil {
		return player.Answer{}, h.Failed(err, game.ByTime, "sending go")
	}
	s.start = h.cfg.Now()
	if !p.Deadline.IsZero() {
		s.deadline = p.Deadline.Add(s.start.Sub(before))
	}
	if h.modeOf(timed) == modeMoveNow && timed {
		s.soft = s.start.Add(h.budget(own, s.deadline, s.start))
	}
	h.last = h.last[:0]
	return s.await()
}

func ownClock(p *player.Prompt) clock.Clock {
	if p.Seat.IsPlayer() {
		return p.Clocks[p.Seat]
	}
	return clock.Clock{}
}

// budget allots the time of one move from the clock and the deadline.
func (h *Host) budget(k clock.Clock, deadline, now time.Time) time.Duration {
	limit := k.Limit()
	if !deadline.IsZero() {
		limit = min(limit, deadline.Sub(now))
	}
	margin := min(budgetMargin, limit/4)
	b := limit - margin
	if c := k.Control; c.Timed() {
		left := k.Remaining() + c.Delay - margin
		n := max(8, h.game.ownTurns(len(h.game.steps))+2)
		if k.Moves > 0 { // the budget is renewed after so many turns
			n = min(n, k.Moves)
		}
		b = min(b, left, c.Increment+left/time.Duration(n))
	}
	return max(b, time.Millisecond)
}

// search is the wait for the answer to one go.
type search struct {
	h               *Host
	start           time.Time
	soft, deadline  time.Time // when to ping, when the turn is lost; zero for never
	pinged, expired bool
	ponged          bool      // the stop was acknowledged: a move may still come up to the deadline
	until           time.Time // the end of waiting after the ping
	nodes           int64
	over            int // lines after the limit
	tell            func(*game.Info)
	said            game.Info // for tell
}

// limit is when the next read gives up.
func (s *search) limit() time.Time {
	switch {
	case s.expired:
		return s.until
	case s.ponged:
		return s.deadline
	case s.pinged:
		return protocol.Earlier(s.until, s.deadline)
	}
	return protocol.Earlier(s.soft, s.deadline)
}

func (s *search) await() (player.Answer, error) {
	h := s.h
	for {
		line, err := s.read()
		if err != nil {
			if err = s.interrupted(err); err != nil {
				return player.Answer{}, err
			}
			continue
		}
		r := ParseReply(line)
		switch r.Kind {
		case Chosen:
			if s.expired {
				return player.Answer{}, late("the answer "+clip(line)+" came after the limit", h)
			}
			h.owing = false
			return s.answer(&r, line), nil
		case Search, Book:
			h.last = append(h.last[:0], line...)
			s.report(&r)
		case NodeStats:
			s.nodes = r.N
			s.report(&r)
		case Status:
			s.report(&r)
		case Ignored:
			h.Passed(h.cfg.Now(), line)
		default:
			if h.common(&r, line) && s.pinged && h.pong == h.ping {
				if s.ponged = true; s.expired || s.deadline.IsZero() {
					return player.Answer{}, s.overdue()
				}
			}
		}
		if h.past(s.limit(), &s.over) {
			if err := s.interrupted(os.ErrDeadlineExceeded); err != nil {
				return player.Answer{}, err
			}
		}
	}
}

// read returns the next line. Stop ends the wait until the engine has been stopped.
func (s *search) read() ([]byte, error) {
	if s.pinged {
		return s.h.ReadLine(s.limit())
	}
	return s.h.ReadAnswer(s.limit())
}

// ping stops the engine; what it has it prints before the pong.
func (s *search) ping(wait time.Duration) error {
	h := s.h
	s.pinged, s.over = true, 0
	s.until = h.cfg.Now().Add(wait)
	if err := h.sendPing(h.buf[:0], h.Conn().Write); err != nil {
		return h.Failed(err, game.ByTime, "stopping the search")
	}
	return nil
}

// interrupted deals with a read that brought no line; nil means read on.
func (s *search) interrupted(err error) error {
	h := s.h
	if f := h.Misformed(); f != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		return f
	}
	switch {
	case h.Ended():
		if !s.pinged {
			if err := s.ping(0); err != nil {
				return err
			}
		}
		return h.Failed(context.Canceled, game.ByTime, "waiting for a move")
	case errors.Is(err, link.ErrInterrupted):
		return s.ping(h.opt.pong) // Stop
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return h.Failed(err, game.ByTime, "waiting for a move")
	case s.expired:
		return s.overdue()
	}
	now := h.cfg.Now()
	switch {
	case !s.deadline.IsZero() && !now.Before(s.deadline):
		s.expired = true
		if !s.pinged {
			return s.ping(lateGrace)
		}
		s.until = now.Add(lateGrace)
	case !s.pinged:
		return s.ping(h.opt.pong)
	default:
		return late("neither a move nor a pong after the search was stopped: "+h.Heard(), h)
	}
	return nil
}

// overdue judges an engine that gave no move in time. One that acknowledged the stop
// owes nothing more.
func (s *search) overdue() error {
	if s.ponged {
		return late("the search was stopped by a ping, and no move came with the pong or after it: "+s.h.Heard(), s.h)
	}
	return late("no move in time: "+s.h.Heard(), s.h)
}

func late(detail string, h *Host) error {
	f := player.Fail(game.ByTime, os.ErrDeadlineExceeded, "%s", detail)
	f.Evidence = protocol.Evidence(h.Conn())
	return f
}

// report passes on what the engine says while it thinks, if anybody listens.
func (s *search) report(r *Reply) {
	if s.tell == nil {
		return
	}
	switch r.Kind {
	case Status:
		if s.said.Text = text(r.Text); s.said.Text == "" {
			return
		}
	case NodeStats:
		s.said.Nodes = s.nodes
	default:
		s.said = r.Info()
		s.said.Eval, s.said.Nodes = scaled(s.said.Eval, s.h.opt.scale), s.nodes
	}
	s.tell(&s.said)
}

func (s *search) answer(r *Reply, line []byte) player.Answer {
	h := s.h
	a := player.Answer{
		Steps: h.answer[:1], Raw: text(bytes.TrimSpace(line)), Measured: true, Used: h.cfg.Now().Sub(s.start),
	}
	if !r.Answer.Valid {
		a.Steps, a.Unread = nil, noSquare(r.Text)
		return a
	}
	a.Steps[0] = r.Answer.Move
	if len(h.last) > 0 {
		if l := ParseReply(h.last); l.First == r.Answer.Move {
			a.Info = l.Info()
			a.Info.Eval = scaled(a.Info.Eval, h.opt.scale)
		}
	}
	if r.Answer.Eval.Known() {
		a.Info.Eval = scaled(r.Answer.Eval, h.opt.scale)
	}
	a.Info.Time, a.Info.Nodes = r.Answer.Time, s.nodes
	return a
}

// scaled turns an engine's own unit, so many to a disc, into discs.
func scaled(e game.Eval, unit float64) game.Eval {
	if unit != 1 && e.Known() {
		e.Lo /= unit
		e.Hi /= unit
	}
	return e
}
