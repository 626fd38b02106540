package piskvork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// defaultBudget is the time for one position when the question names none.
const defaultBudget = 5 * time.Second

// Analyse lets the engine think about the current position, or with WholeGame
// about every position of the game from the latest to the first, Budget each. In
// the Yixin dialect it streams what YXNBEST finds, else it lets the engine play
// and reports what it said last, with the move as the variation. Evaluations are
// those of the seat to move.
func (h *Host) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	if h.fail != nil {
		return h.fail
	}
	defer func() {
		h.EndWatch()
		h.dirty = true
	}()
	from := len(h.past.stones)
	if q.WholeGame {
		from = 0
	}
	for n := len(h.past.stones); n >= from; n-- {
		a := analysis{h: h, q: q, n: n, yield: yield, more: true}
		if err := a.ask(ctx); err != nil {
			return h.failed(err)
		}
		if !a.more || ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// ask has the engine think about the first n stones.
func (a *analysis) ask(ctx context.Context) error {
	h, q, n := a.h, a.q, a.n
	h.EndWatch() // the engine is stopped, not abandoned
	prompt := player.Prompt{Seat: h.seat}
	if h.Conn() == nil {
		if err := h.relaunch(&prompt); err != nil {
			return err
		}
	} else if len(h.view) > 0 || h.dirty {
		if err := h.restart(&prompt); err != nil {
			return err
		}
	}
	budget := q.Budget
	if budget <= 0 {
		budget = defaultBudget
	}
	b := AppendInfoInt(h.buf[:0], "timeout_turn", clampMS(budget))
	h.info.sent.turn = foreign
	b = AppendInfoInt(b, "time_left", unlimitedMS)
	b = h.info.searchLimits(b, player.Limits{Depth: q.Depth, Nodes: h.info.limits.Nodes})
	switch {
	case h.opt.yixin:
		b = AppendInfo(b, "show_detail", "2")
		b = h.past.appendBoard(b, YxBoard, n, h.opt.passPoint)
		b = AppendNumber(b, YxNBest, max(1, q.Lines))
	case n == 0:
		b = AppendVerb(b, Begin)
	default:
		b = h.past.appendBoard(b, Board, n, h.opt.passPoint)
	}
	h.buf = b
	h.view = append(h.view[:0], h.past.stones[:n]...)
	h.dirty = true
	if err := h.write(b); err != nil {
		return h.Failed(err, game.ByProtocol, "sending the question")
	}
	h.Watch(ctx)
	err := a.run(h.cfg.Now().Add(budget + defaultReplyLimit))
	if h.opt.yixin && err == nil {
		err = h.write(AppendInfo(h.buf[:0], "show_detail", "0"))
		h.informed = true
	}
	return err
}

// analysis is the state of one question about one position.
type analysis struct {
	h       *Host
	q       player.Question
	n       int
	yield   func(game.Info) bool
	more    bool // nobody has said enough
	stopped bool
	last    game.Info
	streams bool
}

func (a *analysis) run(deadline time.Time) error {
	h := a.h
	for {
		line, err := h.ReadLine(deadline)
		switch {
		case errors.Is(err, link.ErrInterrupted), errors.Is(err, os.ErrDeadlineExceeded) && !a.stopped:
			if deadline, err = a.stop(deadline); err != nil {
				return err
			}
			continue
		case err != nil:
			return h.Failed(err, game.ByStall, "waiting for the end of an analysis")
		}
		r := ParseReply(line)
		switch r.Kind {
		case Coords:
			a.finish(r.Points[0])
			return nil
		case Message, Debug:
			var s Stats
			if s.Scan(r.Text) {
				s.Fill(&a.last)
			}
		case InfoLine:
			a.block(r.Text)
		case Suggest:
			if err := h.write(AppendAt(h.buf[:0], Play, r.Points[0])); err != nil {
				return h.Failed(err, game.ByProtocol, "sending PLAY")
			}
		case Error, Unknown:
			if aboutInfo(r.Text) {
				continue
			}
			return player.Fail(game.ByProtocol, player.ErrUnsupported, "a question was answered %q", clip(line))
		}
		if !a.more && !a.stopped {
			if deadline, err = a.stop(deadline); err != nil {
				return err
			}
		}
	}
}

// stop asks the engine to end, and gives it a grace for its last line.
func (a *analysis) stop(deadline time.Time) (time.Time, error) {
	if a.stopped {
		return deadline, nil
	}
	a.stopped = true
	h := a.h
	h.EndWatch() // what the engine says last is read in any case
	if err := h.write(h.info.hurry(h.buf[:0])); err != nil {
		return deadline, h.Failed(err, game.ByProtocol, "stopping an analysis")
	}
	return h.cfg.Now().Add(defaultReplyLimit), nil
}

func (a *analysis) block(text []byte) {
	if !a.h.detail.Line(text) {
		return
	}
	info := a.h.detail.Info
	if a.q.WholeGame {
		if info.Rank <= 1 {
			a.last = info
		}
		return
	}
	a.streams = true
	if a.more {
		a.more = a.yield(info)
	}
}

// finish reports what was not streamed: the last word of an engine without
// details, or the one evaluation of a position of the whole game.
func (a *analysis) finish(move game.Point) {
	if a.streams || !a.more {
		return
	}
	info := a.last
	if len(info.PV) == 0 || info.PV[0] != game.PlaceAt(move) {
		info.PV = []game.Move{game.PlaceAt(move)}
	}
	info.Rank = 1
	if a.q.WholeGame {
		info.Rank = a.h.past.decisions(a.n)
	}
	a.more = a.yield(info)
}

// Forbidden asks for the points that renju forbids the seat to move, in the Yixin
// dialect.
func (h *Host) Forbidden(ctx context.Context) ([]game.Point, error) {
	if !h.opt.yixin {
		return nil, fmt.Errorf("%w: forbidden points can be asked only in the yixin dialect", player.ErrUnsupported)
	}
	if h.fail != nil {
		return nil, h.fail
	}
	if h.Conn() == nil {
		return nil, player.Fail(game.ByProtocol, nil, "no game is running")
	}
	h.Watch(ctx)
	h.dirty = true
	h.buf = AppendVerb(h.past.appendBoard(h.buf[:0], YxBoard, len(h.past.stones), h.opt.passPoint), YxShowForbid)
	if err := h.write(h.buf); err != nil {
		return nil, h.failed(h.Failed(err, game.ByProtocol, "sending YXSHOWFORBID"))
	}
	deadline := h.cfg.Now().Add(h.opt.replyLimit)
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return nil, h.failed(h.Failed(err, game.ByProtocol, "waiting for the reply to YXSHOWFORBID"))
		}
		switch r := ParseReply(line); r.Kind {
		case Forbid:
			points, ok := ParseForbid(r.Text, nil)
			if !ok {
				return nil, fmt.Errorf("FORBID %q: want two digits for each coordinate and a final dot", clip(r.Text))
			}
			return points, nil
		case Error, Unknown:
			return nil, fmt.Errorf("%w: YXSHOWFORBID was answered %q", player.ErrUnsupported, clip(line))
		}
	}
}
