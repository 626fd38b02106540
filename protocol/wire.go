package protocol

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kibitz/link"
	"kibitz/player"
)

// quiet is how long lines count that come after a deadline, see Wire.Now.
const quiet = 100 * time.Millisecond

// Wire is a host's connection to its engine: who may interrupt a wait, how the
// connection ends, what remains of it as evidence. Hosts embed one. It gives them
// Stop, Suspend, Resume, Evidence, Floods, Used and Begin of the player's optional
// interfaces; a host whose protocol can do better has methods of its own.
//
// All methods but Stop belong to the goroutine that uses the host. The zero value
// has no connection.
type Wire struct {
	mu       sync.Mutex // guards the next two against Stop and the end of a context
	conn     link.Conn
	thinking bool
	stopped  atomic.Bool // Stop was called in this turn

	watched context.Context // nil: none
	unwatch func() bool

	// Hint says what is likely wrong with a line; hosts set it once. It may be nil.
	Hint Hinter
	// Ack begins lines that acknowledge what was sent, and are nothing that was heard;
	// empty for none.
	Ack   string
	heard heard

	// Now bounds the chatter of an engine; nil: not. Lines that are there are read also
	// after a deadline, so that nobody loses by a reader that was woken late: with Now,
	// lines that still come a tenth of a second after it are not.
	Now func() time.Time

	// Bye returns the words by which an engine is asked to leave, and the grace that it
	// has for that. It is nil where a host has its own Close.
	Bye func() (words []byte, grace time.Duration)

	evidence  []string // of the connection before
	discarded bool     // the process before was, see Discard
	spent     Spent    // of all connections before
}

// Conn returns the connection, nil if there is none.
func (w *Wire) Conn() link.Conn { return w.conn }

// Attach takes over a connection that was made.
func (w *Wire) Attach(c link.Conn) {
	w.evidence, w.discarded, w.heard = nil, false, heard{}
	w.exchange(c)
}

// exchange puts a connection in the place of the one that it returns.
func (w *Wire) exchange(c link.Conn) link.Conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.conn
	w.conn = c
	return old
}

// Watch lets the end of ctx interrupt a wait, on this connection and on those after
// it, until EndWatch. Games use one context, so it costs nothing from the second
// turn on.
func (w *Wire) Watch(ctx context.Context) {
	if ctx == w.watched {
		return
	}
	w.EndWatch()
	w.watched = ctx
	if ctx.Done() != nil {
		w.unwatch = context.AfterFunc(ctx, w.interrupt)
	}
}

// EndWatch ends what Watch began. Hosts call it when a game is over and when they
// are closed.
func (w *Wire) EndWatch() {
	if w.unwatch != nil {
		w.unwatch()
	}
	w.watched, w.unwatch = nil, nil
}

// Watched returns the context that Watch was given last, after EndWatch one that
// does not end.
func (w *Wire) Watched() context.Context {
	if w.watched == nil {
		return context.Background()
	}
	return w.watched
}

// Ended reports whether the watched context has ended.
func (w *Wire) Ended() bool { return w.watched != nil && w.watched.Err() != nil }

func (w *Wire) interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn != nil {
		w.conn.Interrupt()
	}
}

// Think begins and ends the stretch in which Stop has an effect: a turn, or the wait
// for its answer where all that comes before is short.
func (w *Wire) Think(on bool) {
	w.mu.Lock()
	w.thinking = on
	w.stopped.Store(false)
	w.mu.Unlock()
}

// Stop implements player.Player. It ends a running ReadAnswer, or the next one of
// the turn. The host then ends the search if its protocol has a way to; otherwise
// the use of the process ends with the wait.
func (w *Wire) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.thinking && !w.stopped.Swap(true) && w.conn != nil {
		w.conn.Interrupt()
	}
}

// Send writes a question, or what goes before one. What was read before it counts as
// read no longer.
func (w *Wire) Send(b []byte) error {
	w.heard.ask()
	return w.conn.Write(b)
}

// ReadLine returns the next line, link.ErrInterrupted once the watched context has
// ended. It passes over all other interrupts: they were meant for ReadAnswer, or for
// a wait that is over.
func (w *Wire) ReadLine(deadline time.Time) ([]byte, error) { return w.read(deadline, false) }

// ReadAnswer is ReadLine for a wait that Stop ends too, with link.ErrInterrupted: a
// call since Think(true) is enough. A host that has passed the wish on to its engine
// reads with ReadLine from then on.
func (w *Wire) ReadAnswer(deadline time.Time) ([]byte, error) { return w.read(deadline, true) }

func (w *Wire) read(deadline time.Time, heeds bool) ([]byte, error) {
	for !w.Ended() && (!heeds || !w.stopped.Load()) { // either may have come while there was no connection
		if u := w.heard.until; !u.IsZero() && (deadline.IsZero() || u.Before(deadline)) {
			deadline = u
		}
		if w.Now != nil && w.heard.lines > 0 && !deadline.IsZero() && w.Now().After(deadline.Add(quiet)) {
			return nil, os.ErrDeadlineExceeded
		}
		line, err := w.conn.ReadLine(deadline)
		w.heard.spoke = w.heard.spoke || err == nil
		if err == nil && (w.Ack == "" || !bytes.HasPrefix(line, []byte(w.Ack))) {
			w.heard.take(line)
		}
		if err == nil || !errors.Is(err, link.ErrInterrupted) {
			return line, err
		}
	}
	return nil, link.ErrInterrupted
}

// NoMore reports whether the connection knows that the engine has said nothing more together with
// what was read last.
func (w *Wire) NoMore() bool {
	c, ok := w.conn.(link.Ahead)
	return ok && !c.Ahead()
}

// Early hands on the lines that came before anything was asked, as they are now. Who prints
// without end is not waited for, and what is wrong with the connection finds out who asks next.
func (w *Wire) Early(now time.Time, take func(line []byte)) {
	const most = 4096
	for range most {
		line, err := w.ReadLine(now)
		if err != nil {
			return
		}
		take(line)
	}
}

// Detach gives the connection up to the caller, who ends it; nil if there is none.
func (w *Wire) Detach() link.Conn {
	conn := w.exchange(nil)
	if conn != nil {
		w.evidence = Evidence(conn)
		w.spent.Add(conn)
	}
	return conn
}

// Close implements player.Player: the engine is asked to leave, and is ended.
func (w *Wire) Close() error {
	w.EndWatch()
	return w.Quit(w.Bye())
}

// Leave is Close between two games, where nobody waits for the error.
func (w *Wire) Leave(c *Config) { c.WarnEnd(w.Quit(w.Bye())) }

// Quit ends the engine in good order: it is sent the words, has the grace to leave,
// and is ended.
func (w *Wire) Quit(words []byte, grace time.Duration) error {
	conn := w.exchange(nil)
	if conn == nil {
		return nil
	}
	p, isProcess := conn.(link.Process)
	if isProcess {
		_ = p.Resume() // a stopped process could not read
	}
	var err error
	if conn.Write(words) == nil && isProcess {
		err = p.CloseAfter(grace)
	} else {
		err = conn.Close() // who cannot be told has gone already
	}
	w.evidence = Evidence(conn)
	w.spent.Add(conn)
	return err
}

// Kill ends the engine at once.
func (w *Wire) Kill() error {
	conn := w.exchange(nil)
	if conn == nil {
		return nil
	}
	err := conn.Close()
	w.evidence = Evidence(conn)
	w.spent.Add(conn)
	return err
}

// Evidence implements player.Witness, also for a process that has been ended.
func (w *Wire) Evidence() []string {
	if w.conn != nil {
		return Evidence(w.conn)
	}
	return slices.Clone(w.evidence)
}

// Used implements player.Meter.
func (w *Wire) Used() (player.Used, bool) { return w.spent.with(w.conn) }

// Sched implements player.Scheduled, also for a process that has been ended.
func (w *Wire) Sched() (player.Sched, bool) {
	if w.conn == nil {
		return w.spent.sched, w.spent.sched != player.Sched{}
	}
	return w.spent.schedWith(w.conn)
}

// Floods implements player.Flooder, also for a process that has been ended.
func (w *Wire) Floods() int64 { return w.spent.floodsWith(w.conn) }

// Begin implements player.Meter.
func (w *Wire) Begin() (player.Used, bool) { return w.spent.begin(w.conn) }

// Place implements player.Placed.
func (w *Wire) Place(processors, all []int) bool {
	p, ok := w.conn.(link.Placed)
	return ok && p.Place(processors, all)
}

// Suspend implements player.Suspender.
func (w *Wire) Suspend() error {
	if p, ok := w.conn.(link.Process); ok {
		return p.Suspend()
	}
	return player.ErrUnsupported
}

// Resume implements player.Suspender.
func (w *Wire) Resume() error {
	if p, ok := w.conn.(link.Process); ok {
		return p.Resume()
	}
	return player.ErrUnsupported
}
