package player

import "time"

// Hold is time of a question that does not count, because an answer could not have
// arrived in it. The zero value holds nothing. Whoever has one guards it.
type Hold struct {
	on    bool
	last  time.Time // until when answers could arrive, while on
	since time.Time
	asked time.Time
	lost  time.Duration
}

// Ask begins a question.
func (h *Hold) Ask(now time.Time) { h.asked, h.lost = now, 0 }

// Age is how long ago the question began.
func (h *Hold) Age(now time.Time) time.Duration { return max(0, now.Sub(h.asked)) }

// Since is from when time does not count, zero if it does or that is not certain.
func (h *Hold) Since() time.Time { return h.since }

// Set tells that answers could arrive until last, and perhaps not since then; if they
// certainly could not, time does not count from last on. It reports whether that is new.
func (h *Hold) Set(last time.Time, certain bool) bool {
	since := last
	if !certain {
		since = time.Time{}
	}
	if h.on && h.last.Equal(last) && h.since.Equal(since) {
		return false
	}
	h.on, h.last, h.since = true, last, since
	return true
}

// Open reports whether an answer could certainly arrive at a time.
func (h *Hold) Open(t time.Time) bool { return !h.on || !t.After(h.last) }

// Clear lets time count again, and reports whether it did not.
func (h *Hold) Clear(now time.Time) bool {
	was := h.on
	h.lost = h.Lost(now)
	h.on, h.last, h.since = false, time.Time{}, time.Time{}
	return was
}

// Lost is how much of the question's time up to now does not count.
func (h *Hold) Lost(now time.Time) time.Duration {
	if h.since.IsZero() {
		return h.lost
	}
	from := h.since
	if from.Before(h.asked) {
		from = h.asked
	}
	return h.lost + max(0, now.Sub(from))
}

// Until is when the deadline comes that the question was asked with: zero for never, and
// while an answer may not have been able to arrive until then.
func (h *Hold) Until(deadline time.Time) time.Time {
	if until := deadline.Add(h.lost); !deadline.IsZero() && h.since.IsZero() && h.Open(until) {
		return until
	}
	return time.Time{}
}

// Hold keeps deadlines from coming after last, because answers may not arrive since then: the
// way to whoever decides is broken, certainly or perhaps. Hold may be called again when more
// is known. What is submitted all the same is taken.
func (m *Mailbox) Hold(last time.Time, certain bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.hold.Since()
	if m.hold.Set(last, certain) && (!was.Equal(m.hold.Since()) || !m.hold.Until(m.deadline).IsZero()) {
		m.state.Held = m.hold.Since()
		m.change()
	}
}

// Release lets time count again. What lies between last of Hold, if that was certain, and now is not
// the person's: the deadline moves by it, and it goes with the answer as Late.
func (m *Mailbox) Release(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.hold.Clear(now) {
		return
	}
	m.state.Held = time.Time{}
	m.state.Deadline = m.hold.Until(m.deadline)
	m.change()
}
