package dctp

import (
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/player"
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
	if err := h.Send(request); err != nil {
		return h.broke(h.Failed(err, why, "sending "+n.String()))
	}
	return nil
}

func (h *Host) hear(n Number, deadline time.Time, why game.Reason) (ok bool, text []byte, err error) {
	if ok, text, err = h.reply(n, deadline); err != nil {
		return false, nil, h.broke(h.Failed(err, why, fmt.Sprintf("waiting for the reply to %d %s", n, n)))
	}
	return ok, text, nil
}

// reply reads up to the reply to a command; everything else is chatter: boards,
// search tables, replies to what was asked in another game.
func (h *Host) reply(n Number, deadline time.Time) (ok bool, text []byte, err error) {
	for {
		line, err := h.ReadAnswer(deadline)
		if err != nil {
			return false, nil, err
		}
		if ok, number, text, is := splitReply(line); is && number == int(n) {
			return ok, text, nil
		}
		h.Passed(h.cfg.Now(), line)
	}
}

// broke notes that the process cannot be used again.
func (h *Host) broke(f *player.Failure) *player.Failure {
	h.broken, h.fail = true, f
	return f
}
