package nboard

import (
	"errors"
	"os"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

const (
	// quitGrace is how long a process may take to end after quit, bookGrace the
	// same after learn, when it may be writing a book.
	quitGrace = 2 * time.Second
	bookGrace = 10 * time.Second
	// maxRestarts bounds how often a process is started anew within one game.
	maxRestarts = 3
)

// launch starts a process and gives it the game.
func (h *Host) launch() error {
	conn, err := h.cfg.Connect(h.Watched())
	if err != nil {
		return err
	}
	h.Attach(conn)
	h.name = ""
	h.ping, h.pong, h.depth, h.owing, h.learned, h.reset = 0, 0, 0, false, false, true

	b := AppendHello(h.buf[:0], h.opt.version)
	b = h.appendDepth(b, h.wantedDepth(player.Limits{}, h.game.timed()))
	if h.opt.contempt != 0 {
		b = AppendSetContempt(b, h.opt.contempt)
	}
	for _, o := range h.opt.other {
		b = AppendSet(b, o.Key, o.Value)
	}
	b, err = h.appendChanges(b)
	if err != nil {
		h.Discard(&h.cfg)
		return player.Fail(game.ByStart, err, "%v", err)
	}
	if err = h.sendPing(b, h.Send); err == nil {
		err = h.awaitPong(h.opt.start)
	}
	if err != nil {
		err = protocol.NeverReady(h.Failed(err, game.ByStart, "waiting for the first pong"))
		h.Discard(&h.cfg)
		return err
	}
	h.synced()
	return nil
}

// wantedDepth is the tightest of the limits, or the default of the time mode.
func (h *Host) wantedDepth(turn player.Limits, timed bool) int {
	want := 0
	for _, d := range []int{h.opt.depth, h.limits.Depth, turn.Depth} {
		if d > 0 && (want == 0 || d < want) {
			want = d
		}
	}
	switch {
	case want > 0:
		return min(want, deepest)
	case h.opt.ownDepth:
		return h.depth // nothing is sent
	case h.modeOf(timed) == modeDepth:
		return defaultDepth
	}
	return deepest
}

// modeOf resolves the automatic time mode.
func (h *Host) modeOf(timed bool) timeMode {
	switch {
	case h.opt.mode != modeAuto:
		return h.opt.mode
	case timed:
		return modeMoveNow
	}
	return modeDepth
}

// appendChanges appends what the engine does not know yet: the moves since it was
// told, or the whole game.
func (h *Host) appendChanges(b []byte) ([]byte, error) {
	if h.reset || h.opt.stateless {
		return h.game.appendAll(b, h.cfg.Now())
	}
	return h.game.appendMoves(b, h.told), nil
}

// appendDepth appends set depth if it is a change.
func (h *Host) appendDepth(b []byte, plies int) []byte {
	if plies == h.depth {
		return b
	}
	h.depth = plies
	return AppendSetDepth(b, plies)
}

// sync brings the engine to the current position and waits until it is idle. An
// engine that is gone or mute since its last turn is started anew.
func (h *Host) sync(depth int) error {
	for {
		err := h.trySync(depth)
		if err == nil || h.Ended() {
			return err
		}
		h.Discard(&h.cfg)
		if isMute(err) {
			h.mutes++
		}
		if h.cfg.Restart == protocol.RestartNever || h.restarts >= maxRestarts || h.mutes > 1 {
			return err
		}
		h.restarts++
		h.cfg.Warnf("%s: started anew in the middle of the game: %v", h.cfg.Name, err)
		if err := h.launch(); err != nil {
			return h.judge(err)
		}
	}
}

// isMute reports whether an engine lives and is silent.
func isMute(err error) bool {
	var f *player.Failure
	return errors.As(err, &f) && f.Reason == game.ByStall
}

// judge turns the failure to start again into the verdict on what made it
// necessary: within a game it is a crash.
func (h *Host) judge(err error) error {
	if f, ok := errors.AsType[*player.Failure](err); ok && f.Reason == game.ByStart && !h.Ended() {
		f.Reason = game.ByCrash
	}
	return err
}

func (h *Host) trySync(depth int) error {
	if h.Conn() == nil {
		return player.Fail(game.ByCrash, nil, "the engine is not running")
	}
	if depth == h.depth && h.told == len(h.game.steps) && !h.reset && h.pong == h.ping && !h.opt.stateless {
		return nil
	}
	h.buf = h.appendDepth(h.buf[:0], depth)
	return h.exchange(h.buf)
}

// update is trySync with the depth for the game that begins.
func (h *Host) update() error {
	h.buf = h.appendDepth(h.buf[:0], h.wantedDepth(player.Limits{}, h.game.timed()))
	return h.exchange(h.buf)
}

// exchange sends commands, what has changed, and a ping, and waits for the pong;
// after a first limit once more with a second ping.
func (h *Host) exchange(b []byte) error {
	b, err := h.appendChanges(b)
	if err != nil {
		return player.Fail(game.ByProtocol, err, "%v", err)
	}
	if err := h.sendPing(b, h.Send); err != nil {
		return h.unanswered(err)
	}
	err = h.awaitPong(h.opt.pong)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		h.warnf("no pong %d within %s, asking once more", h.ping, h.opt.pong)
		if err = h.sendPing(h.buf[:0], h.Conn().Write); err == nil {
			err = h.awaitPong(h.opt.pong)
		}
	}
	if err != nil {
		return h.unanswered(err)
	}
	h.synced()
	return nil
}

// unanswered leaves it open what the engine's board holds.
func (h *Host) unanswered(err error) error {
	h.reset = true
	return h.Failed(err, game.ByStall, "waiting for a pong")
}

// synced notes that the engine has all that was decided and is idle.
func (h *Host) synced() {
	h.told, h.reset, h.owing = len(h.game.steps), false, false
}

// sendPing writes what is in b and a ping in one piece.
func (h *Host) sendPing(b []byte, write func([]byte) error) error {
	h.ping++
	h.buf = AppendPing(b, h.ping)
	return write(h.buf)
}

// awaitPong reads up to the pong of the latest ping. What comes before is stale.
func (h *Host) awaitPong(limit time.Duration) error {
	deadline := h.cfg.Now().Add(limit)
	over := 0
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return err
		}
		r := ParseReply(line)
		if h.common(&r, line) && h.pong == h.ping {
			return nil
		}
		if r.Kind == Chosen && !h.owing {
			h.warnf("%s without a go", clip(line))
		}
		if h.past(deadline, &over) {
			return os.ErrDeadlineExceeded
		}
	}
}

// past reports whether lines still come although the deadline is long past. The
// connection returns what is there also after a deadline, so that nobody loses by
// a reader that was woken late; what is bounded here is an engine that never
// stops talking.
func (h *Host) past(deadline time.Time, over *int) bool {
	const most = 200
	if !deadline.IsZero() && h.cfg.Now().After(deadline) {
		*over++
	}
	return *over > most
}

// common deals with lines that mean the same at any time and reports whether the
// line was a pong that was due.
func (h *Host) common(r *Reply, line []byte) bool {
	switch r.Kind {
	case Pong:
		if r.N > h.ping {
			h.warnf("%s where the latest ping was %d", clip(line), h.ping)
			return false
		}
		h.pong = max(h.pong, r.N)
		return true
	case MyName:
		h.name = text(r.Text)
	case Malformed:
		h.warnf("%s cannot be read", clip(line))
	}
	return false
}
