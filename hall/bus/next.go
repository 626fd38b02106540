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
func (b *Bus) next(ctx context.Context, cons jetstream.Consumer) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, b.opts.Timeout)
	defer cancel()
	answers := make(chan *nats.Msg) // nobody receives once ctx has ended
	info := cons.CachedInfo()
	sub, err := b.nc.Subscribe(b.nc.NewInbox(), func(m *nats.Msg) {
		select {
		case answers <- m:
			return
		case <-ctx.Done():
		}
		if m.Reply == "" {
			return
		}
		if err := b.giveBack(info.Config.FilterSubject, m.Reply, 0); err != nil {
			b.opts.Log.Debug("bus: a job that came late: " + err.Error())
		}
	})
	if err != nil {
		return nil, err
	}
	if err := sub.AutoUnsubscribe(1); err != nil {
		return nil, err
	}
	subject := b.api() + "CONSUMER.MSG.NEXT." + info.Stream + "." + info.Name
	if err := b.nc.PublishRequest(subject, sub.Subject, []byte(askNext)); err != nil {
		_ = sub.Unsubscribe()
		return nil, err
	}
	select {
	case m := <-answers:
		return jobIn(m)
	case <-ctx.Done():
		time.AfterFunc(b.opts.Lease, func() { _ = sub.Unsubscribe() }) // an answer that was lost comes never
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

// api begins the subjects of questions to JetStream.
func (b *Bus) api() string {
	if domain := b.js.Options().Domain; domain != "" {
		return "$JS." + domain + ".API."
	}
	return jetstream.DefaultAPIPrefix
}

// giveBack gives a job back, for whoever asks after the delay.
func (b *Bus) giveBack(pool, reply string, delay time.Duration) error {
	if delay > 0 {
		return b.publish(reply, fmt.Appendf(nil, `-NAK {"delay":%d}`, delay.Nanoseconds()))
	}
	if err := b.publish(reply, []byte("-NAK")); err != nil {
		return err
	}
	return b.publish(b.names.subject("wake"), []byte(pool))
}
