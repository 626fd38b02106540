package piskvork

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Choose asks the engine for a move, or in the swap2 opening for the whole turn.
// Answer.Used runs from the first byte of the turn's commands until the move line
// has been read; bringing the engine's board up to date by RESTART or TAKEBACK
// comes before and is not charged.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	h.Watch(ctx)
	h.Think(true)
	var a player.Answer
	err := (&wait{h: h}).early(p)
	if n := h.past.swapStage(); err == nil && h.swap2 && n >= 0 {
		a, err = h.chooseSwap2(p, n)
	} else if err == nil {
		a, err = h.choose(p)
	}
	h.Think(false)
	if err != nil {
		return player.Answer{}, h.failed(err)
	}
	h.answered = h.cfg.Now()
	return a, nil
}

// Suggest asks for a move that the engine then takes back.
func (h *Host) Suggest(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	a, err := h.Choose(ctx, p)
	h.diverged = true
	return a, err
}

// failed remembers why the host cannot go on and ends the process: after a late
// answer or a breach its output must never cross into another game.
func (h *Host) failed(err error) error {
	h.Discard(&h.cfg)
	h.fail = protocol.AsFailure(err)
	return h.fail
}

// earlyLeast is how long ago the last answer must be for a call of the system to look what came
// since; what came together with that answer is there without one.
const earlyLeast = time.Millisecond

// early deals with what the engine said since its last answer. It may remark what it likes,
// but a move is none before it is due.
func (w *wait) early(p *player.Prompt) (bad error) {
	h := w.h
	now := h.cfg.Now()
	if h.Conn() == nil || now.Sub(h.answered) < earlyLeast && h.NoMore() {
		return nil
	}
	h.Early(now, func(line []byte) {
		var none game.Info // what it said of a move that it has made
		switch r := ParseReply(line); r.Kind {
		case Coords, Suggest, Swap:
			h.warnf("%q came while no move was due: it does not count", clip(line))
		default:
			bad = cmp.Or(bad, w.other(&r, line, p, &none))
		}
	})
	return bad
}

func (h *Host) choose(p *player.Prompt) (player.Answer, error) {
	deadline := p.Deadline
	if h.dirty || h.diverged || h.board || p.Again > 0 || len(h.past.stones) != len(h.view)+1 {
		before := h.cfg.Now()
		if err := h.sync(p); err != nil {
			return player.Answer{}, err
		}
		if !deadline.IsZero() {
			deadline = deadline.Add(h.cfg.Now().Sub(before))
		}
	}
	h.compose(p)
	start := h.cfg.Now()
	if err := h.write(h.buf); err != nil {
		return player.Answer{}, h.Failed(err, protocol.Late(p), "sending the turn")
	}
	if p.Sent != nil {
		p.Sent()
	}
	return h.await(p, start, deadline)
}

// compose puts the commands of the turn into buf and notes what the engine's
// board will hold: one write for all of them.
func (h *Host) compose(p *player.Prompt) {
	b := h.info.turn(h.buf[:0], p)
	n := len(h.past.stones)
	h.own = h.past.ply() & 1
	switch {
	case n == 0 && (h.past.passes == 0 || !h.opt.passPoint):
		b = AppendVerb(b, Begin)
	case len(h.view) == n-1 && !h.board && !h.opt.eachBoard:
		b = AppendAt(b, Turn, h.past.stones[n-1])
	default:
		b = h.past.appendBoard(b, Board, n, h.opt.passPoint)
	}
	h.view = append(h.view[:0], h.past.stones...)
	h.board = false
	h.buf = b
}

// sync brings the engine's board to where one TURN, BOARD or BEGIN completes it.
func (h *Host) sync(p *player.Prompt) error {
	if h.Conn() == nil {
		return h.relaunch(p)
	}
	n := len(h.past.stones)
	keep := 0
	for keep < len(h.view) && keep < n && h.view[keep] == h.past.stones[keep] {
		keep++
	}
	target := max(0, n-1)
	h.diverged = false
	switch {
	case p.Again > 0 || h.dirty:
	case len(h.view) == 0:
		return nil
	case keep >= target && h.own == h.past.ply()&1 && !h.board:
		if len(h.view) == target && n > 0 {
			return nil
		}
		if done, err := h.takeBack(target); done || err != nil {
			return err
		}
	}
	h.board = n > 0
	return h.restart(p)
}

// takeBack removes the engine's stones down to n. It reports false if the engine
// does not know how.
func (h *Host) takeBack(n int) (bool, error) {
	const most = 16 // beyond that RESTART and BOARD are shorter
	if h.noTakeback || len(h.view)-n > most {
		return false, nil
	}
	for len(h.view) > n {
		last := len(h.view) - 1
		if err := h.write(AppendAt(h.buf[:0], Takeback, h.view[last])); err != nil {
			return false, h.Failed(err, game.ByProtocol, "sending TAKEBACK")
		}
		ok, err := h.acknowledged()
		if err != nil {
			return false, h.Failed(err, game.ByProtocol, "waiting for the reply to TAKEBACK")
		}
		if !ok {
			h.noTakeback = true
			h.cfg.Warnf("%s does not take back: using RESTART and BOARD instead", h.cfg.Name)
			return false, nil
		}
		h.view = h.view[:last]
	}
	return true, nil
}

// acknowledged waits for OK; false means UNKNOWN, ERROR or silence. A complaint about an
// INFO that went before is no answer.
func (h *Host) acknowledged() (bool, error) {
	informed := h.informed
	h.informed = false
	deadline := h.cfg.Now().Add(h.opt.replyLimit)
	for {
		line, err := h.ReadLine(deadline)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch r := ParseReply(line); r.Kind {
		case OK:
			return true, nil
		case Unknown, Error:
			blamed := containsFold(r.Text, "restart") || containsFold(r.Text, "takeback")
			if !aboutInfo(r.Text) && (!informed || blamed) {
				return false, nil
			}
			informed = false
		}
	}
}

// restart empties the engine's board; an engine that does not say OK is started
// anew. What is sent at once after its move may lose a word (Rapfi): an INFO goes before,
// as before a turn.
func (h *Host) restart(p *player.Prompt) error {
	h.buf = AppendVerb(h.info.timeLeft(h.buf[:0], ownClock(p)), Restart)
	if err := h.write(h.buf); err != nil {
		return h.Failed(err, game.ByProtocol, "sending RESTART")
	}
	ok, err := h.acknowledged()
	if err != nil {
		return h.Failed(err, game.ByProtocol, "waiting for the reply to RESTART")
	}
	if !ok {
		h.cfg.Warnf("%s did not answer RESTART with OK: starting it anew", h.cfg.Name)
		return h.relaunch(p)
	}
	h.view, h.dirty = h.view[:0], false
	return nil
}

// relaunch replaces the process in the middle of a game.
func (h *Host) relaunch(p *player.Prompt) error {
	h.Leave(&h.cfg)
	if err := h.dial(h.Watched()); err != nil {
		return err
	}
	h.board = len(h.past.stones) > 0
	if err := h.start(h.cfg.Now().Add(h.opt.startLimit)); err != nil {
		return err
	}
	return h.settle(ownClock(p))
}

// await reads up to the move. The plain case allocates nothing.
func (h *Host) await(p *player.Prompt, start, deadline time.Time) (player.Answer, error) {
	a := player.Answer{Measured: true}
	w := wait{h: h, limit: deadline, deadline: deadline}
	for {
		line, err := w.read()
		if err != nil {
			return a, w.failed(err, p)
		}
		r := ParseReply(line)
		if r.Kind == Suggest && !w.playable(&r) {
			a.Used = h.cfg.Now().Sub(start) - w.elsewhere
			w.judged(&a, r.Points[0], line)
			h.dirty = true // it waits for PLAY
			return a, nil
		}
		if r.Kind == Coords {
			a.Used = h.cfg.Now().Sub(start) - w.elsewhere
			if isPass(line) && mayPass(h.spec) {
				h.steps[0] = game.PassMove()
				a.Steps = h.steps[:1]
				a.Raw = string(line)
				return a, nil
			}
			w.judged(&a, r.Points[0], line)
			h.view = append(h.view, r.Points[0])
			if r.N > 1 {
				h.warnf("%q names %d points where one is due: the first counts", clip(line), r.N)
			}
			return a, nil
		}
		if err := w.other(&r, line, p, &a.Info); err != nil {
			return a, err
		}
	}
}

// rawLines keep answers in the plain form, so that a point that is answered again costs
// no allocation.
type rawLines map[game.Point]string

func (r rawLines) text(at game.Point, line []byte) string {
	if s, ok := r[at]; ok && s == string(line) {
		return s
	}
	s := string(line)
	const most = 127 * 127
	if len(s) < 8 && len(r) < most {
		r[at] = s
	}
	return s
}

// wait is the state of waiting for the answer to a turn.
type wait struct {
	h               *Host
	limit, deadline time.Time // limit is the deadline, or the end of a grace before it
	complaint       string    // the ERROR or UNKNOWN that started a grace
	detail          bool
	hurried         bool          // the engine was asked to move at once
	elsewhere       time.Duration // how long somebody else decided
}

// judged makes a point the answer, whether or not it can be played.
func (w *wait) judged(a *player.Answer, at game.Point, line []byte) {
	h := w.h
	a.Raw = h.raw.text(at, line)
	if at.X == maxCoord || at.Y == maxCoord {
		a.Unread = beyond(line, h.width, h.height)
		return
	}
	h.steps[0] = game.PlaceAt(at)
	a.Steps = h.steps[:1]
}

// playable reports whether PLAY may have the point of SUGGEST. One that is taken or off the
// board is the engine's answer instead, and is judged as one, unless somebody else decides: nobody
// has chosen it but the engine.
func (w *wait) playable(r *Reply) bool {
	h := w.h
	if h.decide != nil || isPass(r.Text) && mayPass(h.spec) {
		return true
	}
	return r.Points[0].On(h.width, h.height) && !slices.Contains(h.past.stones, r.Points[0])
}

// beyond says that a point is so far off the board that it has no name.
func beyond(point []byte, width, height int) string {
	if width == height {
		return fmt.Sprintf("%q is not on the board: both numbers go from 0 to %d", clip(point), width-1)
	}
	return fmt.Sprintf("%q is not on the board: the first number goes from 0 to %d, the second to %d", clip(point), width-1, height-1)
}

// Hurries implements player.Hurrier.
func (h *Host) Hurries() {}

// read returns the next line. When Stop wants the move now, the engine is asked for
// it: YXSTOP in the Yixin dialect, else a turn limit of 0, which engines with a
// simple read loop notice only at their own limit.
func (w *wait) read() ([]byte, error) {
	h := w.h
	if !w.hurried {
		line, err := h.ReadAnswer(w.limit)
		if !errors.Is(err, link.ErrInterrupted) || h.Ended() {
			return line, err
		}
		w.hurried = true
		if err := h.write(h.info.hurry(h.buf[:0])); err != nil {
			h.cfg.Warnf("%s: asking for a move at once: %v", h.cfg.Name, err)
		}
	}
	return h.ReadLine(w.limit)
}

// failed judges an error of the link while an answer is due.
func (w *wait) failed(err error, p *player.Prompt) error {
	if w.complaint != "" && errors.Is(err, os.ErrDeadlineExceeded) {
		f := player.Fail(game.ByProtocol, err, "a move was due and the engine answered %q", w.complaint)
		f.Evidence = protocol.Evidence(w.h.Conn())
		return f
	}
	return w.h.Failed(err, protocol.Late(p), "waiting for a move")
}

// other deals with a line that is not the answer; an error ends the wait.
func (w *wait) other(r *Reply, line []byte, p *player.Prompt, info *game.Info) error {
	h := w.h
	switch r.Kind {
	case Message, Debug:
		w.limit, w.complaint = w.deadline, ""
		var s Stats
		scanned := s.Scan(r.Text)
		if scanned && !w.detail {
			s.Fill(info)
		}
		if p.Report != nil {
			said := *info
			if !scanned {
				said.Text = string(trim(r.Text))
			}
			p.Report(&said)
		}
	case InfoLine:
		w.limit, w.complaint = w.deadline, ""
		if h.detail.Line(r.Text) && h.detail.Info.Rank <= 1 {
			w.detail = true
			*info = h.detail.Info
			if p.Report != nil {
				said := *info
				p.Report(&said)
			}
		}
	case Suggest:
		if !w.playable(r) {
			return player.Fail(game.ByProtocol, nil, "%q proposes a point that is taken or not on the board", clip(line))
		}
		h.buf = AppendAt(h.buf[:0], Play, w.decided(p, r.Points[0]))
		if err := h.write(h.buf); err != nil {
			return h.Failed(err, protocol.Late(p), "sending PLAY")
		}
	case Error, Unknown:
		if aboutInfo(r.Text) {
			return nil
		}
		return w.complained(line)
	default:
		if h.opt.strict {
			return player.Fail(game.ByProtocol, nil, "a move was due: %s", h.Heard())
		}
		w.prose(line, info)
	}
	return nil
}

// Consult implements player.Consulter: PLAY then has the point that was decided.
func (h *Host) Consult(decide func(context.Context, *player.Prompt, game.Move) game.Move) {
	h.decide = decide
}

// Stop implements player.Player. Nobody is asked any more either.
func (h *Host) Stop() {
	h.Wire.Stop()
	if end := h.abandon.Load(); end != nil {
		(*end)()
	}
}

// decided is what becomes of a point that the engine proposes. The time that others take to decide
// is not the engine's.
func (w *wait) decided(p *player.Prompt, at game.Point) game.Point {
	h := w.h
	if h.decide == nil {
		return at
	}
	began := h.cfg.Now()
	ctx, end := context.WithCancel(h.Watched())
	defer end()
	h.abandon.Store(&end)
	defer h.abandon.Store(nil)
	m := h.decide(ctx, p, game.PlaceAt(at))
	took := h.cfg.Now().Sub(began)
	w.elsewhere += took
	if !w.deadline.IsZero() {
		w.deadline = w.deadline.Add(took)
		w.limit = w.deadline
	}
	if m.Op == game.Place {
		return m.To
	}
	return at
}

// prose deals with plain text: figures that a broken MESSAGE left on a line of
// their own are taken as such, and other text is remarked once a game.
func (w *wait) prose(line []byte, info *game.Info) {
	h := w.h
	var s Stats
	if s.Scan(line) {
		w.limit, w.complaint = w.deadline, ""
		if !w.detail {
			s.Fill(info)
		}
		return
	}
	h.Passed(h.cfg.Now(), line)
	if !h.prosed {
		h.prosed = true
		h.warnf("%q where a move is due; more plain text of this game is not mentioned", clip(line))
	}
}

// complained starts the grace after an ERROR or UNKNOWN: a move or any remark
// that follows ends it.
func (w *wait) complained(line []byte) error {
	h := w.h
	if h.budget > 0 {
		h.budget--
		return nil
	}
	if h.opt.strict {
		return player.Fail(game.ByProtocol, nil, "a move was due and the engine answered %q", clip(line))
	}
	h.warnf("%q where a move is due", clip(line))
	if w.complaint == "" {
		w.complaint = clip(line)
		w.limit = protocol.Earlier(w.deadline, h.cfg.Now().Add(errorGrace))
	}
	return nil
}
