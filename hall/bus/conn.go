package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kibitz/internal/bell"
)

// conn is the connection to the servers, which all parts of a bus share.
type conn struct {
	tasks

	opts   Options
	names  names
	sender string    // the name under which it speaks
	server *embedded // nil if the servers are outside
	nc     *nats.Conn
	js     jetstream.JetStream

	// began and word are by what its beats are told from others, whose ways are in ways.
	began time.Time
	word  string
	ways  ways

	denied  time.Time     // when it was said last that the servers refuse it
	closed  chan struct{} // the connection is closed
	changed chan struct{} // something about the connection has changed; holds one
}

func newConn(o Options) *conn {
	c := &conn{
		opts: o, names: names{o.Prefix}, sender: senderOf(o), began: o.Now(), word: nats.NewInbox(), closed: make(chan struct{}),
		changed: make(chan struct{}, 1),
	}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// waitsFor is the time between two tries to open a bus at servers outside.
const waitsFor = 2 * time.Second

// until is retry for Open: at servers outside it tries every two seconds and says why.
func (c *conn) until(ctx context.Context, fn func(context.Context) error) error {
	if c.server != nil || c.opts.Waits == nil {
		return c.retry(ctx, fn)
	}
	for {
		once, cancel := context.WithTimeout(ctx, c.opts.Timeout)
		err := fn(once)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			c.opts.Waits(c.where(), waitsFor, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (gave up: %w)", err, context.Cause(ctx))
		case <-time.After(waitsFor):
		}
	}
}

// retry calls fn until it succeeds or ctx ends, with growing pauses up to a second.
func (c *conn) retry(ctx context.Context, fn func(context.Context) error) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		once, cancel := context.WithTimeout(ctx, c.opts.Timeout)
		err := fn(once)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (gave up: %w)", err, context.Cause(ctx))
		case <-c.life.Done():
			return ErrClosed
		case <-time.After(pause):
		}
	}
}

func (c *conn) connect(ctx context.Context) error {
	opts := []nats.Option{
		nats.Name("kibitz"), nats.CustomInboxPrefix(inbox(c.sender)), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.Timeout(2 * time.Second),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.DrainTimeout(drainTimeout),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { c.note() }),
		nats.ReconnectHandler(func(*nats.Conn) { c.note() }),
		nats.ClosedHandler(func(*nats.Conn) { close(c.closed) }),
		nats.ErrorHandler(c.connError), nats.IgnoreAuthErrorAbort(), // who is refused may be let in later
	}
	if c.server != nil {
		opts = append(opts, nats.InProcessServer(c.server.srv))
	} else if c.opts.TLS != nil {
		opts = append(opts, nats.Secure(c.opts.TLS))
	}
	switch {
	case c.server != nil && c.server.door != nil:
		opts = append(opts, nats.UserInfo(hallSender, c.server.door.own))
	case c.opts.Token != "":
		opts = append(opts, nats.Token(c.opts.Token))
	}
	err := c.until(ctx, func(context.Context) (err error) {
		c.nc, err = nats.Connect(c.opts.URL, opts...)
		return plainly(err)
	})
	if err != nil {
		return fmt.Errorf("bus: connecting to %s: %w", c.where(), err)
	}
	if limit := c.nc.MaxPayload(); limit < maxPayload {
		c.opts.Log.Warn("bus: the servers take short messages only; set their max_payload", "have", limit, "want", maxPayload)
	}
	if c.js, err = jetstream.New(c.nc, jetstream.WithDefaultTimeout(c.opts.Timeout)); err != nil {
		c.nc.Close()
		return fmt.Errorf("bus: %w", err)
	}
	return nil
}

// where names the servers, without what stands for a secret in an address.
func (c *conn) where() string {
	if c.server != nil {
		return "the server within the process"
	}
	hosts := strings.Split(c.opts.URL, ",")
	for i, h := range hosts {
		hosts[i] = strings.TrimSpace(h[strings.LastIndexByte(h, '@')+1:])
	}
	return strings.Join(hosts, ", ")
}

func (c *conn) connError(_ *nats.Conn, sub *nats.Subscription, err error) {
	if sub != nil {
		c.opts.Log.Warn("bus: "+err.Error(), "subject", sub.Subject)
		return
	}
	if !errors.Is(err, nats.ErrAuthorization) {
		c.opts.Log.Warn("bus: " + err.Error())
		return
	}
	if now := c.opts.Now(); c.denied.IsZero() || now.Sub(c.denied) >= refusedEvery {
		c.denied = now
		c.opts.Log.Warn("bus: the token or password is refused: it was revoked, or whoever decides about it is away; it is tried on",
			"to", c.where())
	}
}

// note tells watchState that the connection has changed.
func (c *conn) note() {
	bell.Ring(c.changed)
}

// bounded gives a context a deadline if it has none.
func (c *conn) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, 3*c.opts.Timeout)
}

// keep publishes to a stream and waits for its acknowledgement, again and again until
// ctx ends. The stream drops a repetition with the same id.
func (c *conn) keep(ctx context.Context, what, subject string, data []byte, id string) error {
	if err := c.tooLong(what, len(data)); err != nil {
		return err
	}
	err := c.retry(ctx, func(ctx context.Context) error {
		_, err := c.js.Publish(ctx, subject, data, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
		return err
	})
	if err != nil {
		return fmt.Errorf("bus: %s was not kept: %w", what, err)
	}
	return nil
}

// tooLong says that a message does not fit, in place of what NATS would say.
func (c *conn) tooLong(what string, size int) error {
	if limit := c.nc.MaxPayload(); int64(size) > limit {
		return fmt.Errorf("bus: %s has %d bytes, the servers take %d: set their max_payload", what, size, limit)
	}
	return nil
}

// Subscription is something that is listened to.
type Subscription struct{ sub *nats.Subscription }

// Close ends it: no further message is passed on, but a call that has begun may still
// run. It may be called more than once, and from within the call.
func (s *Subscription) Close() {
	if s != nil && s.sub != nil {
		_ = s.sub.Unsubscribe()
	}
}

// hear passes messages to fn, one at a time; the servers know of it when it returns.
func (c *conn) hear(subject string, fn func(*nats.Msg)) (*Subscription, error) {
	sub, err := c.nc.Subscribe(subject, fn)
	if err != nil {
		return nil, fmt.Errorf("bus: listening to %s: %w", subject, err)
	}
	return &Subscription{sub}, c.reach()
}

// reach waits until the servers know of what was subscribed to, so that nothing
// published after it is missed. While the connection is lost it does not wait: the
// subscription is made again with the connection.
func (c *conn) reach() error {
	if !c.nc.IsConnected() {
		return nil
	}
	if err := c.nc.FlushTimeout(c.opts.Timeout); err != nil && c.life.Err() != nil {
		return ErrClosed
	}
	return nil
}

func (c *conn) publish(subject string, data []byte) error {
	if err := c.nc.Publish(subject, data); err != nil {
		if errors.Is(err, nats.ErrMaxPayload) {
			return c.tooLong("message for "+subject, len(data))
		}
		return fmt.Errorf("bus: %s: %w", subject, err)
	}
	return nil
}
