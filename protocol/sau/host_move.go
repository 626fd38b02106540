package sau

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Tell passes on what was decided. What the mover must hear (accept, take, end) is
// written at once; what makes the engine think (move, refuse, error) waits for
// Choose and its clock.
func (h *Host) Tell(u *player.Update) {
	switch {
	case u.Rewind > 0:
		h.fail = player.Fail(game.ByAbort, player.ErrUnsupported, "the protocol cannot take back")
	case h.form.Hidden:
		h.tellHidden(u)
	default:
		h.tellOpen(u)
	}
}

// tellOpen holds the opponent's turn until it is complete.
func (h *Host) tellOpen(u *player.Update) {
	own := u.By == h.seat
	if !own {
		h.turn = append(h.turn, u.Steps...)
	}
	if !u.Ended && u.Result == nil {
		return
	}
	h.told = true
	b := h.held[:0]
	if !own && len(h.turn) > 0 {
		b = append(append(b, wordMove...), ' ')
		b = append(h.form.Argument.write(&h.opt.letters, b, h.turn), '\n')
	}
	h.turn = h.turn[:0]
	h.deliver(b, u, !own)
}

// tellHidden says what a seat of Phantom Go may know.
func (h *Host) tellHidden(u *player.Update) {
	own := u.By == h.seat
	var took, lost []game.Point
	for i := range u.Notices {
		switch n := &u.Notices[i]; n.Kind {
		case game.Refused:
			return // the prompt that follows says so
		case game.Took:
			took = n.Points
		case game.Lost:
			lost = n.Points
		}
	}
	h.told = true
	pass := len(u.Steps) > 0 && u.Steps[0].Op == game.Pass
	b, prompt := h.held[:0], false
	switch {
	case own && !pass:
		b = appendWord(b, wordAccept)
		if len(took) > 0 {
			b = h.opt.letters.appendList(b, wordTake, took)
		}
	case !own && pass:
		b, prompt = appendArg(b, wordMove, argPass), true
	case !own:
		if len(lost) > 0 {
			b = h.opt.letters.appendList(b, wordTaked, lost)
		}
		if u.Result == nil {
			b, prompt = appendArg(b, wordMove, argGo), true
		}
	}
	h.deliver(b, u, prompt)
}

// deliver writes news in one piece, with the end of the game if it is one, or holds
// them for the prompt that follows. prompt says that the engine may take them for a
// question.
func (h *Host) deliver(b []byte, u *player.Update, prompt bool) {
	h.held = b
	switch {
	case u.Result != nil:
		h.held = h.appendEnd(b, *u.Result)
		h.owes = h.owes || prompt
		h.write(h.held)
		h.held, h.playing = h.held[:0], false
	case u.By == h.seat && len(b) > 0:
		h.write(b)
		h.held = b[:0]
	}
}

// Choose asks the engine for a turn, or in Phantom Go for an attempt. Answer.Used
// runs from the writing of the prompt until the move has been read.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	h.Watch(ctx)
	a, err := h.choose(p)
	if err != nil {
		return player.Answer{}, h.failed(err)
	}
	return a, nil
}

// failed remembers why the host cannot go on and ends the process, unless the game
// was only abandoned.
func (h *Host) failed(err error) error {
	f := protocol.AsFailure(err)
	if f.Reason != game.ByAbort {
		h.Discard(&h.cfg)
	}
	h.fail = f
	return f
}

func (h *Host) choose(p *player.Prompt) (player.Answer, error) {
	h.drop()
	b := h.held
	switch {
	case p.Rejected == player.AttemptRefused:
		b = appendWord(b[:0], wordRefuse)
	case p.Rejected == player.AnswerIllegal || len(b) == 0: // asked again without news
		b = appendWord(b[:0], wordError)
	}
	h.held = b[:0]
	h.playing, h.owes = true, true
	start := h.cfg.Now()
	if err := h.Send(b); err != nil {
		return player.Answer{}, h.Failed(err, protocol.Late(p), "sending the turn")
	}
	return h.await(p, start)
}

// await reads up to the move; all other lines are free text.
func (h *Host) await(p *player.Prompt, start time.Time) (player.Answer, error) {
	for {
		line, err := h.ReadLine(p.Deadline)
		if err != nil {
			return player.Answer{}, h.Failed(err, protocol.Late(p), "waiting for a move")
		}
		if arg, ok := Find(line, wordMove, h.opt.anywhere); ok {
			h.owes = false
			a := player.Answer{Measured: true, Used: h.cfg.Now().Sub(start), Whole: !h.form.Hidden, Raw: string(line)}
			h.steps, a.Unread = h.form.Argument.read(reading{letters: &h.opt.letters, opening: !h.told, loose: h.loose}, arg, h.steps[:0])
			if a.Unread == "" {
				a.Steps = h.steps
			}
			return a, nil
		}
		h.Passed(h.cfg.Now(), line)
	}
}
