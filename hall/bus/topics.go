package bus

import (
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// Topics are what everybody hears who listens: news of the hall, and its beats. Nothing of
// them is kept.
type Topics struct{ *conn }

// Publish tells everybody who listens to a topic: identifiers with dots between them,
// such as "lobby" or "room.17". It does not wait, and nothing is kept.
func (x *Topics) Publish(topic string, payload []byte) error {
	subject, err := x.names.topic(topic)
	if err != nil {
		return err
	}
	return x.publish(subject, payload)
}

// Subscribe passes what is published on a topic to fn, one at a time. The payload
// belongs to fn.
func (x *Topics) Subscribe(topic string, fn func(payload []byte)) (*Subscription, error) {
	subject, err := x.names.topic(topic)
	if err != nil {
		return nil, err
	}
	return x.hear(subject, func(m *nats.Msg) { fn(m.Data) })
}

// PublishBeat tells all workers that the hall could take moves at a time that is age ago.
// It does not wait.
func (x *Topics) PublishBeat(age time.Duration) error {
	return x.publish(x.names.subject("beat"), strconv.AppendInt(nil, age.Microseconds(), 10))
}

// SubscribeBeats passes the ages of all halls' beats to fn, one at a time.
func (x *Topics) SubscribeBeats(fn func(age time.Duration)) (*Subscription, error) {
	return x.hear(x.names.subject("beat"), func(m *nats.Msg) {
		age, err := strconv.ParseInt(string(m.Data), 10, 64)
		if err != nil || age < 0 {
			x.opts.Log.Debug("bus: a beat that cannot be read")
			return
		}
		fn(time.Duration(age) * time.Microsecond)
	})
}
