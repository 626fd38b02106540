package gtp

import (
	"fmt"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// begin empties the buffer of commands.
func (h *Host) begin() {
	h.out, h.expect, h.firstID, h.refused = h.out[:0], h.expect[:0], h.nextID+1, false
}

// word begins a command.
func (h *Host) word(name string) {
	if h.ids {
		h.nextID++
		h.out = strconv.AppendInt(h.out, int64(h.nextID), 10)
		h.out = append(h.out, ' ')
	}
	h.out = append(h.out, name...)
}

// end completes a command and notes what its reply means.
func (h *Host) end(e expectation) {
	h.out = append(h.out, '\n')
	h.expect = append(h.expect, e)
}

// exchange writes the commands in one piece and reads their replies. It returns
// the text of the last one, valid until the next read.
func (h *Host) exchange(deadline time.Time, late game.Reason, doing string) ([]byte, error) {
	if len(h.expect) == 0 {
		return nil, nil
	}
	if err := h.Send(h.out); err != nil {
		return nil, h.broke(h.Failed(err, late, "sending commands"))
	}
	var text []byte
	for i, e := range h.expect {
		ok, reply, err := h.reply(deadline, h.firstID+i)
		if err != nil {
			return nil, h.broke(h.Failed(err, late, doing))
		}
		if text = reply; ok && (e == wantNotice || e == wantMove || !refusal(reply)) {
			continue
		}
		command := h.command(i)
		switch e {
		case wantNotice:
		case wantPass:
			h.refusedPass(command, reply)
		default:
			if e == wantTurn && h.unsettled() {
				h.refused = true
				continue
			}
			f := player.Fail(game.ByProtocol, nil, "the engine answers %q with %q%s", command, mark(ok)+firstLine(string(reply)), h.hint(e))
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
	for _, word := range []string{"illegal", "error", "unknown command", "resign"} {
		if len(reply) >= len(word) && isWord(reply[:len(word)], word) {
			return true
		}
	}
	return false
}

func mark(ok bool) string {
	if ok {
		return "= "
	}
	return "? "
}

// hint says which switch may help an engine that does not read whole turns.
func (h *Host) hint(e expectation) string {
	if e != wantTurn || h.turn != "auto" {
		return ""
	}
	return "; an engine that wants a command for each point needs dialect.turn=points, or alternate if their colours are to alternate"
}

// command returns the i-th command of the buffer.
func (h *Host) command(i int) string {
	start := 0
	for at, c := range h.out {
		if c != '\n' {
			continue
		}
		if i == 0 {
			return string(h.out[start:at])
		}
		i--
		start = at + 1
	}
	return ""
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
		if !is || h.ids && got >= 0 && got < id {
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
	h.begin()
	h.word(fmt.Sprintf(format, args...))
	h.end(e)
	if err := h.Send(h.out); err != nil {
		return false, "", h.broke(h.Failed(err, game.ByStart, "sending "+h.command(0)))
	}
	ok, b, err := h.reply(deadline, h.firstID)
	if err != nil {
		return false, "", h.broke(h.Failed(err, game.ByStart, fmt.Sprintf("waiting for the reply to %q", h.command(0))))
	}
	if !ok && e == wantDone {
		f := player.Fail(game.ByStart, nil, "the engine answers %q with %q", h.command(0), "? "+firstLine(string(b)))
		f.Evidence = protocol.Evidence(h.Conn())
		return false, "", h.broke(f)
	}
	return ok, string(b), nil
}
