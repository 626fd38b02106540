package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// resultWait is how long a hall may take over a result before another one gets it.
	resultWait = 15 * time.Second
	// resultBatch is how many results a hall asks for at a time.
	resultBatch = 16
	// resultPoll is how long a hall waits in one request for results.
	resultPoll = 5 * time.Second
	// resultPause is the longest time until a result that was not taken comes again.
	resultPause = 30 * time.Second
	// resultSoon is when a result comes again that no hall can take now.
	resultSoon = time.Second
	// resultsAtOnce is how many results a hall takes side by side: one that it looks at for
	// long holds up no others.
	resultsAtOnce = 4
)

// ErrNotNow is for halls that take results: what they cannot take just now, whatever it is,
// comes again soon and without a word.
var ErrNotNow = errors.New("not now")

// Results holds the ends of attempts until a hall has taken them.
type Results struct {
	*conn
	stream *stream
}

func newResults(c *conn) *Results {
	return &Results{c, &stream{conn: c, probe: c.names.subject("results", probe, probe), want: jetstream.StreamConfig{
		Name: c.names.stream("RESULTS"), Subjects: []string{c.names.subject("results", "*", "*")},
		Description: "ends of games that no hall has taken yet", Retention: jetstream.WorkQueuePolicy,
	}}}
}

// PublishResult hands the end of an attempt to the halls. It returns when the servers
// have kept it and tries until ctx ends; the same game and attempt are kept once within
// ten minutes.
func (x *Results) PublishResult(ctx context.Context, r Result) error {
	if err := CheckName("game", r.Game); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("bus: result of game %s: %w", r.Game, err)
	}
	// Whoever says something about the same attempt does not keep this result away.
	id := r.Game + "/" + strconv.Itoa(r.Attempt) + "/" + r.Worker + "/" + x.sender
	return x.keep(ctx, "result of game "+r.Game, x.names.subject("results", r.Game, x.sender), data, id)
}

// ResultWaits reports whether a result of a game was published that no hall has taken.
func (x *Results) ResultWaits(ctx context.Context, id string) (bool, error) {
	if err := CheckName("game", id); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, x.opts.Timeout)
	defer cancel()
	info, err := x.stream.now().Info(ctx, jetstream.WithSubjectFilter(x.names.subject("results", id, "*")))
	if err != nil {
		return false, fmt.Errorf("bus: result of game %s: %w", id, err)
	}
	return len(info.State.Subjects) > 0, nil
}

// ServeResults passes results to fn, a few at a time, until it is stopped or the bus is
// closed. A result is gone when fn has returned nil; after an error it comes again, here or
// at another hall, with pauses that grow from a tenth of a second to half a minute. It may
// come more than once all the same: fn does nothing the second time. Stop waits for the
// calls that run, whose context ends; it must not be called from within one.
func (x *Results) ServeResults(fn func(context.Context, Result) error) (stop func(), err error) {
	t, err := x.task(func(ctx context.Context) { x.take(ctx, fn) })
	if err != nil {
		return nil, err
	}
	return t.end, nil
}

func (x *Results) take(ctx context.Context, fn func(context.Context, Result) error) {
	var cons jetstream.Consumer
	var calls sync.WaitGroup
	defer calls.Wait()
	places := make(chan struct{}, resultsAtOnce)
	for ctx.Err() == nil {
		err := func() (err error) {
			if cons == nil {
				if cons, err = x.consumer(ctx); err != nil {
					return err
				}
			}
			// The servers end the request themselves, a little before the context does.
			once, cancel := context.WithTimeout(ctx, resultPoll)
			defer cancel()
			batch, err := cons.Fetch(resultBatch, jetstream.FetchContext(once), jetstream.FetchHeartbeat(resultPoll/5))
			if err != nil {
				return err
			}
			for msg := range batch.Messages() {
				places <- struct{}{}
				calls.Go(func() {
					defer func() { <-places }()
					x.takeOne(ctx, msg, fn)
				})
			}
			return batch.Error()
		}()
		if err == nil || ctx.Err() != nil {
			continue
		}
		x.opts.Log.Debug("bus: waiting for results: " + err.Error())
		cons = nil
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (x *Results) consumer(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, x.opts.Timeout)
	defer cancel()
	return x.stream.now().CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "halls", AckPolicy: jetstream.AckExplicitPolicy, AckWait: resultWait,
		MaxDeliver: -1, MaxAckPending: -1,
	})
}

// takeOne gives one result to fn and tells the servers what became of it.
func (x *Results) takeOne(ctx context.Context, msg jetstream.Msg, fn func(context.Context, Result) error) {
	if ctx.Err() != nil {
		_ = msg.Nak()
		return
	}
	if msg.Subject() == x.names.subject("results", probe, probe) {
		_ = msg.Term()
		return
	}
	var r Result
	if err := json.Unmarshal(msg.Data(), &r); err != nil {
		x.opts.Log.Error("bus: a result that cannot be read is dropped: " + err.Error())
		_ = msg.Term()
		return
	}
	if strings.Count(msg.Subject(), ".") > 2 { // it has one
		r.Sender = lastWord(msg.Subject())
	}
	err := fn(ctx, r)
	if err == nil {
		// Not acknowledged it comes again, which changes nothing.
		if err := msg.DoubleAck(ctx); err != nil && !errors.Is(err, context.Canceled) {
			x.opts.Log.Warn("bus: result of game " + r.Game + " was taken, the servers do not know: " + err.Error())
		}
		return
	}
	if ctx.Err() != nil {
		_ = msg.Nak()
		return
	}
	if errors.Is(err, ErrNotNow) {
		_ = msg.NakWithDelay(resultSoon)
		return
	}
	pause := 100 * time.Millisecond
	if meta, err := msg.Metadata(); err == nil {
		pause = min(pause<<min(meta.NumDelivered-1, 10), resultPause)
	}
	x.opts.Log.Warn("bus: result of game "+r.Game+" was not taken: "+err.Error(), "attempt", r.Attempt, "again", pause)
	_ = msg.NakWithDelay(pause)
}
