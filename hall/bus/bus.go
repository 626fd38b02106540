package bus

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of opening and closing.
const (
	openTimeout  = 30 * time.Second
	drainTimeout = 5 * time.Second
)

// ErrClosed is returned by whoever waits for the bus when it is closed.
var ErrClosed = errors.New("bus: closed")

// Bus is a connection to the servers that carry messages. It consists of its parts: who
// needs one of them alone is given that. All methods may be called by many at once.
type Bus struct {
	*Queue
	*Registry
	*Attempts
	*Results
	*Logs
	*LiveEvents
	*Seats
	*Analyses
	*Topics

	conn      *conn
	closing   sync.Once
	ready     atomic.Bool
	told      atomic.Pointer[func(bool)] // see Notify
	forgeries *forgeries
}

// Open starts a server within the process, or connects to servers outside, and makes
// the streams if there are none. It tries until ctx ends, or half a minute if ctx has no
// deadline: servers may start after the program, and those of a cluster wait for each
// other. From then on a lost connection is made again for ever.
func Open(ctx context.Context, o Options) (*Bus, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openTimeout)
		defer cancel()
	}
	c, tried := newConn(o), newForgeries(o.Now)
	if o.URL == "" {
		if c.server, err = embed(o, tried); err != nil {
			c.end()
			return nil, err
		}
	}
	if err := c.connect(ctx); err != nil {
		c.end()
		c.server.close()
		return nil, err
	}
	own := &owners{conn: c, forgeries: tried}
	b := &Bus{
		Queue: newQueue(c), Registry: &Registry{conn: c}, Attempts: &Attempts{own}, Results: newResults(c), Logs: newLogs(c),
		LiveEvents: &LiveEvents{own}, Seats: &Seats{own}, Analyses: &Analyses{c}, Topics: &Topics{c},
		conn: c, forgeries: tried,
	}
	if err := c.until(ctx, b.setup); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.ready.Store(true)
	c.running.Go(b.watchState)
	c.running.Go(b.tellForgeries)
	return b, nil
}

// watchState follows the connection. After a loss the streams are made again if they
// are gone, before the bus counts as ready.
func (b *Bus) watchState() {
	for {
		select {
		case <-b.conn.life.Done():
			return
		case <-b.conn.changed:
		}
		if b.ready.CompareAndSwap(true, false) {
			b.conn.opts.Log.Warn("bus: connection lost", "to", b.conn.where())
			b.tell(false)
		}
		if !b.conn.nc.IsConnected() {
			continue
		}
		if err := b.conn.retry(b.conn.life, b.setup); err != nil {
			return
		}
		if !b.conn.nc.IsConnected() || len(b.conn.changed) > 0 {
			continue
		}
		b.ready.Store(true)
		b.conn.opts.Log.Info("bus: connection is back", "to", b.conn.where())
		b.Queue.tell("")
		b.tell(true)
	}
}

// Notify has fn called when the bus is lost (false) and when it is back (true), one call at a time.
func (b *Bus) Notify(fn func(ready bool)) { b.told.Store(&fn) }

func (b *Bus) tell(ready bool) {
	if fn := b.told.Load(); fn != nil {
		(*fn)(ready)
	}
}

// Ready reports whether the bus is connected and its streams are there.
func (b *Bus) Ready() bool { return b.ready.Load() }

// Addr is the address at which the embedded server takes clients, nil if it takes none.
func (b *Bus) Addr() net.Addr {
	if b.conn.server == nil || b.conn.opts.Listen == "" {
		return nil
	}
	return b.conn.server.srv.Addr()
}

// Close ends all subscriptions, delivers what was published, and stops the embedded
// server, within a few seconds. What waits on the bus returns ErrClosed.
func (b *Bus) Close() error {
	var err error
	b.closing.Do(func() {
		b.conn.stop()
		b.ready.Store(false)
		if b.conn.nc.IsConnected() {
			if err = b.conn.nc.Drain(); err == nil {
				select {
				case <-b.conn.closed:
				case <-time.After(drainTimeout + time.Second):
					err = errors.New("bus: not all messages were delivered in time")
				}
			}
		}
		b.conn.nc.Close()
		<-b.conn.closed
		b.conn.server.close()
	})
	return err
}
