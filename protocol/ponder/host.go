package ponder

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Limits of waiting where the configuration has none.
const (
	startLimit = player.StartLimit // until the engine has connected and acknowledged
	// grace is how long an engine may go on by itself after the end of its game
	// before it is told to leave, exitLimit how long it then has.
	grace     = 100 * time.Millisecond
	exitLimit = time.Second
)

// host plays through an engine that connects to us. It implements player.Player
// and, beside it, Positioner, Ponderer, Suspender and Witness.
//
// The engine has a process for each game. It asks for its plies when it likes: what
// comes while the other side is on turn, or after the end, is no answer to anything
// and is dropped.
type host struct {
	cfg     protocol.Config
	id      string
	old     bool
	untimed int64

	protocol.Wire
	leaving sync.WaitGroup // processes of earlier games
	leftErr error          // of the latest that left, read after leaving.Wait

	// The running game.
	seat    game.Seat
	first   board         // where the engine was started
	plies   [][]game.Move // since then and before: the past that /start tells
	stale   bool          // the engine must be started anew
	history int           // plies that first already includes
	ms      int64
	fail    *player.Failure
	given   player.Answer // to the question that is open, if it was answered before

	out  []byte
	step [1]game.Move
}

func newHost(c protocol.Config, id string, old bool) (player.Player, error) {
	list := dialects()
	if err := c.CheckDialects(id, list); err != nil {
		return nil, err
	}
	if err := c.NoOptions(id); err != nil {
		return nil, err
	}
	ms, err := strconv.ParseInt(c.Switch(list, "untimed"), 10, 32)
	if err != nil || ms < 0 {
		return nil, fmt.Errorf("dialect.untimed=%s: write milliseconds, for example 900000", c.Switch(list, "untimed"))
	}
	return &host{Wire: protocol.Wire{Hint: hint}, cfg: c, id: id, old: old, untimed: ms}, nil
}

// CanStart implements player.Positioner: the board of any position is told.
func (h *host) CanStart(game.Spec) player.Start { return player.FromPosition }

// Ponder implements player.Ponderer. Engines of this protocol think in the
// opponent's time or do not, as they like; Suspend keeps them from it.
func (h *host) Ponder(bool) error { return nil }

// NewGame implements player.Player: it starts the engine.
func (h *host) NewGame(ctx context.Context, s *player.Setup) error {
	h.leave()
	h.leaving.Wait()
	h.fail, h.given = nil, player.Answer{}
	if s.Spec.ID() != "darkchess" || s.Width != grid.DarkWidth || s.Height != grid.DarkHeight {
		return player.Fail(game.ByStart, nil, "%s carries dark chess on 4 columns and 8 rows, not %s", h.id, s.Spec)
	}
	if !s.Seat.IsPlayer() {
		return player.Fail(game.ByStart, nil, "an engine of this protocol plays one side; it cannot analyse for both")
	}
	h.seat, h.plies, h.stale, h.history = s.Seat, h.plies[:0], false, 0
	h.first = initial()
	if s.Start != "" {
		if s.View == nil {
			return player.Fail(game.ByStart, nil, "the board of the position is not known")
		}
		b, err := seen(s.View.View())
		if err != nil {
			return player.Fail(game.ByStart, err, "%v", err)
		}
		h.first = b
		h.history = len(s.History) // the view is later than these
	}
	next := s.ToMove
	for i := range s.History {
		u := &s.History[i]
		h.note(u.Steps)
		next = u.Next.Seat
	}
	h.ms = h.clockOf(s.Clocks[h.seat].Remaining())
	return h.start(ctx, next == h.seat || len(s.History) == 0 && s.ToMove == h.seat, s.Colours[h.seat], game.ByStart)
}

// clockOf is what an engine is told to have left, in milliseconds.
func (h *host) clockOf(left time.Duration) int64 {
	if left > 100*24*time.Hour {
		return h.untimed
	}
	return left.Milliseconds()
}

// note keeps the plies among the steps.
func (h *host) note(steps []game.Move) {
	for i := 0; i < len(steps); {
		n := 1
		if steps[i].Op == game.Flip && i+1 < len(steps) && steps[i+1].Op == game.Deal {
			n = 2
		}
		h.plies = append(h.plies, append([]game.Move(nil), steps[i:i+n]...))
		i += n
	}
}

// start runs the engine and brings it to the position.
func (h *host) start(ctx context.Context, onTurn bool, colour game.Colour, why game.Reason) error {
	limit := h.cfg.StartLimit
	if limit <= 0 {
		limit = startLimit
	}
	deadline := h.cfg.Now().Add(limit)
	dialing, cancel := context.WithTimeout(ctx, limit)
	conn, err := h.cfg.Dial(dialing)
	cancel()
	if err != nil {
		return h.broke(player.Fail(protocol.Blame(why, err), err, "the engine did not start: %v", err))
	}
	h.Attach(conn)
	h.Watch(ctx)
	s := start{board: h.first, history: h.plies, ms: h.ms}
	for _, p := range h.plies[min(h.history, len(h.plies)):] {
		s.board.play(p)
	}
	h.stale = false
	h.out = append(appendStart(h.out[:0], &s, h.old), '\n')
	if err := h.handshake("/start", deadline, why); err != nil {
		return err
	}
	turn := byte('0')
	if onTurn {
		turn = '1'
	}
	h.out = append(append(h.out[:0], "/turn "...), turn, ' ', colourDigit(colour), '\n')
	return h.handshake("/turn", deadline, why)
}

func colourDigit(c game.Colour) byte {
	switch c {
	case game.Red:
		return '0'
	case game.Black:
		return '1'
	default:
		return '2'
	}
}

// handshake sends what is in out and waits for the acknowledgement.
func (h *host) handshake(word string, deadline time.Time, why game.Reason) error {
	if err := h.Send(h.out); err != nil {
		return h.broke(h.Failed(err, why, "sending "+word))
	}
	for {
		line, err := h.read(deadline)
		if err != nil {
			return h.broke(h.Failed(err, why, "waiting for the engine to acknowledge "+word))
		}
		if string(line) == word {
			return nil
		}
		h.cfg.Warnf("%s: %q came instead of the acknowledgement %s", h.cfg.Name, game.Shown(string(line), 120), word)
	}
}

func (h *host) read(deadline time.Time) ([]byte, error) {
	line, err := h.ReadAnswer(deadline)
	return bytes.TrimRight(line, " \x00"), err
}

// Tell implements player.Player: every accepted ply goes to the engine at once, its
// own included, with its time left and whether the game is over.
func (h *host) Tell(u *player.Update) {
	h.given = player.Answer{}
	if u.Rewind > 0 {
		h.rewind(u.Rewind)
		return
	}
	before := len(h.plies)
	h.note(u.Steps)
	h.ms = h.clockOf(u.Clocks[h.seat].Remaining())
	if h.stale || h.fail != nil || h.Conn() == nil || len(h.plies) == before {
		return
	}
	if u.By != h.seat {
		h.drain()
	}
	h.out = h.out[:0]
	for i, p := range h.plies[before:] {
		last := u.Result != nil && before+i == len(h.plies)-1
		h.out = append(appendPly(h.out, p, h.ms, last, h.old), '\n')
	}
	if err := h.Send(h.out); err != nil {
		_ = h.broke(h.Failed(err, game.ByStall, "telling a ply"))
	}
}

// drain drops what the engine has said while the other side was on turn.
func (h *host) drain() {
	first, more := "", 0
	h.Early(h.cfg.Now(), func(line []byte) {
		if first == "" {
			first = game.Shown(string(line), 120)
		} else {
			more++
		}
	})
	switch {
	case more > 0:
		h.cfg.Warnf("%s: %q and %d more lines came while the other side was on turn", h.cfg.Name, first, more)
	case first != "":
		h.cfg.Warnf("%s: %q came while the other side was on turn", h.cfg.Name, first)
	}
}

// rewind takes back n decisions: the engine is started anew from the position.
func (h *host) rewind(n int) {
	h.stale = true
	for n > 0 && len(h.plies) > 0 {
		last := h.plies[len(h.plies)-1]
		h.plies = h.plies[:len(h.plies)-1]
		n -= len(last)
	}
	if len(h.plies) < h.history {
		_ = h.broke(player.Fail(game.ByProtocol, nil, "the engine came in later than the position that is gone back to"))
	}
}

// Choose implements player.Player: the engine knows from the latest ply that it is
// on turn.
func (h *host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	deadline := p.Deadline
	if h.stale {
		before := h.cfg.Now()
		h.leave()
		h.leaving.Wait()
		if err := h.start(ctx, true, p.Colours[p.Seat], game.ByStall); err != nil {
			return player.Answer{}, err
		}
		if !deadline.IsZero() {
			deadline = deadline.Add(h.cfg.Now().Sub(before))
		}
	}
	if h.Conn() == nil {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "no game has been started")
	}
	if p.Again > 0 {
		return player.Answer{}, h.broke(player.Fail(game.ByIllegal, nil, "an illegal ply, and the protocol has no words to ask for another"))
	}
	if len(h.given.Steps) > 0 {
		return h.given, nil // the engine says it once
	}
	h.Watch(ctx)
	began := h.cfg.Now()
	if p.Sent != nil {
		p.Sent()
	}
	h.Think(true)
	defer h.Think(false)
	for {
		line, err := h.read(deadline)
		if err != nil {
			return player.Answer{}, h.broke(h.Failed(err, protocol.Late(p), "waiting for /move or /flip"))
		}
		m, is, err := parseRequest(string(line), h.old)
		if !is && len(line) > 0 && line[0] == '/' && string(line) != "/start" && string(line) != "/turn" {
			unread := fmt.Sprintf("%q is neither /move nor /flip", game.Shown(string(line), 120))
			return player.Answer{Unread: unread, Raw: string(line), Used: h.cfg.Now().Sub(began), Measured: true}, nil
		}
		if !is {
			h.Passed(h.cfg.Now(), line)
			h.cfg.Warnf("%s: %q is neither /move nor /flip", h.cfg.Name, game.Shown(string(line), 120))
			continue
		}
		ans := player.Answer{Raw: string(line), Used: h.cfg.Now().Sub(began), Measured: true}
		if err != nil {
			ans.Unread = err.Error()
			return ans, nil
		}
		h.step[0] = m
		ans.Steps, ans.Whole = h.step[:], true
		h.given = ans
		return ans, nil
	}
}

// broke notes that the engine cannot go on.
func (h *host) broke(f *player.Failure) *player.Failure {
	h.fail = f
	return f
}

// Over implements player.Player: the engine is told to leave.
func (h *host) Over(game.Result) {
	h.EndWatch()
	protocol.EndGame(h.Conn())
	h.leave()
}

// leave lets the process of the game go: it has a moment to leave by itself, is
// told to, and is ended. It does not wait for that.
func (h *host) leave() {
	conn := h.Detach()
	if conn == nil {
		return
	}
	broken := h.fail != nil
	h.leaving.Go(func() { h.leftErr = end(conn, broken) })
}

func end(conn link.Conn, broken bool) error {
	p, ok := conn.(link.Process)
	if !ok || broken {
		if !broken {
			_ = conn.Write([]byte("/exit\n"))
		}
		return conn.Close()
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	<-t.C
	if _, gone := p.Exited(); !gone {
		_ = conn.Write([]byte("/exit\n")) // who is gone by now has left
	}
	return p.CloseAfter(exitLimit)
}

// Close implements player.Player.
func (h *host) Close() error {
	h.EndWatch()
	h.leave()
	h.leaving.Wait()
	err := h.leftErr
	h.leftErr = nil
	return err
}

var (
	_ player.Player     = (*host)(nil)
	_ player.Positioner = (*host)(nil)
	_ player.Ponderer   = (*host)(nil)
	_ player.Suspender  = (*host)(nil)
	_ player.Witness    = (*host)(nil)
	_ player.Meter      = (*host)(nil)
)
