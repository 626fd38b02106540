package bus

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
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
	return x.publish(x.names.subject("beat"), fmt.Appendf(nil, "%d %d %s", age.Microseconds(), waits.Microseconds(), x.stamp()))
}

// SubscribeBeats passes the ages of all halls' beats to fn, one at a time, with how long what
// came to any of them waits. They are older by what a beat needed for its way beyond what the
// way has been known to take.
func (x *Topics) SubscribeBeats(fn func(age, waits time.Duration)) (*Subscription, error) {
	return x.hear(x.names.subject("beat"), func(m *nats.Msg) {
		var age, waits int64
		var stamp string
		if n, err := fmt.Sscanf(string(m.Data), "%d %d %s", &age, &waits, &stamp); n != 3 || err != nil || min(age, waits) < 0 {
			x.opts.Log.Debug("bus: a beat that cannot be read")
			return
		}
		late, longest := x.ways.beat(x.opts.Now(), stamp, time.Duration(waits)*time.Microsecond)
		fn(time.Duration(age)*time.Microsecond+late, longest)
	})
}

// stamp is by what the other end knows how long a message was under way.
func (c *conn) stamp() string {
	return strconv.FormatInt(c.opts.Now().Sub(c.began).Microseconds(), 10) + "@" + c.word
}

// ways are those from all halls that were heard of lately, by their words.
type ways struct {
	mu  sync.Mutex
	all map[string]*way
}

// beat is how late a beat is, and how long what came to any hall waits.
func (x *ways) beat(now time.Time, stamp string, waits time.Duration) (late, most time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.all, func(_ string, w *way) bool { return now.Sub(w.heard) > wayKept })
	w, late := x.took(now, stamp)
	if w == nil {
		return 0, waits
	}
	w.waits = waits + late
	return late, longest(x.all, now)
}

// late is how late another message is, none if that cannot be known.
func (x *ways) late(now time.Time, stamp string) time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, late := x.took(now, stamp)
	return late
}

// took notes a message; x.mu is held.
func (x *ways) took(now time.Time, stamp string) (w *way, late time.Duration) {
	sent, word, found := strings.Cut(stamp, "@")
	us, err := strconv.ParseInt(sent, 10, 64)
	if !found || err != nil {
		return nil, 0
	}
	if w = x.all[word]; w == nil {
		if x.all == nil {
			x.all = map[string]*way{}
		}
		w = &way{began: now, heard: now}
		x.all[word] = w
	}
	return w, w.late(now, time.Duration(us)*time.Microsecond)
}

// longest is how long what came to any hall waits, of those that are heard.
func longest(ways map[string]*way, now time.Time) (most time.Duration) {
	for _, w := range ways {
		if ago := now.Sub(w.heard); w.waits > 0 && ago < waitsKept {
			most = max(most, w.waits+ago)
		}
	}
	return most
}

const (
	// waitsKept is how long it is believed of a hall that something waits there.
	waitsKept = 3 * time.Second
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
	// waits is how long what came to the hall had waited.
	waits time.Duration
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
