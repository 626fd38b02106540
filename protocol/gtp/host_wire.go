package gtp

import (
	"fmt"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// exchange writes the commands in one piece and reads their replies. It returns
// the text of the last one, valid until the next read.
func (h *Host) exchange(deadline time.Time, late game.Reason, doing string) ([]byte, error) {
	h.refused = false
	if len(h.batch.expect) == 0 {
		return nil, nil
	}
	if err := h.Send(h.batch.out); err != nil {
		return nil, h.broke(h.Failed(err, late, "sending commands"))
	}
	var text []byte
	for i, e := range h.batch.expect {
		ok, reply, err := h.reply(deadline, h.batch.firstID+i)
		if err != nil {
			if n := len(h.batch.expect); n > 1 {
				doing += fmt.Sprintf(", reply %d of %d, to %q", i+1, n, h.batch.command(i))
			}
			return nil, h.broke(h.Failed(err, late, doing))
		}
		if text = reply; ok && (e == wantNotice || e == wantMove || !refusal(reply)) {
			continue
		}
		command := h.batch.command(i)
		switch e {
		case wantNotice:
		case wantPass:
			h.refusedPass(command, reply)
		default:
			if e == wantTurn && h.unsettled() {
				h.refused = true
				continue
			}
			text := mark(ok) + firstLine(string(reply))
			f := player.Fail(game.ByProtocol, nil, "the engine answers %q with %q%s", command, text, turnHint(e, h.turn))
			f.Evidence = protocol.Evidence(h.Conn())
			return nil, h.broke(f)
		}
	}
	return text, nil
}

// refusedPass notes an engine that passes by itself: it is told of no other forced
// pass, because every one would be refused and count as a turn to take back.
func (h *Host) refusedPass(command string, reply []byte) {
	if h.passes != "auto" || h.skips {
		return
	}
	h.skips = true
	for i := range h.board.has {
		if h.board.has[i].forced {
			h.board.has[i].plays = 0 // a pass of its own goes with the move before
		}
	}
	h.cfg.Warnf("%s: the engine refuses the forced pass (%q: ? %s); taken as passed, and the engine is told of no more of them",
		h.cfg.Name, command, firstLine(string(reply)))
}

// refusal reports whether a reply that begins with = means the contrary: engines
// from courses answer play with "= illegal move", an unknown command with "=
// unknown command", and a move that they think illegal with "= resign".
func refusal(reply []byte) bool {
	return slices.ContainsFunc([]string{"illegal", "error", "unknown command", "resign"}, func(word string) bool {
		return len(reply) >= len(word) && isWord(reply[:len(word)], word)
	})
}

func mark(ok bool) string {
	if ok {
		return "= "
	}
	return "? "
}

// turnHint says which switch may help an engine that does not read whole turns.
func turnHint(e expectation, turn string) string {
	if e != wantTurn || turn != "auto" {
		return ""
	}
	return "; an engine that wants a command for each point needs dialect.turn=points, or alternate if their colours are to alternate"
}

// reply reads up to the first line of the next reply; everything else is chatter.
func (h *Host) reply(deadline time.Time, id int) (ok bool, text []byte, err error) {
	for {
		line, err := h.ReadAnswer(deadline)
		if err != nil {
			return false, nil, err
		}
		ok, got, text, is := splitReply(trim(line))
		if !is {
			h.Passed(h.cfg.Now(), line)
		}
		if !is || h.batch.ids && got >= 0 && got < id {
			continue
		}
		return ok, text, nil
	}
}

// broke notes that the process cannot be used again.
func (h *Host) broke(f *player.Failure) *player.Failure {
	h.broken, h.fail = true, f
	return f
}

// call sends one command and waits for its reply, in setting up.
func (h *Host) call(deadline time.Time, e expectation, format string, args ...any) (ok bool, text string, err error) {
	h.batch.begin()
	h.batch.word(fmt.Sprintf(format, args...))
	h.batch.end(e)
	if err := h.Send(h.batch.out); err != nil {
		return false, "", h.broke(h.Failed(err, game.ByStart, "sending "+h.batch.command(0)))
	}
	ok, b, err := h.reply(deadline, h.batch.firstID)
	if err != nil {
		return false, "", h.broke(h.Failed(err, game.ByStart, fmt.Sprintf("waiting for the reply to %q", h.batch.command(0))))
	}
	if !ok && e == wantDone {
		f := player.Fail(game.ByStart, nil, "the engine answers %q with %q", h.batch.command(0), "? "+firstLine(string(b)))
		f.Evidence = protocol.Evidence(h.Conn())
		return false, "", h.broke(f)
	}
	return ok, string(b), nil
}
