package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// PublishOrder tells the worker that has a game what the hall wants. Who misses it is
// told again by the answer to his next Pulse.
func (b *Bus) PublishOrder(o Order) error {
	data, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("bus: order to game %s: %w", o.Game, err)
	}
	worker, err := b.at(o.Game)
	if errors.Is(err, ErrNobody) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.publish(b.names.subject("order", worker, o.Game), data)
}

// SubscribeOrders passes the orders to one game to fn, one at a time.
func (b *Bus) SubscribeOrders(id string, fn func(Order)) (*Subscription, error) {
	subject, err := b.names.game("order", b.sender, id)
	if err != nil {
		return nil, err
	}
	return b.hear(subject, func(m *nats.Msg) {
		var o Order
		if err := json.Unmarshal(m.Data, &o); err != nil || o.Game != id {
			b.opts.Log.Warn("bus: an order that cannot be read", "game", id)
			return
		}
		fn(o)
	})
}

// Publish tells everybody who listens to a topic: identifiers with dots between them,
// such as "lobby" or "room.17". It does not wait, and nothing is kept.
func (b *Bus) Publish(topic string, payload []byte) error {
	subject, err := b.names.topic(topic)
	if err != nil {
		return err
	}
	return b.publish(subject, payload)
}

// Subscribe passes what is published on a topic to fn, one at a time. The payload
// belongs to fn.
func (b *Bus) Subscribe(topic string, fn func(payload []byte)) (*Subscription, error) {
	subject, err := b.names.topic(topic)
	if err != nil {
		return nil, err
	}
	return b.hear(subject, func(m *nats.Msg) { fn(m.Data) })
}

// PublishBeat tells all workers that the hall could take moves at a time that is age ago.
// It does not wait.
func (b *Bus) PublishBeat(age time.Duration) error {
	return b.publish(b.names.subject("beat"), strconv.AppendInt(nil, age.Microseconds(), 10))
}

// SubscribeBeats passes the ages of all halls' beats to fn, one at a time.
func (b *Bus) SubscribeBeats(fn func(age time.Duration)) (*Subscription, error) {
	return b.hear(b.names.subject("beat"), func(m *nats.Msg) {
		age, err := strconv.ParseInt(string(m.Data), 10, 64)
		if err != nil || age < 0 {
			b.opts.Log.Debug("bus: a beat that cannot be read")
			return
		}
		fn(time.Duration(age) * time.Microsecond)
	})
}
