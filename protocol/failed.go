package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// Hinter says what is likely wrong with a line that an engine sent where a protocol
// wanted another, empty if nothing is known. plain tells that the line can be meant as
// nothing but the answer, in a form that the protocol does not have.
type Hinter func(line []byte) (hint string, plain bool)

// plainGrace is how long after such a line another one is waited for: it may have been
// a remark before the answer.
const plainGrace = 3 * time.Second

// heardMost is how many bytes of a line are kept for the words of a failure.
const heardMost = 160

// heard is what was read since a question was sent.
type heard struct {
	spoke bool            // something was read on this connection, also before the question
	buf   [heardMost]byte // the last line
	n     int
	lines int
	plain string    // the hint for the last line, if it is plainly meant as the answer
	until time.Time // how long it is waited for another; zero: as the host says
}

// take keeps a line. It does not allocate.
func (h *heard) take(line []byte) {
	h.n = copy(h.buf[:], line)
	h.lines++
	h.spoke, h.plain, h.until = true, "", time.Time{}
}

// ask forgets what was read before a question.
func (h *heard) ask() { h.n, h.lines, h.plain, h.until = 0, 0, "", time.Time{} }

// words puts what came since a question into words, for people: the last line, what
// came without a line end, or that there was nothing, with the likely cause.
func (h *heard) words(rest []byte, hint Hinter) string {
	var text, cause string
	last := h.buf[:h.n]
	if hint != nil {
		cause, _ = hint(append(slices.Clone(last), rest...))
	}
	switch {
	case len(rest) > 0:
		text = "read " + quote(rest) + " without a line end"
		cause = cmp.Or(cause, "does the engine end its lines?")
	case h.lines == 0 && h.spoke:
		return "nothing was read"
	case h.lines == 0:
		return "nothing was read: does the engine flush its output?"
	case h.lines == 1:
		text = "read " + quote(last)
	default:
		text = fmt.Sprintf("read %d lines, the last %s", h.lines, quote(last))
	}
	if cause != "" {
		text += ": " + cause
	}
	return text
}

func quote(b []byte) string {
	if len(b) > heardMost {
		return strconv.Quote(string(b[:heardMost])) + "…"
	}
	return strconv.Quote(string(b))
}

// rest returns what a connection has read without a line end.
func rest(conn link.Conn) []byte {
	if p, ok := conn.(link.Partial); ok {
		return p.Rest()
	}
	return nil
}

// Failed maps an error of a connection to the verdict it means. doing says what
// was being waited for, for people: "waiting for the reply to START".
//
//	io.EOF, closed pipe           crash, with the way the process ended, or resource
//	                              where it had run into a limit
//	os.ErrDeadlineExceeded        late, the reason the caller passes in, or protocol
//	                              where the last line was plainly meant as the answer
//	link.ErrGarbled               protocol
//	link.ErrInterrupted, context  abort
func (w *Wire) Failed(err error, late game.Reason, doing string) *player.Failure {
	if f := w.Misformed(); f != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		if late == game.ByStart {
			f.Reason = late
		}
		f.Err = err
		return f
	}
	f := Failed(w.conn, err, late, doing)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		f.Detail += ": " + w.Heard()
	}
	return f
}

// Heard says what was read since the latest Send.
func (w *Wire) Heard() string {
	return w.heard.words(rest(w.conn), w.Hint)
}

// Silent reports whether nothing was read since the latest Send.
func (w *Wire) Silent() bool { return w.heard.lines == 0 && len(rest(w.conn)) == 0 }

// Passed takes note of the latest line where an answer is due and it is none. If it is
// plainly meant as one, it is only waited a moment longer; then Failed says so.
func (w *Wire) Passed(now time.Time, line []byte) {
	if w.Hint == nil {
		return
	}
	if hint, plain := w.Hint(line); plain {
		w.heard.plain, w.heard.until = hint, now.Add(plainGrace)
	}
}

// Misformed returns the failure of an engine whose last line was plainly meant as the
// answer, in a form that the protocol does not have; nil if it was not.
func (w *Wire) Misformed() *player.Failure {
	if w.heard.plain == "" {
		return nil
	}
	f := player.Fail(game.ByProtocol, nil, "the engine answered %s: %s", quote(w.heard.buf[:w.heard.n]), w.heard.plain)
	f.Evidence = Evidence(w.conn)
	return f
}

// Failed is Wire.Failed for a connection of which nobody knows what was read.
func Failed(conn link.Conn, err error, late game.Reason, doing string) *player.Failure {
	f := &player.Failure{Err: err}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.Reason = late
		f.Detail = "no answer in time, " + doing
	case errors.Is(err, link.ErrGarbled):
		f.Reason, f.Detail = game.ByProtocol, err.Error()+", "+doing
	case errors.Is(err, link.ErrInterrupted), errors.Is(err, context.Canceled):
		f.Reason, f.Detail = game.ByAbort, "stopped, "+doing
	case errors.Is(err, io.EOF):
		f.Reason, f.Detail = game.ByCrash, "the engine closed its output, "+doing
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		f.Reason, f.Detail = game.ByCrash, "the engine closed its input, "+doing
	default:
		f.Reason, f.Detail = game.ByCrash, err.Error()+", "+doing
	}
	f.Evidence = Evidence(conn)
	if f.Reason != game.ByCrash {
		return f
	}
	if text := Limited(conn); text != "" {
		f.Reason, f.Detail = game.ByResource, text+", "+doing
		return f
	}
	if p, ok := conn.(link.Process); ok {
		if exit, gone := p.Exited(); gone {
			f.Detail = "the engine ended (" + exit.String() + "), " + doing
		}
		f.Detail += lastWords(p)
	}
	return f
}

// lastWords are the last line of a process's standard error, as words behind others.
func lastWords(p link.Process) string {
	list := p.Stderr()
	for i := len(list) - 1; i >= 0; i-- {
		if t := strings.TrimSpace(list[i]); t != "" {
			return "; its last words: " + quote([]byte(t))
		}
	}
	return ""
}
