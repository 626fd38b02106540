package bus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bounds of opening and closing.
const (
	openTimeout  = 30 * time.Second
	drainTimeout = 5 * time.Second
)

// ErrClosed is returned by whoever waits for the bus when it is closed.
var ErrClosed = errors.New("bus: closed")

// Bus is a connection to the servers that carry messages. All methods may be called
// by many at once.
type Bus struct {
	opts   Options
	names  names
	server *embedded // nil if the servers are outside
	nc     *nats.Conn
	js     jetstream.JetStream
	sender string // the name under which this connection speaks

	// life ends with Close; what runs on behalf of the bus is counted in running.
	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup
	closing sync.Once
	closed  chan struct{} // the connection is closed
	ready   atomic.Bool
	told    atomic.Pointer[func(bool)] // see Notify
	// forgeries are what workers tried that they may not.
	forgeries *forgeries
	changed   chan struct{} // something about the connection has changed; holds one

	mu      sync.Mutex
	streams *streams
	pools   map[string]jetstream.Consumer
	waiting map[*waiter]struct{}
	wake    *nats.Subscription
	turn    int // where the next look for jobs begins
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
	b := &Bus{
		opts: o, names: names{o.Prefix}, sender: senderOf(o), closed: make(chan struct{}), changed: make(chan struct{}, 1),
		pools: map[string]jetstream.Consumer{}, waiting: map[*waiter]struct{}{}, forgeries: newForgeries(o.Now),
	}
	b.life, b.end = context.WithCancel(context.Background())
	if o.URL == "" {
		if b.server, err = embed(o, b.forgeries); err != nil {
			b.end()
			return nil, err
		}
	}
	if err := b.connect(ctx); err != nil {
		b.end()
		b.server.close()
		return nil, err
	}
	if err := b.until(ctx, b.setup); err != nil {
		b.ready.Store(false)
		return nil, errors.Join(err, b.Close())
	}
	b.ready.Store(true)
	b.running.Go(b.watchState)
	b.running.Go(b.tellForgeries)
	return b, nil
}

// begin counts a goroutine that Close waits for; it says no once the bus is closed.
func (b *Bus) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life.Err() != nil {
		return false
	}
	b.running.Add(1)
	return true
}

// task is what the bus does beside others until it is ended.
type task struct {
	quit context.CancelFunc
	done chan struct{} // closed when it has ended
}

// task runs fn, with a context that ends with the task or with the bus, which waits for
// it.
func (b *Bus) task(fn func(context.Context)) (*task, error) {
	if !b.begin() {
		return nil, ErrClosed
	}
	ctx, cancel := context.WithCancel(b.life)
	t := &task{quit: cancel, done: make(chan struct{})}
	go func() {
		defer b.running.Done()
		defer close(t.done)
		defer cancel()
		fn(ctx)
	}()
	return t, nil
}

// end ends the task and waits for that.
func (t *task) end() {
	t.quit()
	<-t.done
}

// waitsFor is the time between two tries to open a bus at servers outside.
const waitsFor = 2 * time.Second

// until is retry for Open: at servers outside it tries every two seconds and says why.
func (b *Bus) until(ctx context.Context, fn func(context.Context) error) error {
	if b.server != nil || b.opts.Waits == nil {
		return b.retry(ctx, fn)
	}
	for {
		once, cancel := context.WithTimeout(ctx, b.opts.Timeout)
		err := fn(once)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			b.opts.Waits(b.where(), waitsFor, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (gave up: %w)", err, context.Cause(ctx))
		case <-time.After(waitsFor):
		}
	}
}

// retry calls fn until it succeeds or ctx ends, with growing pauses up to a second.
func (b *Bus) retry(ctx context.Context, fn func(context.Context) error) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		once, cancel := context.WithTimeout(ctx, b.opts.Timeout)
		err := fn(once)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (gave up: %w)", err, context.Cause(ctx))
		case <-b.life.Done():
			return ErrClosed
		case <-time.After(pause):
		}
	}
}

func (b *Bus) connect(ctx context.Context) error {
	opts := []nats.Option{
		nats.Name("kibitz " + b.opts.Name), nats.CustomInboxPrefix(inbox(b.sender)), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.Timeout(2 * time.Second),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.DrainTimeout(drainTimeout),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { b.note() }),
		nats.ReconnectHandler(func(*nats.Conn) { b.note() }),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
		nats.ErrorHandler(b.connError),
	}
	token, user, password := b.opts.Token, b.opts.User, b.opts.Password
	if b.server != nil {
		opts = append(opts, nats.InProcessServer(b.server.srv))
		token = ""
		if b.server.door != nil {
			user, password = hallSender, b.server.door.own
		} else if b.server.listens {
			token = b.opts.secret()
		}
	} else if b.opts.TLS != nil {
		opts = append(opts, nats.Secure(b.opts.TLS))
	}
	if token != "" {
		opts = append(opts, nats.Token(token))
	}
	if user != "" {
		opts = append(opts, nats.UserInfo(user, password))
	}
	err := b.until(ctx, func(context.Context) (err error) {
		b.nc, err = nats.Connect(b.opts.URL, opts...)
		return plainly(err)
	})
	if err != nil {
		return fmt.Errorf("bus: connecting to %s: %w", b.where(), err)
	}
	if limit := b.nc.MaxPayload(); limit < maxPayload {
		b.opts.Log.Warn("bus: the servers take short messages only; set their max_payload", "have", limit, "want", maxPayload)
	}
	wait := jetstream.WithDefaultTimeout(b.opts.Timeout)
	if b.opts.Domain != "" && (b.server == nil || len(b.opts.Leaf) > 0) {
		b.js, err = jetstream.NewWithDomain(b.nc, b.opts.Domain, wait)
	} else {
		b.js, err = jetstream.New(b.nc, wait)
	}
	if err != nil {
		b.nc.Close()
		return fmt.Errorf("bus: %w", err)
	}
	return nil
}

// where names the servers, without what stands for a secret in an address.
func (b *Bus) where() string {
	if b.server != nil {
		return "the server within the process"
	}
	hosts := strings.Split(b.opts.URL, ",")
	for i, h := range hosts {
		hosts[i] = strings.TrimSpace(h[strings.LastIndexByte(h, '@')+1:])
	}
	return strings.Join(hosts, ", ")
}

func (b *Bus) connError(_ *nats.Conn, sub *nats.Subscription, err error) {
	if sub != nil {
		b.opts.Log.Warn("bus: "+err.Error(), "subject", sub.Subject)
		return
	}
	b.opts.Log.Warn("bus: " + err.Error())
}

// note tells watchState that the connection has changed.
func (b *Bus) note() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// watchState follows the connection. After a loss the streams are made again if they
// are gone, before the bus counts as ready.
func (b *Bus) watchState() {
	for {
		select {
		case <-b.life.Done():
			return
		case <-b.changed:
		}
		if b.ready.CompareAndSwap(true, false) {
			b.opts.Log.Warn("bus: connection lost", "to", b.where())
			b.tell(false)
		}
		if !b.nc.IsConnected() {
			continue
		}
		if err := b.retry(b.life, b.setup); err != nil {
			return
		}
		b.mu.Lock()
		clear(b.pools)
		b.mu.Unlock()
		if !b.nc.IsConnected() || len(b.changed) > 0 {
			continue
		}
		b.ready.Store(true)
		b.opts.Log.Info("bus: connection is back", "to", b.where())
		b.wakeAll()
		b.tell(true)
	}
}

// Notify has fn called when the bus is lost (false) and when it is back (true), as
// Options.OnState has it.
func (b *Bus) Notify(fn func(ready bool)) { b.told.Store(&fn) }

func (b *Bus) tell(ready bool) {
	if fn := b.told.Load(); fn != nil {
		(*fn)(ready)
	}
	if b.opts.OnState != nil {
		b.opts.OnState(ready)
	}
}

// Ready reports whether the bus is connected and its streams are there.
func (b *Bus) Ready() bool { return b.ready.Load() }

// Addr is the address at which the embedded server takes clients, nil if it takes none.
func (b *Bus) Addr() net.Addr {
	if b.server == nil || b.opts.Listen == "" {
		return nil
	}
	return b.server.srv.Addr()
}

// MaxPayload is how long a message may be, in bytes.
func (b *Bus) MaxPayload() int { return int(b.nc.MaxPayload()) }

// Flush waits until the servers have all that was published up to now.
func (b *Bus) Flush(ctx context.Context) error {
	if err := b.nc.FlushWithContext(ctx); err != nil {
		return fmt.Errorf("bus: %w", err)
	}
	return nil
}

// Close ends all subscriptions, delivers what was published, and stops the embedded
// server, within a few seconds. What waits on the bus returns ErrClosed.
func (b *Bus) Close() error {
	var err error
	b.closing.Do(func() {
		b.mu.Lock()
		b.end()
		b.mu.Unlock()
		b.running.Wait()
		b.ready.Store(false)
		if b.nc.IsConnected() {
			if err = b.nc.Drain(); err == nil {
				select {
				case <-b.closed:
				case <-time.After(drainTimeout + time.Second):
					err = errors.New("bus: not all messages were delivered in time")
				}
			}
		}
		b.nc.Close()
		<-b.closed
		b.server.close()
	})
	return err
}

// tooLong says that a message does not fit, in place of what NATS would say.
func (b *Bus) tooLong(what string, size int) error {
	if limit := b.MaxPayload(); size > limit {
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
func (b *Bus) hear(subject string, fn func(*nats.Msg)) (*Subscription, error) {
	sub, err := b.nc.Subscribe(subject, fn)
	if err != nil {
		return nil, fmt.Errorf("bus: listening to %s: %w", subject, err)
	}
	return &Subscription{sub}, b.reach()
}

// reach waits until the servers know of what was subscribed to, so that nothing
// published after it is missed. While the connection is lost it does not wait: the
// subscription is made again with the connection.
func (b *Bus) reach() error {
	if !b.nc.IsConnected() {
		return nil
	}
	if err := b.nc.FlushTimeout(b.opts.Timeout); err != nil && b.life.Err() != nil {
		return ErrClosed
	}
	return nil
}

func (b *Bus) publish(subject string, data []byte) error {
	if err := b.nc.Publish(subject, data); err != nil {
		if errors.Is(err, nats.ErrMaxPayload) {
			return b.tooLong("message for "+subject, len(data))
		}
		return fmt.Errorf("bus: %s: %w", subject, err)
	}
	return nil
}
