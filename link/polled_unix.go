//go:build unix

package link

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"kibitz/internal/bell"
)

// File is what Polled needs of a descriptor that the runtime can wait for: a
// non-blocking pipe or socket.
type File interface {
	io.ReadWriteCloser
	syscall.Conn
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// input is what Polled reads from: a File, or one that is watched now and then.
type input interface {
	io.ReadCloser
	SetReadDeadline(t time.Time) error
}

// controller calls a function with a descriptor that stays open meanwhile.
type controller interface {
	Control(do func(fd uintptr)) error
}

const (
	// tick is how often the janitor looks at an input that nobody reads.
	tick = 75 * time.Millisecond
	// tickBytes is how much the janitor takes at most in one look, so that a
	// peer that never stops is slowed to some ten megabytes a second.
	tickBytes = 1 << 20
	// pipeBytes is how much a pipe holds: what a peer has sent by a deadline.
	pipeBytes = 64 << 10
	// wokeLate is how late a deadline may fire before the reader counts it as
	// its own lateness and gives the peer as much longer, within the wait that was
	// meant.
	wokeLate = 5 * time.Millisecond
)

// Polled is a connection over non-blocking descriptors.
//
// # Who owns the input
//
// The mutex in is the ownership of the input: of the splitter, of the sticky
// error and of the deadline that is armed. ReadLine holds it from its call to its
// return, so the goroutine that wants a line takes it straight from the
// descriptor. A janitor, one goroutine per connection, looks every tick: if no
// ReadLine has returned since its last look and TryLock succeeds, nobody reads,
// and it moves what has come into the splitter without ever waiting, as far as there
// is room or nobody has read for long. It never
// returns a line to anybody and never waits for the mutex, so a reader waits for
// it only while it copies what is there, well below a millisecond. Lines thus
// come out in the order in which they came in, whoever moved them.
//
// # Deadlines
//
// Arming a deadline costs more than reading a line, so an earlier one that is
// armed already is left alone; when it fires before its time, the reader arms the
// right one and goes on. Interrupt and HangUp wake a reader by arming a deadline
// in the past, after they have set their flag; the reader looks at the flags
// between arming its own and waiting, so none is lost.
type Polled struct {
	r      input
	w      File
	rawR   controller
	rawW   controller
	tape   *tape
	limits Limits
	now    func() time.Time

	in    sync.Mutex
	split *Splitter
	line  []byte
	err   error
	armed time.Time
	look  attempt
	brief brief
	pace  pace
	// overdue is a deadline that has passed: what had come by then is in the splitter,
	// and nothing more is read for it.
	overdue time.Time

	interrupted atomic.Bool
	hungUp      atomic.Bool
	closed      atomic.Bool
	fresh       atomic.Bool   // a write began a new turn
	reads       atomic.Uint32 // lines handed on, for the janitor
	woken       chan struct{} // ends a rest of the reader

	out  sync.Mutex
	push attempt

	closing sync.Once
	stop    chan struct{}
	done    chan struct{}
}

// attempt is one system call that never waits. The closure is made once, so that
// no call allocates.
type attempt struct {
	buf []byte
	n   int
	err error
	do  func(fd uintptr)
}

// NewPolled returns a connection that reads r and writes w, which may be the
// same. Close closes both. Options.Now is needed and must be the clock of this
// machine.
func NewPolled(r, w File, o Options) (*Polled, error) {
	if o.Now == nil {
		return nil, errors.New("a connection needs a time source")
	}
	in, rawR, err := reading(r, o.Direct && r != w)
	if err != nil {
		return nil, err
	}
	rawW, err := w.SyscallConn()
	if err != nil {
		return nil, err
	}
	limits := o.Limits.withDefaults()
	c := &Polled{
		r: in, w: w, rawR: rawR, rawW: rawW, limits: limits, now: o.Now, split: NewSplitter(limits), tape: newTape(o),
		woken: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	c.look.do = func(fd uintptr) { c.look.n, c.look.err = retry(readNow, fd, c.look.buf) }
	c.push.do = func(fd uintptr) { c.push.n, c.push.err = retry(writeNow, fd, c.push.buf) }
	c.brief.init(o.Direct, rawR, c.roused)
	go c.janitor()
	return c, nil
}

// retry calls again when a signal interrupted the call; it returns how many bytes
// went through, never a negative number.
func retry(call func(int, []byte) (int, error), fd uintptr, p []byte) (int, error) {
	for {
		n, err := call(int(fd), p)
		if !errors.Is(err, syscall.EINTR) {
			return max(0, n), err
		}
	}
}

// ReadLine implements Conn.
func (c *Polled) ReadLine(deadline time.Time) ([]byte, error) {
	c.in.Lock()
	defer c.in.Unlock()
	c.beginTurn()
	extended, asked := false, deadline
	var began, now time.Time
	for {
		if c.interrupted.Load() && c.interrupted.Swap(false) {
			return nil, ErrInterrupted
		}
		if line, ok := c.split.Next(); ok {
			return c.hand(line), nil
		}
		if c.err != nil {
			return nil, c.err
		}
		if !c.overdue.IsZero() {
			same := c.overdue.Equal(asked)
			if c.overdue = (time.Time{}); same {
				return nil, os.ErrDeadlineExceeded
			}
		}
		if now = c.now(); began.IsZero() {
			began = now
		}
		if c.split.Flooded() && c.rest(now, deadline) {
			continue
		}
		if !c.wait(now, deadline) {
			continue
		}
		// The deadline has passed, and what had come by now is in the splitter.
		late := c.now().Sub(deadline)
		if began.After(deadline) {
			late = 0 // nobody was to be woken
		}
		if line, ok := c.split.Next(); ok {
			c.overdue = asked
			return c.hand(line), nil
		}
		if late < wokeLate || extended {
			return nil, os.ErrDeadlineExceeded
		}
		extended, deadline = true, deadline.Add(late+missed(late, deadline.Sub(began)))
	}
}

// missed is how much of a wait the peer may have missed at most if it was stopped
// together with a reader that was woken late.
func missed(late, wait time.Duration) time.Duration { return min(late, wait) }

// hand copies a line to where the janitor cannot reach it.
func (c *Polled) hand(line []byte) []byte {
	c.line = append(c.line[:0], line...)
	c.reads.Add(1)
	if !c.split.Previewed() {
		c.tape.received(c.line, c.split.Flooded())
	}
	return c.line
}

// rest rests where it is time to, until somebody wakes the reader or the deadline. It
// reports whether it has.
func (c *Polled) rest(now, deadline time.Time) bool {
	d := c.pace.rest(now, c.split.Counts().Bytes)
	if !deadline.IsZero() {
		d = min(d, deadline.Sub(now))
	}
	if d <= 0 {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.woken:
	}
	c.pace.rested(c.now())
	return true
}

// beginTurn restarts the count of the flood limit after a write.
func (c *Polled) beginTurn() {
	if c.fresh.Load() && c.fresh.Swap(false) {
		c.split.NewTurn()
	}
}

// wait reads once, waiting from now until the deadline. When that has passed it takes
// what is there without waiting and returns true.
func (c *Polled) wait(now, deadline time.Time) (expired bool) {
	if !deadline.IsZero() && !now.Before(deadline) {
		c.takeAll(pipeBytes, false)
		return true
	}
	if !deadline.IsZero() && (c.armed.IsZero() || c.armed.After(deadline)) {
		c.arm(deadline)
		return false
	}
	if c.hungUp.Load() {
		if c.take() == 0 {
			c.fail(io.EOF)
		}
		return false
	}
	space := c.split.Space()
	if n := c.brief.get(space, now, deadline); n > 0 {
		c.split.Commit(n)
		return false
	}
	n, err := c.r.Read(space)
	switch {
	case n > 0:
		c.split.Commit(n)
	case err == nil:
	case !errors.Is(err, os.ErrDeadlineExceeded):
		c.fail(err)
	default:
		if !deadline.IsZero() && time.Until(deadline) <= 0 {
			c.takeAll(pipeBytes, false)
			return true
		}
		c.arm(deadline)
	}
	return false
}

// arm sets the deadline of the descriptor.
func (c *Polled) arm(deadline time.Time) {
	c.armed = deadline
	if err := c.r.SetReadDeadline(deadline); err != nil {
		c.fail(err)
	}
}

// fail keeps the first error of reading.
func (c *Polled) fail(err error) {
	if c.err != nil {
		return
	}
	if errors.Is(err, os.ErrClosed) {
		err = io.ErrClosedPipe
	}
	if errors.Is(err, syscall.ECONNRESET) {
		err = io.EOF
	}
	c.err = err
	if rest := c.split.Rest(); len(rest) > 0 {
		c.tape.other(Noted, append([]byte(unended), rest...))
	}
}

// take moves what has come into the splitter without waiting and returns how
// much it was.
func (c *Polled) take() int {
	c.look.buf = c.split.Space()
	c.look.n, c.look.err = 0, nil
	if err := c.rawR.Control(c.look.do); err != nil {
		c.fail(err)
		return 0
	}
	switch {
	case c.look.n > 0:
		c.split.Commit(c.look.n)
	case c.look.err == nil:
		c.fail(io.EOF)
	case !errors.Is(c.look.err, syscall.EAGAIN):
		c.fail(c.look.err)
	}
	return c.look.n
}

// takeAll takes what has come, and no more than about most bytes, nor more than there is
// room for unless lines may be dropped for it.
func (c *Polled) takeAll(most int, drop bool) {
	for n := 0; n < most && c.err == nil && (drop || c.split.roomy()); {
		k := c.take()
		if k == 0 {
			return
		}
		n += k
	}
}

// janitor drains the input while nobody reads.
func (c *Polled) janitor() {
	defer close(c.done)
	t := time.NewTicker(tick)
	defer t.Stop()
	last, idle := c.reads.Load(), time.Duration(0)
	for {
		select {
		case <-c.stop:
			return
		case <-t.C:
		}
		if n := c.reads.Load(); n != last {
			last, idle = n, 0
			continue
		}
		idle += tick
		if c.brief.waits() {
			c.brief.kick() // it is not quick: the runtime may wait for it
		} else if c.in.TryLock() {
			c.drain(idle >= forsaken)
			c.in.Unlock()
			c.tape.show()
		}
	}
}

func (c *Polled) drain(drop bool) {
	c.beginTurn()
	c.takeAll(tickBytes, drop)
	if c.tape == nil {
		return
	}
	for line, ok := c.split.Preview(); ok; line, ok = c.split.Preview() {
		c.tape.received(line, c.split.Flooded())
	}
}

// Write implements Conn.
func (c *Polled) Write(p []byte) error {
	c.out.Lock()
	defer c.out.Unlock()
	c.fresh.Store(true)
	began := c.tape.begin()
	c.push.buf, c.push.n, c.push.err = p, 0, nil
	err := c.rawW.Control(c.push.do)
	if err == nil {
		if err = c.push.err; errors.Is(err, syscall.EAGAIN) {
			err = nil
		}
	}
	if n := c.push.n; err == nil && n < len(p) {
		if err = c.w.SetWriteDeadline(c.now().Add(c.limits.Write)); err == nil {
			_, err = c.w.Write(p[n:])
		}
	}
	c.push.buf = nil
	if err != nil {
		return err
	}
	c.tape.sent(p, began)
	return nil
}

// Interrupt implements Conn.
func (c *Polled) Interrupt() {
	c.interrupted.Store(true)
	c.rouse()
}

// roused reports whether a reader should not begin to wait.
func (c *Polled) roused() bool { return c.interrupted.Load() || c.hungUp.Load() || c.closed.Load() }

// rouse ends the waiting of a reader, after one of the flags of roused was set.
func (c *Polled) rouse() {
	_ = c.r.SetReadDeadline(time.Unix(1, 0))
	c.brief.kick()
	bell.Ring(c.woken)
}

// HangUp says that the peer is gone although its output may still be held open
// by somebody: once what has come is read, ReadLine returns io.EOF.
func (c *Polled) HangUp() {
	c.hungUp.Store(true)
	c.rouse()
}

// Counts implements Counter. It waits for a running ReadLine.
func (c *Polled) Counts() Counts {
	c.in.Lock()
	defer c.in.Unlock()
	return c.split.Counts()
}

// Ahead implements link.Ahead.
func (c *Polled) Ahead() bool {
	c.in.Lock()
	defer c.in.Unlock()
	return c.split.buffered() > 0
}

// Rest implements Partial.
func (c *Polled) Rest() []byte {
	c.in.Lock()
	defer c.in.Unlock()
	return bytes.Clone(c.split.Rest())
}

// Flush implements Flusher.
func (c *Polled) Flush() { c.tape.flush() }

// Note shows the observer a line that is not part of the conversation.
func (c *Polled) Note(d Direction, line []byte) { c.tape.other(d, line) }

// Close implements Conn.
func (c *Polled) Close() error {
	var err error
	c.closing.Do(func() {
		close(c.stop)
		c.closed.Store(true)
		c.brief.kick()
		err = c.r.Close()
		if any(c.w) != any(c.r) {
			err = errors.Join(err, c.w.Close())
		}
		<-c.done
		c.in.Lock()
		c.fail(os.ErrClosed) // tells what came without a line end
		c.in.Unlock()
		c.tape.end()
	})
	return err
}
