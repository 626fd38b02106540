package bus

import (
	"fmt"
	"maps"
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

// PublishBeat tells all workers that the hall could take moves at a time that is age ago, and
// has passed on what came before a time that is waits ago. It does not wait.
func (x *Topics) PublishBeat(age, waits time.Duration) error {
	sent := x.opts.Now().Sub(x.began)
	return x.publish(x.names.subject("beat"),
		fmt.Appendf(nil, "%d %d %d %s", age.Microseconds(), waits.Microseconds(), sent.Microseconds(), x.word))
}

// SubscribeBeats passes the ages of all halls' beats to fn, one at a time. They are older by
// what a beat needed for its way beyond what the way has been known to take.
func (x *Topics) SubscribeBeats(fn func(age, waits time.Duration)) (*Subscription, error) {
	ways := map[string]*way{}
	return x.hear(x.names.subject("beat"), func(m *nats.Msg) {
		var age, waits, sent int64
		var word string
		if n, err := fmt.Sscanf(string(m.Data), "%d %d %d %s", &age, &waits, &sent, &word); n != 4 || err != nil || min(age, waits) < 0 {
			x.opts.Log.Debug("bus: a beat that cannot be read")
			return
		}
		now := x.opts.Now()
		maps.DeleteFunc(ways, func(_ string, w *way) bool { return now.Sub(w.heard) > wayKept })
		w := ways[word]
		if w == nil {
			w = &way{began: now, heard: now}
			ways[word] = w
		}
		late := w.late(now, time.Duration(sent)*time.Microsecond)
		fn(time.Duration(age)*time.Microsecond+late, time.Duration(waits)*time.Microsecond+late)
	})
}

const (
	// wayKept is how long the way from a hall is known that is not heard of.
	wayKept = time.Minute
	// wayGrows is one in how much of the time the shortest way is taken to have become longer:
	// a hall whose clock stood still is believed again after a while.
	wayGrows = 20
)

// way is what is known of the way of beats from one hall. The two clocks need not agree.
type way struct {
	began, heard time.Time
	// least is the least that was ever between a beat's time there and its arrival here.
	least time.Duration
	known bool
}

// late is how much longer a beat was under way than the quickest one.
func (w *way) late(now time.Time, sent time.Duration) time.Duration {
	took := now.Sub(w.began) - sent
	if w.least += now.Sub(w.heard) / wayGrows; !w.known || took < w.least {
		w.least, w.known = took, true
	}
	w.heard = now
	return took - w.least
}
