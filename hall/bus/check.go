package bus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Errors of Check.
var (
	// ErrNoServer: there is no connection, or the servers do not answer.
	ErrNoServer = errors.New("does not answer")
	// ErrFull: the servers say that they have no space.
	ErrFull = errors.New("has no space left")
	// ErrStuck: the servers answer, but a stream takes nothing and says nothing. That is
	// what nats-server does after a write that failed, until it is started anew.
	ErrStuck = errors.New("takes no messages")
)

// probe stands where a game has its identifier, in messages by which Check tries the
// streams; it can be none.
const probe = "~probe"

// probeDeep is how many bytes a message has that shows that there is space.
const probeDeep = 256 << 10

// Codes of errors of JetStream that mean that there is no space, see
// https://docs.nats.io/reference/reference-protocols/nats_api_errors.
const (
	insufficientResources = 10023
	storeFailed           = 10077
	storageExceeded       = 10047
	memoryExceeded        = 10028
)

// Check reports whether the servers keep what is published: it writes to each stream and
// removes what it wrote; with deep so much that there must be space, and one is read back. It
// takes as long as ctx allows. The errors are above.
func (b *Bus) Check(ctx context.Context, deep bool) error {
	c := b.conn
	if !c.nc.IsConnected() {
		return fmt.Errorf("bus: %s: %w", c.where(), ErrNoServer)
	}
	first, cancel := c.half(ctx)
	defer cancel()
	began := c.opts.Now()
	if err := c.nc.FlushWithContext(first); err != nil {
		return fmt.Errorf("bus: %s: %w: %w", c.where(), ErrNoServer, err)
	}
	way := c.opts.Now().Sub(began)
	size := 64
	if deep {
		size = probeDeep
	}
	streams := b.streams()
	all := make([]error, len(streams))
	var wg sync.WaitGroup
	for i, s := range streams {
		wg.Go(func() { all[i] = s.try(ctx, size, deep && i == 0) })
	}
	wg.Wait()
	err := errors.Join(all...)
	if took := c.opts.Now().Sub(began); errors.Is(err, ErrStuck) && way > (took-way)/4 {
		return fmt.Errorf("bus: %s: %w: an answer took %s: %w", c.where(), ErrNoServer, way.Round(time.Millisecond), context.DeadlineExceeded)
	}
	return err
}

// half returns a context that ends when half of the time of ctx is over.
func (c *conn) half(ctx context.Context) (context.Context, context.CancelFunc) {
	until, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, c.opts.Timeout/2)
	}
	return context.WithTimeout(ctx, time.Until(until)/2)
}

// try writes a message to the stream and removes it; with back it is read before.
func (s *stream) try(ctx context.Context, size int, back bool) error {
	name := s.want.Name
	ack, err := s.js.Publish(ctx, s.probe, make([]byte, size), jetstream.WithRetryAttempts(0))
	var api *jetstream.APIError
	switch {
	case err == nil:
		if back {
			if _, err := s.now().GetMsg(ctx, ack.Sequence); err != nil {
				return fmt.Errorf("bus: stream %s: a message is not read back: %w", name, err)
			}
		}
		// By its number: a purge would move consumers that have other messages, too.
		_ = s.now().DeleteMsg(ctx, ack.Sequence)
		return nil
	case errors.As(err, &api) && (api.ErrorCode == insufficientResources || api.ErrorCode == storeFailed || api.ErrorCode == storageExceeded ||
		api.ErrorCode == memoryExceeded):
		return fmt.Errorf("bus: stream %s %w: %w", name, ErrFull, err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout),
		errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("bus: stream %s %w: %w", name, ErrStuck, err)
	}
	return fmt.Errorf("bus: stream %s: %w", name, err)
}

// Mends reports whether Mend can do anything: the server is in this process.
func (b *Bus) Mends() bool { return b.conn.server != nil }

// errWell tells that there is nothing to mend.
var errWell = errors.New("bus: the embedded server has no fault that a new start would mend")

// Mend starts the streams of the embedded server anew, if a write of theirs has failed and
// there is space again: the server never tries again by itself. The connections stay. What
// was acknowledged is there; the registry of workers is empty until they next give a sign.
func (b *Bus) Mend(ctx context.Context) error {
	if !b.Mends() {
		return errWell
	}
	srv := b.conn.server.srv
	if srv.JetStreamEnabled() {
		if h := srv.Healthz(&server.HealthzOptions{JSServerOnly: false, Details: false}); h.Error == "" {
			return errWell
		}
	}
	so := b.conn.server.streams
	if err := space(so.StoreDir); err != nil {
		return fmt.Errorf("bus: no space below %s yet: %w", so.StoreDir, err)
	}
	if err := srv.ShutdownJetStream(); err != nil {
		return fmt.Errorf("bus: stopping the streams: %w", err)
	}
	if err := srv.EnableJetStream(&so); err != nil {
		return fmt.Errorf("bus: starting the streams anew: %w", err)
	}
	if err := b.conn.retry(ctx, b.setup); err != nil {
		return fmt.Errorf("bus: the streams after a new start: %w", err)
	}
	b.conn.opts.Log.Info("bus: the streams of the embedded server were started anew, because a write had failed")
	b.Queue.tell("")
	return nil
}

// space reports whether a folder takes a file of a megabyte.
func space(dir string) error {
	name := filepath.Join(dir, ".space")
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 1<<20))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(name))
}
