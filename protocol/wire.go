package protocol

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kibitz/link"
	"kibitz/player"
)

// Wire is a host's connection to its engine: who may interrupt a wait, how the
// connection ends, what remains of it as evidence. Hosts embed one. It gives them
// Stop, Suspend, Resume and Evidence of the player's optional interfaces; a host
// whose protocol can do better has methods of its own.
//
// All methods but Stop belong to the goroutine that uses the host. The zero value
// has no connection.
type Wire struct {
	mu       sync.Mutex // guards what follows against Stop and the end of a context
	conn     link.Conn
	thinking bool
	stopped  bool
	watched  context.Context
	unwatch  func() bool

	evidence []string // of the connection before
}

// Conn returns the connection, nil if there is none.
func (w *Wire) Conn() link.Conn { return w.conn }

// Attach takes over a connection that was made.
func (w *Wire) Attach(c link.Conn) {
	w.mu.Lock()
	w.conn = c
	w.mu.Unlock()
	w.evidence = nil
}

// Watch lets the end of ctx interrupt a wait. Games use one context, so it costs
// nothing from the second turn on.
func (w *Wire) Watch(ctx context.Context) {
	if ctx == w.watched {
		return
	}
	w.EndWatch()
	w.mu.Lock()
	w.watched = ctx
	w.mu.Unlock()
	if ctx.Done() != nil {
		w.unwatch = context.AfterFunc(ctx, w.interrupt)
	}
}

// EndWatch ends what Watch began.
func (w *Wire) EndWatch() {
	if w.unwatch != nil {
		w.unwatch()
	}
	w.mu.Lock()
	w.watched, w.unwatch = nil, nil
	w.mu.Unlock()
}

func (w *Wire) interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn != nil {
		w.conn.Interrupt()
	}
}

// Think says whether the engine is thinking about an answer, which Stop may then
// end.
func (w *Wire) Think(on bool) {
	w.mu.Lock()
	w.thinking, w.stopped = on, w.stopped && on
	w.mu.Unlock()
}

// Stop implements player.Player for protocols that cannot interrupt a search: the
// wait for the answer ends, and with it the use of the process.
func (w *Wire) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.thinking && w.conn != nil {
		w.stopped = true
		w.conn.Interrupt()
	}
}

// ReadLine returns the next line. An interrupt that was meant for a wait which was
// over is passed over.
func (w *Wire) ReadLine(deadline time.Time) ([]byte, error) {
	for {
		if w.watched != nil && w.watched.Err() != nil { // it may have ended before there was a connection
			return nil, link.ErrInterrupted
		}
		line, err := w.conn.ReadLine(deadline)
		if err == nil || !errors.Is(err, link.ErrInterrupted) || w.wanted() {
			return line, err
		}
	}
}

// wanted reports whether an interrupt is meant for the running wait.
func (w *Wire) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped || w.watched != nil && w.watched.Err() != nil
}

// Detach gives the connection up to the caller, who ends it; nil if there is none.
func (w *Wire) Detach() link.Conn {
	w.EndWatch()
	w.mu.Lock()
	conn := w.conn
	w.conn = nil
	w.mu.Unlock()
	if conn != nil {
		w.evidence = Evidence(conn)
	}
	return conn
}

// Quit ends the engine in good order: it is sent the words, if any, has the grace to
// leave, and is ended.
func (w *Wire) Quit(words []byte, grace time.Duration) error {
	conn := w.Detach()
	if conn == nil {
		return nil
	}
	p, isProcess := conn.(link.Process)
	if isProcess {
		_ = p.Resume() // a stopped process could not read
	}
	var err error
	if len(words) > 0 && conn.Write(words) == nil && isProcess {
		err = p.CloseAfter(grace)
	} else {
		err = conn.Close() // who cannot be told has gone already
	}
	w.evidence = Evidence(conn)
	return err
}

// Kill ends the engine at once.
func (w *Wire) Kill() error { return w.Quit(nil, 0) }

// Evidence implements player.Witness, also for a process that has been ended.
func (w *Wire) Evidence() []string {
	if w.conn != nil {
		return Evidence(w.conn)
	}
	return slices.Clone(w.evidence)
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
