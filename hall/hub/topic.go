package hub

import (
	"context"
	"sync"
	"time"

	"kibitz/game/wire"
	"kibitz/hall/bus"
	"kibitz/internal/bell"
	"kibitz/journal"
)

// maxInbox is how many events of a game may wait to be worked on; when more come, all
// are dropped and asked for again.
const maxInbox = 1024

// maxDelayed is how many events a stream with a delay holds back at most.
const maxDelayed = 1 << 16

// item is an event that waits for its time.
type item struct {
	due     time.Time
	attempt int
	seq     uint64
	line    []byte
	// fresh tells that the item begins a state from nothing.
	fresh bool
	// last ends what was asked for: its state is shown at once.
	last bool
}

// topic is one stream. What is not under a lock belongs to the goroutine of run.
type topic struct {
	hub     *Hub
	key     Key
	meta    Meta
	viewers int // under the hub's lock
	ring    *ring

	mu    sync.Mutex
	inbox []bus.Live
	gap   bool
	sign  chan struct{}

	// What has come: the latest attempt and event.
	attempt int
	seen    uint64
	synced  bool
	retry   time.Time
	heard   time.Time // when something came last, or was asked for
	came    time.Time // when something came last, or it was asked whether the game has ended
	wait    []item
	build   *builder
	parser  journal.Parser
	idle    time.Time
}

func newTopic(h *Hub, k Key, m Meta) *topic {
	return &topic{hub: h, key: k, meta: m, ring: newRing(h.opts.Frames), sign: make(chan struct{}, 1)}
}

// poke makes run look again.
func (t *topic) poke() {
	bell.Ring(t.sign)
}

// take is called by the source.
func (t *topic) take(l bus.Live) {
	t.mu.Lock()
	if len(t.inbox) >= maxInbox {
		t.inbox, t.gap = nil, true
	} else {
		t.inbox = append(t.inbox, l)
	}
	t.mu.Unlock()
	t.poke()
}

// run works until nobody looks on any more, or the hub closes.
func (t *topic) run() {
	defer t.ring.shut()
	stop := func() error { return nil }
	listening := false
	defer func() {
		if err := stop(); err != nil {
			t.hub.opts.Log.Debug("hub: " + err.Error())
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for t.hub.ctx.Err() == nil {
		now := t.hub.opts.Now()
		if !listening && !now.Before(t.retry) {
			if s, err := t.hub.opts.Source.Listen(t.key.Game, t.key.To, t.take); err == nil {
				stop, listening = s, true
			} else {
				t.again(now, err)
			}
		}
		if listening {
			t.work(now)
		}
		if t.done(now) || t.ended(now) {
			return
		}
		timer.Reset(t.until(now))
		select {
		case <-t.sign:
		case <-timer.C:
		case <-t.hub.ctx.Done():
		}
	}
	t.hub.unused(t)
}

// again puts off what failed.
func (t *topic) again(now time.Time, err error) {
	t.retry = now.Add(t.hub.opts.Retry)
	t.hub.opts.Log.Debug("hub: live events of game " + t.key.Game + ": " + err.Error())
}

// done reports whether the stream has been without viewers for long enough.
func (t *topic) done(now time.Time) bool {
	t.hub.mu.Lock()
	viewers := t.viewers
	t.hub.mu.Unlock()
	switch {
	case viewers > 0:
		t.idle = time.Time{}
		return false
	case t.idle.IsZero():
		t.idle = now
		return false
	}
	return now.Sub(t.idle) >= t.hub.opts.Linger && t.hub.unused(t)
}

// ended asks of a silent stream whether the game is over, and removes it if so. It is
// asked here and not for each viewer, of whom there may be thousands.
func (t *topic) ended(now time.Time) bool {
	if t.came.IsZero() {
		t.came = now
	}
	if t.hub.opts.Ended == nil || now.Sub(t.came) < t.hub.opts.Check {
		return false
	}
	t.came = now
	if !t.hub.opts.Ended(t.hub.ctx, t.key) {
		return false
	}
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	t.hub.remove(t)
	return true
}

// until is how long nothing needs to be done unless something comes.
func (t *topic) until(now time.Time) time.Duration {
	d := time.Hour
	sooner := func(at time.Time) { d = min(d, max(0, at.Sub(now))) }
	if len(t.wait) > 0 {
		sooner(t.wait[0].due)
	}
	if t.synced {
		sooner(t.heard.Add(t.hub.opts.Silence))
	} else {
		sooner(t.retry)
	}
	if t.hub.opts.Ended != nil {
		sooner(t.came.Add(t.hub.opts.Check))
	}
	if !t.idle.IsZero() {
		sooner(t.idle.Add(t.hub.opts.Linger))
	}
	return d
}

// work takes what has come, asks for what is missing, and shows what is due.
func (t *topic) work(now time.Time) {
	t.mu.Lock()
	inbox, gap := t.inbox, t.gap
	t.inbox, t.gap = nil, false
	t.mu.Unlock()
	if len(inbox) > 0 || t.heard.IsZero() {
		t.heard = now
	}
	if gap {
		t.synced = false
	}
	if t.synced && now.Sub(t.heard) >= t.hub.opts.Silence { // the latest event may have been lost
		t.synced, t.heard = false, now
	}
	if len(inbox) > 0 {
		t.came = now
	}
	for i := range inbox {
		t.arrive(now, &inbox[i])
	}
	if !t.synced && !now.Before(t.retry) {
		t.sync(now)
	}
	n := 0
	for n < len(t.wait) && !t.wait[n].due.After(now) {
		t.show(&t.wait[n])
		n++
	}
	if t.wait = t.wait[n:]; len(t.wait) == 0 {
		t.wait = nil
	}
}

// arrive puts an event into line, unless it is old or something is missing before it.
func (t *topic) arrive(now time.Time, l *bus.Live) {
	switch {
	case l.Attempt < t.attempt || l.Attempt == t.attempt && l.Seq <= t.seen:
		return // of an attempt that counts no more, or known
	case l.Seq == 1: // an attempt begins
		t.synced = true
	case l.Attempt > t.attempt || l.Seq != t.seen+1 || len(t.wait) >= maxDelayed:
		t.synced = false
		return
	}
	if !t.synced {
		return
	}
	t.attempt, t.seen = l.Attempt, l.Seq
	t.wait = append(t.wait, item{due: now.Add(t.key.Delay), attempt: l.Attempt, seq: l.Seq, line: l.Line, fresh: l.Seq == 1})
}

// sync asks the worker for all that was told so far.
func (t *topic) sync(now time.Time) {
	ctx, cancel := context.WithTimeout(t.hub.ctx, 10*time.Second)
	s, err := t.hub.opts.Source.AskSync(ctx, t.key.Game, t.key.To)
	cancel()
	if err != nil {
		t.again(t.hub.opts.Now(), err)
		return
	}
	t.retry = now.Add(t.hub.opts.Retry) // a worker that answers with what is known is not asked at once again
	if s.Attempt < t.attempt || s.Attempt == t.attempt && s.Seq < t.seen {
		return
	}
	if s.Attempt == t.attempt && s.Seq == t.seen {
		t.synced = true
		return
	}
	t.attempt, t.seen, t.synced, t.wait = s.Attempt, s.Seq, true, nil
	for i, line := range s.Lines {
		x := item{due: now, attempt: s.Attempt, seq: s.Seq, line: line, fresh: i == 0, last: i == len(s.Lines)-1}
		if t.key.Delay > 0 {
			if ev, err := t.parser.Parse(line); err == nil {
				x.due = ev.Time.Add(t.key.Delay)
			} else {
				x.due = now.Add(t.key.Delay)
			}
			if n := len(t.wait); n > 0 && x.due.Before(t.wait[n-1].due) {
				x.due = t.wait[n-1].due
			}
			if n := len(t.wait); x.due.After(now) {
				x.last = true // its own number is not known: shown as a whole
				if n > 0 {
					t.wait[n-1].last = true
				}
			}
		}
		t.wait = append(t.wait, x)
	}
}

// show makes a frame of an event whose time has come.
func (t *topic) show(x *item) {
	var shown *wire.View
	if x.fresh {
		if t.build != nil && t.build.state.Attempt == x.attempt && t.key.Delay > 0 {
			shown = t.build.state.View // older than what comes, and better than nothing
		}
		t.build = newBuilder(t.key.Game, t.key.To, x.attempt, &t.meta)
		t.build.state.View = shown
		t.build.quiet = x.seq != 1
	}
	if t.build == nil || t.build.state.Attempt != x.attempt {
		return
	}
	ev, err := t.parser.Parse(x.line)
	if err != nil {
		t.hub.opts.Log.Warn("hub: an event of game " + t.key.Game + " cannot be read: " + err.Error())
		return
	}
	d, err := t.build.add(x.seq, &ev)
	if err != nil {
		t.hub.opts.Log.Error("hub: game " + t.key.Game + ": " + err.Error())
		return
	}
	if x.last {
		t.build.whole()
		t.build.state.Seq = x.seq
		t.build.quiet = false
		t.ring.reset(t.build.state)
		return
	}
	if d == nil || t.build.quiet {
		return
	}
	s := t.build.state
	if d.Prev == 0 { // the first frame of an attempt
		t.ring.reset(s)
		return
	}
	t.ring.push(newFrame(ID{s.Attempt, s.Seq}, "delta", d, s.Result != nil), s)
}
