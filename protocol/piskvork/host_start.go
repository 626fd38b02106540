package piskvork

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// open makes the engine ready for the game that take has copied: process, board,
// INFO values, name.
func (h *Host) open(ctx context.Context, s *player.Setup) error {
	own := s.Clocks[0]
	if s.Seat.IsPlayer() {
		own = s.Clocks[s.Seat]
	}
	deadline := h.cfg.Now().Add(h.opt.startLimit)
	fresh := h.Conn() == nil
	if fresh {
		if err := h.dial(ctx); err != nil {
			return err
		}
	}
	err := h.start(deadline)
	if err == nil {
		err = h.settle(own)
	}
	if fresh {
		err = protocol.NeverReady(err)
	}
	return err
}

func (h *Host) dial(ctx context.Context) error {
	conn, err := h.cfg.Connect(ctx)
	if err != nil {
		return err
	}
	h.Attach(conn)
	h.name, h.asked, h.answers, h.strays = "", false, false, 0
	h.noRestart = h.opt.newGame == "start"
	h.boardW, h.boardH, h.noTakeback, h.noSwap2, h.fields = 0, 0, !h.opt.takeback, h.mute, h.opt.fields
	h.info.start()
	return nil
}

// start gives the engine an empty board of the game's size: by RESTART if it has
// one of that size, as Piskvork does (engines made from its example code keep their
// stones through a second START), else by START, at which engines also fix what
// depends on the rule.
func (h *Host) start(deadline time.Time) error {
	if !h.noRestart && h.boardW == h.width && h.boardH == h.height && h.boardRule == h.info.rule {
		// What is left of the time must do for a new process.
		if done, err := h.emptied(protocol.Earlier(deadline, h.cfg.Now().Add(h.opt.replyLimit))); done || err != nil {
			return err
		}
	}
	early := h.opt.early
	b := h.info.early(h.buf[:0])
	what := "START"
	if h.width != h.height {
		what = "RECTSTART"
	}
	b = AppendStart(b, h.width, h.height)
	h.buf = b
	h.boardW, h.boardH = 0, 0
	if err := h.write(b); err != nil {
		return h.Failed(err, game.ByStart, "sending "+what)
	}
	complaint, err := h.awaitOK(deadline, what)
	if err != nil {
		return err
	}
	if complaint != nil && early && complaint.Kind == Error {
		if f := h.ruleRefused(complaint.Text); f != nil {
			return f
		}
	}
	h.boardW, h.boardH, h.boardRule = h.width, h.height, h.info.rule
	h.view, h.dirty, h.diverged = h.view[:0], false, false
	return nil
}

// emptied has the engine clear its board by RESTART. It reports false if the
// engine does not know how.
func (h *Host) emptied(deadline time.Time) (bool, error) {
	h.buf = AppendVerb(h.info.early(h.buf[:0]), Restart)
	if err := h.write(h.buf); err != nil {
		return false, h.Failed(err, game.ByStart, "sending RESTART")
	}
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return false, h.Failed(err, game.ByStart, "waiting for the reply to RESTART")
		}
		switch r := ParseReply(line); r.Kind {
		case OK:
			h.view, h.dirty, h.diverged = h.view[:0], false, false
			return true, nil
		case Error, Unknown:
			if h.opt.early && (aboutEarly(r.Text) || aboutInfo(r.Text)) {
				if f := h.ruleRefused(r.Text); r.Kind == Error && f != nil {
					return false, f
				}
				break
			}
			if h.opt.newGame == "restart" {
				return false, player.Fail(game.ByStart, nil, "RESTART was answered %s", clip(line))
			}
			h.noRestart = true
			return false, nil
		case Message, Debug, InfoLine:
		default:
			h.warnf("%q before the reply to RESTART", clip(line))
		}
	}
}

// awaitOK reads up to OK and drops what an earlier game may have left. It returns
// the last ERROR or UNKNOWN that came before.
func (h *Host) awaitOK(deadline time.Time, what string) (*Reply, error) {
	var complaint *Reply
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			if complaint != nil && errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, player.Fail(game.ByStart, err, "%s was answered %s", what, complaint.Text)
			}
			return nil, h.Failed(err, game.ByStart, "waiting for the reply to "+what)
		}
		switch r := ParseReply(line); r.Kind {
		case OK:
			return complaint, nil
		case Error, Unknown:
			early := h.opt.early && aboutEarly(r.Text)
			r.Text = []byte(clip(line))
			complaint = &r
			if !early { // else START has not been answered, which may take long
				deadline = protocol.Earlier(deadline, h.cfg.Now().Add(errorGrace))
			}
		case Message, Debug, InfoLine:
		default:
			h.warnf("%q before the reply to %s", clip(line), what)
		}
	}
}

// aboutEarly reports whether a complaint names one of the INFO lines that go
// before START.
func aboutEarly(text []byte) bool {
	return containsFold(text, "info") || containsFold(text, "rule") || containsFold(text, "memory")
}

// ruleRefused judges an ERROR after INFO rule: nil if it may be passed over. No
// engine refuses freestyle, and one that complains of an unknown command has lost
// the word INFO.
func (h *Host) ruleRefused(text []byte) *player.Failure {
	if containsFold(text, "unknown command") {
		return nil
	}
	if h.info.rule == 0 || h.opt.ruleIgnore {
		h.warnf("%s after INFO", clip(text))
		return nil
	}
	return player.Fail(game.ByStart, nil, "the engine does not support INFO rule %d: %s (dialect.ruleerror=ignore plays on)",
		h.info.rule, clip(text))
}

// settle sends the INFO values and asks for the name. The reply to ABOUT is a
// barrier: what the engine had to say about the values has come before it.
func (h *Host) settle(own clock.Clock) error {
	b := h.info.block(h.buf[:0], own)
	ask := h.opt.about && (!h.asked || h.answers && h.strays > 0)
	if ask {
		b = AppendVerb(b, About)
	}
	h.buf = b
	h.budget = 0
	if err := h.write(b); err != nil {
		return h.Failed(err, game.ByStart, "sending INFO")
	}
	if !ask {
		h.budget = h.strays
		return nil
	}
	h.asked, h.strays = true, 0
	return h.awaitAbout()
}

func (h *Host) awaitAbout() error {
	deadline := h.cfg.Now().Add(aboutLimit)
	for {
		line, err := h.ReadLine(deadline)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return h.Failed(err, game.ByStart, "waiting for the reply to ABOUT")
		}
		switch r := ParseReply(line); r.Kind {
		case Other:
			id := ParseAbout(line)
			h.answers, h.name, h.about = true, id.Name, clip(trim(line))
			if id.Name != "" || id.Author != "" || id.Version != "" {
				return nil
			}
			deadline = protocol.Earlier(deadline, h.cfg.Now().Add(quiet)) // prose, or a banner
		case Unknown:
			if bytes.Contains(bytes.ToUpper(r.Text), []byte("ABOUT")) {
				h.answers = true
				return nil
			}
			h.strays++
			deadline = protocol.Earlier(deadline, h.cfg.Now().Add(quiet))
		case Error:
			h.strays++
			if h.info.blamesRule(r.Text) {
				if f := h.ruleRefused(line); f != nil {
					return f
				}
			}
		}
	}
}
