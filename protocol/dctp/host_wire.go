package dctp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// call sends one request and waits for its reply. The text is valid until the
// next read. An error has ended the use of the process.
func (h *Host) call(n Number, request []byte, deadline time.Time, why game.Reason) (ok bool, text []byte, err error) {
	if err := h.send(n, request, why); err != nil {
		return false, nil, err
	}
	return h.hear(n, deadline, why)
}

func (h *Host) send(n Number, request []byte, why game.Reason) error {
	if err := h.conn.Write(request); err != nil {
		return h.broke(protocol.Failed(h.conn, err, why, "sending "+n.String()))
	}
	return nil
}

func (h *Host) hear(n Number, deadline time.Time, why game.Reason) (ok bool, text []byte, err error) {
	if ok, text, err = h.reply(n, deadline); err != nil {
		return false, nil, h.broke(protocol.Failed(h.conn, err, why, fmt.Sprintf("waiting for the reply to %d %s", n, n)))
	}
	return ok, text, nil
}

// reply reads up to the reply to a command; everything else is chatter: boards,
// search tables, replies to what was asked in another game.
func (h *Host) reply(n Number, deadline time.Time) (ok bool, text []byte, err error) {
	for {
		line, err := h.conn.ReadLine(deadline)
		if errors.Is(err, link.ErrInterrupted) && !h.wanted() {
			continue // meant for a wait that was over
		}
		if err != nil {
			return false, nil, err
		}
		if ok, number, text, is := splitReply(line); is && number == int(n) {
			return ok, text, nil
		}
	}
}

// Stop implements player.Player. The protocol cannot interrupt a search: the wait
// for it ends, and with it the use of the process.
func (h *Host) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.choosing {
		h.stopped = true
		h.conn.Interrupt()
	}
}

func (h *Host) running(on bool) {
	h.mu.Lock()
	h.choosing, h.stopped = on, h.stopped && on
	h.mu.Unlock()
}

// wanted reports whether an interrupt is meant for the running call.
func (h *Host) wanted() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped || h.watched != nil && h.watched.Err() != nil
}

// watch lets the end of ctx interrupt the connection. Games use one context, so
// this costs nothing from the second ply on.
func (h *Host) watch(ctx context.Context) {
	if ctx == h.watched {
		return
	}
	if h.unwatch != nil {
		h.unwatch()
	}
	h.mu.Lock()
	h.watched, h.unwatch = ctx, nil
	h.mu.Unlock()
	if ctx.Done() != nil {
		h.unwatch = context.AfterFunc(ctx, h.conn.Interrupt)
	}
}

// broke notes that the process cannot be used again.
func (h *Host) broke(f *player.Failure) *player.Failure {
	h.broken, h.fail = true, f
	return f
}

// short cuts a text for a message.
func short(b []byte) string {
	if len(b) > 120 {
		return string(b[:120]) + "…"
	}
	return string(b)
}
