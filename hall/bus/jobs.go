package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kibitz/internal/bell"
)

// ErrLease tells that a job was not extended in time: it belongs to whoever gets it
// next.
var ErrLease = errors.New("bus: the lease of the job has run out")

// maxHints is how many announcements a waiting worker remembers before it looks at
// everything.
const maxHints = 32

// Queue holds the games that wait for a worker. Workers that can play the same ones share a
// consumer of the servers, their pool; who waits for a job is told of new ones at once.
type Queue struct {
	*conn
	jobs *stream

	mu      sync.Mutex
	pools   map[string]jetstream.Consumer
	waiting map[*waiter]struct{}
	wake    *nats.Subscription
	turn    int // where the next look for jobs begins
}

func newQueue(c *conn) *Queue {
	return &Queue{
		conn: c, pools: map[string]jetstream.Consumer{}, waiting: map[*waiter]struct{}{},
		jobs: &stream{conn: c, probe: c.names.subject("jobs", probe), want: jetstream.StreamConfig{
			Name: c.names.stream("JOBS"), Subjects: []string{c.names.subject("jobs", ">")},
			Description: "games that wait for a worker or are played", Retention: jetstream.WorkQueuePolicy,
		}},
	}
}

// Enqueue puts a job in the queue; it returns when the servers have kept it. The same
// game and try are kept once within ten minutes. It tries until ctx ends, or three
// times Options.Timeout if ctx has no deadline.
func (q *Queue) Enqueue(ctx context.Context, job Job) error {
	if err := CheckName("game", job.Game); err != nil {
		return err
	}
	subject, err := q.names.job(job.Needs)
	if err != nil {
		return err
	}
	data, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("bus: job of game %s: %w", job.Game, err)
	}
	ctx, cancel := q.bounded(ctx)
	defer cancel()
	id := job.Game + "/" + strconv.Itoa(job.Try)
	if err := q.keep(ctx, "job of game "+job.Game, subject, data, id); err != nil {
		return err
	}
	return q.publish(q.names.subject("wake"), []byte(subject))
}

// Take waits for a job that this worker can play: has reports whether it has the engine
// of a hash. It returns an error only when ctx ends or the bus is closed; Close waits for it.
func (q *Queue) Take(ctx context.Context, has func(hash string) bool) (*Delivery, error) {
	w, err := q.newWaiter()
	if err != nil {
		return nil, err
	}
	defer q.dropWaiter(w)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(q.life, cancel)()
	poll := time.NewTicker(q.opts.Poll)
	defer poll.Stop()
	again := time.NewTimer(q.opts.Poll)
	defer again.Stop()
	pools, everything, step := []string(nil), true, 0
	for {
		if everything {
			if pools, err = q.pending(ctx, has); err != nil && ctx.Err() == nil && q.life.Err() == nil {
				// The servers are away or choose a leader: the next poll tries again.
				q.opts.Log.Debug("bus: looking for jobs: " + err.Error())
			}
		}
		if d := q.look(ctx, pools); d != nil {
			return d, nil
		}
		if len(pools) > 0 && step < 2 {
			again.Reset([...]time.Duration{lag, 10 * lag}[step])
			step++
		}
		select {
		case <-ctx.Done():
			if q.life.Err() != nil {
				return nil, ErrClosed
			}
			return nil, ctx.Err()
		case <-w.bell:
			var hints []string
			hints, everything = w.hints()
			if hints = q.servable(hints, has); len(hints) > 0 {
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
func (q *Queue) servable(pools []string, has func(string) bool) []string {
	return slices.DeleteFunc(pools, func(pool string) bool {
		needs, ok := q.names.needs(pool)
		return !ok || slices.ContainsFunc(needs, func(h string) bool { return !has(h) })
	})
}

// look pulls a job from the first of the pools that has any.
func (q *Queue) look(ctx context.Context, pools []string) *Delivery {
	for _, pool := range pools {
		if ctx.Err() != nil || q.life.Err() != nil {
			return nil
		}
		d, err := q.pull(ctx, pool)
		if d != nil {
			return d
		}
		if err != nil && ctx.Err() == nil && q.life.Err() == nil {
			q.opts.Log.Debug("bus: looking for jobs: "+err.Error(), "pool", pool)
		}
	}
	return nil
}

// pending lists the subjects that have jobs for the worker, those in play included, beginning at
// another one each time so that none has to wait for another to be empty.
func (q *Queue) pending(ctx context.Context, has func(string) bool) ([]string, error) {
	q.mu.Lock()
	q.turn++
	turn := q.turn
	q.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, q.opts.Timeout)
	defer cancel()
	info, err := q.jobs.now().Info(ctx, jetstream.WithSubjectFilter(q.names.subject("jobs", ">")))
	if err != nil {
		return nil, err
	}
	list := q.servable(slices.Collect(maps.Keys(info.State.Subjects)), has)
	slices.Sort(list)
	if n := len(list); n > 0 {
		list = append(list[turn%n:], list[:turn%n]...)
	}
	return list, nil
}

// pull takes a job of one pool if one is there.
func (q *Queue) pull(ctx context.Context, pool string) (*Delivery, error) {
	cons, err := q.consumer(ctx, pool)
	if err != nil {
		return nil, err
	}
	asked := q.opts.Now()
	msg, err := q.next(ctx, cons)
	if err != nil {
		q.mu.Lock()
		delete(q.pools, pool)
		q.mu.Unlock()
	}
	if msg == nil {
		return nil, err
	}
	d := &Delivery{queue: q, pool: pool, msg: msg, until: asked.Add(q.opts.Lease)}
	if err := json.Unmarshal(msg.Data, &d.Job); err != nil || CheckName("game", d.Job.Game) != nil {
		q.opts.Log.Error("bus: a job that cannot be read is dropped", "subject", pool)
		return nil, q.publish(msg.Reply, []byte("+TERM"))
	}
	return d, nil
}

// consumer finds or makes the consumer of a pool, which all workers share.
func (q *Queue) consumer(ctx context.Context, pool string) (jetstream.Consumer, error) {
	q.mu.Lock()
	cons := q.pools[pool]
	q.mu.Unlock()
	if cons != nil {
		return cons, nil
	}
	ctx, cancel := context.WithTimeout(ctx, q.opts.Timeout)
	defer cancel()
	cons, err := q.jobs.now().CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: q.names.pool(pool), FilterSubject: pool, AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: q.opts.Lease, MaxDeliver: -1, MaxAckPending: -1, InactiveThreshold: time.Hour,
	})
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	q.pools[pool] = cons
	q.mu.Unlock()
	return cons, nil
}

// waiter is somebody who waits for a job.
type waiter struct {
	bell chan struct{}

	mu    sync.Mutex
	pools []string
	all   bool
}

func (q *Queue) newWaiter() (*waiter, error) {
	if !q.begin() {
		return nil, ErrClosed
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.wake == nil {
		sub, err := q.nc.Subscribe(q.names.subject("wake"), func(m *nats.Msg) { q.tell(string(m.Data)) })
		if err != nil {
			q.running.Done()
			return nil, fmt.Errorf("bus: %w", err)
		}
		q.wake = sub
	}
	w := &waiter{bell: make(chan struct{}, 1)}
	q.waiting[w] = struct{}{}
	return w, nil
}

func (q *Queue) dropWaiter(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, w)
	q.running.Done()
}

// tell wakes those who wait, to look at one pool, or at everything if it is empty.
func (q *Queue) tell(pool string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for w := range q.waiting {
		w.add(pool)
	}
}

// forget has the pools looked up anew.
func (q *Queue) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.pools)
}

func (w *waiter) add(pool string) {
	w.mu.Lock()
	if pool == "" || len(w.pools) >= maxHints {
		w.all = true
	} else if !slices.Contains(w.pools, pool) {
		w.pools = append(w.pools, pool)
	}
	w.mu.Unlock()
	bell.Ring(w.bell)
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

	queue *Queue
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
	ctx, cancel := context.WithTimeout(ctx, d.queue.opts.Timeout)
	defer cancel()
	if _, err := d.queue.nc.RequestWithContext(ctx, d.msg.Reply, []byte("+WPI")); err != nil {
		return fmt.Errorf("bus: extending the job of game %s: %w", d.Job.Game, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until = now.Add(d.queue.opts.Lease)
	return nil
}

// held returns the time if the lease has not run out by then.
func (d *Delivery) held() (time.Time, error) {
	now := d.queue.opts.Now()
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
	ctx, cancel := context.WithTimeout(ctx, d.queue.opts.Timeout)
	defer cancel()
	if _, err := d.queue.nc.RequestWithContext(ctx, d.msg.Reply, []byte("+ACK")); err != nil {
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
	if err := d.queue.giveBack(d.pool, d.msg.Reply, delay); err != nil {
		return fmt.Errorf("bus: job of game %s: %w", d.Job.Game, err)
	}
	return nil
}
