package gtp

import (
	"context"

	"kibitz/game"
)

// Follow brings the engine's board to the game as far as it was told. It is for programs
// that look on: those that are asked for moves are brought there with the question.
func (h *Host) Follow(ctx context.Context) error {
	if h.fail != nil {
		return h.fail
	}
	h.Watch(ctx)
	deadline := h.cfg.Until(h.cfg.ReplyLimit, replyLimit)
	if err := h.bring(deadline, game.ByStall); err != nil {
		return err
	}
	_, err := h.exchange(deadline, game.ByStall, "telling the game")
	return err
}

// Ask sends a command that changes nothing on the engine's board, and returns the first
// line of the reply; ok is false if that is an error. The engine is started if it does not
// run.
func (h *Host) Ask(ctx context.Context, command string) (text string, ok bool, err error) {
	if h.Conn() == nil || h.broken {
		if err := h.process(ctx); err != nil {
			return "", false, err
		}
	}
	h.Watch(ctx)
	ok, text, err = h.call(h.cfg.Until(h.cfg.ReplyLimit, replyLimit), wantNotice, "%s", command)
	return text, ok, err
}
