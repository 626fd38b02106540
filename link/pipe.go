package link

import (
	"io"
	"sync/atomic"
	"time"
)

// Pipe returns two connections of which each is the peer of the other, in memory
// and without a goroutine. It is made for tests and for players of the same
// process, and works in the bubbles of testing/synctest.
//
// A write goes straight into the buffer of the other end and never blocks; the
// bounds of Conn hold. After Close of one end the other reads what was sent
// before and then io.EOF, and its writes fail with io.ErrClosedPipe.
func Pipe() (a, b Conn) { return PipeWith(Options{}, Options{}) }

// PipeWith is Pipe with options for both ends.
func PipeWith(oa, ob Options) (a, b Conn) {
	x, y := newInbox(oa.Limits), newInbox(ob.Limits)
	first := &pipeEnd{in: x, tape: newTape(oa)}
	second := &pipeEnd{in: y, tape: newTape(ob)}
	first.peer, second.peer = second, first
	return first, second
}

type pipeEnd struct {
	in     *inbox
	peer   *pipeEnd
	closed atomic.Bool
	tape   *tape
}

// ReadLine implements Conn.
func (p *pipeEnd) ReadLine(deadline time.Time) ([]byte, error) {
	line, err := p.in.readLine(deadline)
	if err == nil {
		p.tape.received(line, p.in.flooded)
	}
	return line, err
}

// Write implements Conn.
func (p *pipeEnd) Write(b []byte) error {
	if p.closed.Load() || p.peer.closed.Load() {
		return io.ErrClosedPipe
	}
	p.in.newTurn()
	began := p.tape.begin()
	p.peer.in.feed(b)
	p.tape.sent(b, began)
	return nil
}

// Interrupt implements Conn.
func (p *pipeEnd) Interrupt() { p.in.interrupt() }

// Rest implements Partial.
func (p *pipeEnd) Rest() []byte { return p.in.rest() }

// Counts implements Counter.
func (p *pipeEnd) Counts() Counts { return p.in.counts() }

// Flush implements Flusher.
func (p *pipeEnd) Flush() { p.tape.flush() }

// Close implements Conn.
func (p *pipeEnd) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	p.in.drop(io.ErrClosedPipe)
	p.peer.in.fail(io.EOF)
	p.tape.end()
	return nil
}
