package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrLease tells that a job was not extended in time: it belongs to whoever gets it
// next.
var ErrLease = errors.New("bus: the lease of the job has run out")

// maxHints is how many announcements a waiting worker remembers before it looks at
// everything.
const maxHints = 32

// Enqueue puts a job in the queue; it returns when the servers have kept it. The same
// game and try are kept once within ten minutes. It tries until ctx ends, or three
// times Options.Timeout if ctx has no deadline.
func (b *Bus) Enqueue(ctx context.Context, job Job) error {
	if err := CheckName("game", job.Game); err != nil {
		return err
	}
	subject, err := b.names.job(job.Needs)
	if err != nil {
		return err
	}
	data, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("bus: job of game %s: %w", job.Game, err)
	}
	ctx, cancel := b.bounded(ctx)
	defer cancel()
	id := job.Game + "/" + strconv.Itoa(job.Try)
	if err := b.keep(ctx, "job of game "+job.Game, subject, data, id); err != nil {
		return err
	}
	return b.publish(b.names.subject("wake"), []byte(subject))
}

// bounded gives a context a deadline if it has none.
func (b *Bus) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, 3*b.opts.Timeout)
}

// keep publishes to a stream and waits for its acknowledgement, again and again until
// ctx ends. The stream drops a repetition with the same id.
func (b *Bus) keep(ctx context.Context, what, subject string, data []byte, id string) error {
	if err := b.tooLong(what, len(data)); err != nil {
		return err
	}
	err := b.retry(ctx, func(ctx context.Context) error {
		_, err := b.js.Publish(ctx, subject, data, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
		return err
	})
	if err != nil {
		return fmt.Errorf("bus: %s was not kept: %w", what, err)
	}
	return nil
}

// Take waits for a job that this worker can play: has reports whether it has the engine
// of a hash. It returns an error only when ctx ends or the bus is closed; Close waits for it.
func (b *Bus) Take(ctx context.Context, has func(hash string) bool) (*Delivery, error) {
	w, err := b.newWaiter()
	if err != nil {
		return nil, err
	}
	defer b.dropWaiter(w)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.life, cancel)()
	poll := time.NewTicker(b.opts.Poll)
	defer poll.Stop()
	again := time.NewTimer(b.opts.Poll)
	defer again.Stop()
	pools, everything, step := []string(nil), true, 0
	for {
		if everything {
			if pools, err = b.pending(ctx, has); err != nil && ctx.Err() == nil && b.life.Err() == nil {
				// The servers are away or choose a leader: the next poll tries again.
				b.opts.Log.Debug("bus: looking for jobs: " + err.Error())
			}
		}
		if d := b.look(ctx, pools); d != nil {
			return d, nil
		}
		if len(pools) > 0 && step < 2 {
			again.Reset([...]time.Duration{lag, 10 * lag}[step])
			step++
		}
		select {
		case <-ctx.Done():
			if b.life.Err() != nil {
				return nil, ErrClosed
			}
			return nil, ctx.Err()
		case <-w.bell:
			var hints []string
			hints, everything = w.hints()
			if hints = b.servable(hints, has); len(hints) > 0 {
				pools = slices.Compact(slices.Sorted(slices.Values(append(hints, pools...))))
				step = 0
			}
		case <-again.C:
			everything = false
		case <-poll.C:
			everything, step = true, 2
		}
	}
}

// lag is the pause after which pools are asked once more, and ten times that once more
// again, when they had nothing though a job was announced: a stream acknowledges a
// message before its consumers know of it.
const lag = 10 * time.Millisecond

// servable leaves those of the pools whose engines the worker has.
func (b *Bus) servable(pools []string, has func(string) bool) []string {
	return slices.DeleteFunc(pools, func(pool string) bool {
		needs, ok := b.names.needs(pool)
		return !ok || slices.ContainsFunc(needs, func(h string) bool { return !has(h) })
	})
}

// look pulls a job from the first of the pools that has any.
func (b *Bus) look(ctx context.Context, pools []string) *Delivery {
	for _, pool := range pools {
		if ctx.Err() != nil || b.life.Err() != nil {
			return nil
		}
		d, err := b.pull(ctx, pool)
		if d != nil {
			return d
		}
		if err != nil && ctx.Err() == nil && b.life.Err() == nil {
			b.opts.Log.Debug("bus: looking for jobs: "+err.Error(), "pool", pool)
		}
	}
	return nil
}

// pending lists the subjects that have jobs for the worker, those in play included, beginning at
// another one each time so that none has to wait for another to be empty.
func (b *Bus) pending(ctx context.Context, has func(string) bool) ([]string, error) {
	b.mu.Lock()
	jobs := b.streams.jobs
	b.turn++
	turn := b.turn
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, b.opts.Timeout)
	defer cancel()
	info, err := jobs.Info(ctx, jetstream.WithSubjectFilter(b.names.subject("jobs", ">")))
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, len(info.State.Subjects))
	for s := range info.State.Subjects {
		list = append(list, s)
	}
	list = b.servable(list, has)
	slices.Sort(list)
	if n := len(list); n > 0 {
		list = append(list[turn%n:], list[:turn%n]...)
	}
	return list, nil
}

// pull takes a job of one pool if one is there.
func (b *Bus) pull(ctx context.Context, pool string) (*Delivery, error) {
	cons, err := b.consumer(ctx, pool)
	if err != nil {
		return nil, err
	}
	asked := b.opts.Now()
	msg, err := b.next(ctx, cons)
	if err != nil {
		b.mu.Lock()
		delete(b.pools, pool)
		b.mu.Unlock()
	}
	if msg == nil {
		return nil, err
	}
	d := &Delivery{bus: b, pool: pool, msg: msg, until: asked.Add(b.opts.Lease)}
	if err := json.Unmarshal(msg.Data, &d.Job); err != nil || CheckName("game", d.Job.Game) != nil {
		b.opts.Log.Error("bus: a job that cannot be read is dropped", "subject", pool)
		return nil, b.publish(msg.Reply, []byte("+TERM"))
	}
	return d, nil
}

// consumer finds or makes the consumer of a pool, which all workers share.
func (b *Bus) consumer(ctx context.Context, pool string) (jetstream.Consumer, error) {
	b.mu.Lock()
	cons, jobs := b.pools[pool], b.streams.jobs
	b.mu.Unlock()
	if cons != nil {
		return cons, nil
	}
	ctx, cancel := context.WithTimeout(ctx, b.opts.Timeout)
	defer cancel()
	cons, err := jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: b.names.pool(pool), FilterSubject: pool, AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: b.opts.Lease, MaxDeliver: -1, MaxAckPending: -1, InactiveThreshold: time.Hour,
	})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.pools[pool] = cons
	b.mu.Unlock()
	return cons, nil
}

// waiter is somebody who waits for a job.
type waiter struct {
	bell chan struct{}

	mu    sync.Mutex
	pools []string
	all   bool
}

func (b *Bus) newWaiter() (*waiter, error) {
	w := &waiter{bell: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life.Err() != nil {
		return nil, ErrClosed
	}
	if b.wake == nil {
		sub, err := b.nc.Subscribe(b.names.subject("wake"), func(m *nats.Msg) { b.announce(string(m.Data)) })
		if err != nil {
			return nil, fmt.Errorf("bus: %w", err)
		}
		b.wake = sub
	}
	b.waiting[w] = struct{}{}
	b.running.Add(1)
	return w, nil
}

func (b *Bus) dropWaiter(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, w)
	b.running.Done()
}

// announce wakes those who wait, to look at one pool.
func (b *Bus) announce(pool string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for w := range b.waiting {
		w.add(pool)
	}
}

// wakeAll wakes those who wait, to look at everything.
func (b *Bus) wakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for w := range b.waiting {
		w.add("")
	}
}

func (w *waiter) add(pool string) {
	w.mu.Lock()
	if pool == "" || len(w.pools) >= maxHints {
		w.all = true
	} else if !slices.Contains(w.pools, pool) {
		w.pools = append(w.pools, pool)
	}
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

func (w *waiter) hints() (pools []string, all bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	pools, all = w.pools, w.all
	w.pools, w.all = nil, false
	return pools, all
}

// Delivery is a job that this worker has, as long as it extends the lease.
type Delivery struct {
	Job Job

	bus   *Bus
	pool  string
	msg   *nats.Msg
	mu    sync.Mutex
	until time.Time
}

// Progress extends the lease; it is to be called a few times within Options.Lease. The
// error is ErrLease if it came too late, and another one if the servers did not answer:
// then it may be tried again.
func (d *Delivery) Progress(ctx context.Context) error {
	now, err := d.held()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.bus.opts.Timeout)
	defer cancel()
	if _, err := d.bus.nc.RequestWithContext(ctx, d.msg.Reply, []byte("+WPI")); err != nil {
		return fmt.Errorf("bus: extending the job of game %s: %w", d.Job.Game, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until = now.Add(d.bus.opts.Lease)
	return nil
}

// held returns the time if the lease has not run out by then.
func (d *Delivery) held() (time.Time, error) {
	now := d.bus.opts.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !now.Before(d.until) {
		return now, ErrLease
	}
	return now, nil
}

// Done takes the job out of the queue. If the lease has run out it changes nothing and
// returns ErrLease: whoever gets the job next learns from the hall that the game is
// over.
func (d *Delivery) Done(ctx context.Context) error {
	if _, err := d.held(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.bus.opts.Timeout)
	defer cancel()
	if _, err := d.bus.nc.RequestWithContext(ctx, d.msg.Reply, []byte("+ACK")); err != nil {
		return fmt.Errorf("bus: job of game %s: %w", d.Job.Game, err)
	}
	return nil
}

// Return gives the job back, for whoever asks after the delay. If the lease has run out
// it changes nothing and returns ErrLease.
func (d *Delivery) Return(delay time.Duration) error {
	if _, err := d.held(); err != nil {
		return err
	}
	if err := d.bus.giveBack(d.pool, d.msg.Reply, delay); err != nil {
		return fmt.Errorf("bus: job of game %s: %w", d.Job.Game, err)
	}
	return nil
}
