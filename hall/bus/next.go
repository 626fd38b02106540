package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// askNext is the question for a job that is there, of ADR-15 of NATS.
const askNext = `{"batch":1,"no_wait":true}`

// next asks a pool for a job and waits for the answer, at most Options.Timeout; nil if the
// pool has none. A job that comes later than anybody waits is given back at once: it would
// be nobody's until its lease has run out.
//
// The library's FetchNoWait waits a second, and a job that comes later is lost for a lease.
func (q *Queue) next(ctx context.Context, cons jetstream.Consumer) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, q.opts.Timeout)
	defer cancel()
	answers := make(chan *nats.Msg) // nobody receives once ctx has ended
	info := cons.CachedInfo()
	sub, err := q.nc.Subscribe(q.nc.NewInbox(), func(m *nats.Msg) {
		select {
		case answers <- m:
			return
		case <-ctx.Done():
		}
		if m.Reply == "" {
			return
		}
		if err := q.giveBack(info.Config.FilterSubject, m.Reply, 0); err != nil {
			q.opts.Log.Debug("bus: a job that came late: " + err.Error())
		}
	})
	if err != nil {
		return nil, err
	}
	if err := sub.AutoUnsubscribe(1); err != nil {
		return nil, err
	}
	subject := jetstream.DefaultAPIPrefix + "CONSUMER.MSG.NEXT." + info.Stream + "." + info.Name
	if err := q.nc.PublishRequest(subject, sub.Subject, []byte(askNext)); err != nil {
		_ = sub.Unsubscribe()
		return nil, err
	}
	select {
	case m := <-answers:
		return jobIn(m)
	case <-ctx.Done():
		time.AfterFunc(q.opts.Lease, func() { _ = sub.Unsubscribe() }) // an answer that was lost comes never
		return nil, ctx.Err()
	}
}

// jobIn returns a message that is a job, nil for the status that there is none.
func jobIn(m *nats.Msg) (*nats.Msg, error) {
	switch status := m.Header.Get("Status"); status {
	case "":
		return m, nil
	case "404", "408": // the pool is empty
		return nil, nil
	default:
		return nil, fmt.Errorf("bus: no job: %s %s", status, m.Header.Get("Description"))
	}
}

// giveBack gives a job back, for whoever asks after the delay.
func (q *Queue) giveBack(pool, reply string, delay time.Duration) error {
	if delay > 0 {
		return q.publish(reply, fmt.Appendf(nil, `-NAK {"delay":%d}`, delay.Nanoseconds()))
	}
	if err := q.publish(reply, []byte("-NAK")); err != nil {
		return err
	}
	return q.publish(q.names.subject("wake"), []byte(pool))
}
