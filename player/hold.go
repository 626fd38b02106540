package player

import "time"

// Hold is time of a question that does not count, because the question could not be seen or
// an answer not arrive in it. The zero value holds nothing. Whoever has one guards it.
type Hold struct {
	on    bool
	last  time.Time // until when answers could arrive, while on
	since time.Time
	asked time.Time
	lost  []span // none overlaps another
}

type span struct{ from, to time.Time }

// Ask begins a question.
func (h *Hold) Ask(now time.Time) { h.asked, h.lost = now, nil }

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
	if !h.since.IsZero() {
		h.Lose(h.since, now)
	}
	h.on, h.last, h.since = false, time.Time{}, time.Time{}
	return was
}

// Lose tells that a time that ends now does not count. What it has in common with another one
// is lost once.
func (h *Hold) Lose(from, now time.Time) {
	if from.Before(h.asked) {
		from = h.asked
	}
	for n := len(h.lost) - 1; n >= 0 && h.lost[n].to.After(from); n-- {
		if last := h.lost[n]; last.from.Before(from) {
			from = last.from
		}
		if last := h.lost[n]; last.to.After(now) {
			now = last.to
		}
		h.lost = h.lost[:n]
	}
	if now.After(from) {
		h.lost = append(h.lost, span{from, now})
	}
}

// Lost is how much of the question's time up to now does not count.
func (h *Hold) Lost(now time.Time) (sum time.Duration) {
	until := now
	if !h.since.IsZero() {
		until = h.since
		if until.Before(h.asked) {
			until = h.asked
		}
		sum = max(0, now.Sub(until))
	}
	for _, s := range h.lost {
		if s.to.After(until) {
			s.to = until
		}
		sum += max(0, s.to.Sub(s.from))
	}
	return sum
}

// Moved is when the deadline comes that the question was asked with: zero for never.
func (h *Hold) Moved(deadline time.Time) time.Time {
	if deadline.IsZero() {
		return deadline
	}
	for _, s := range h.lost {
		deadline = deadline.Add(s.to.Sub(s.from))
	}
	return deadline
}

// Until is Moved, and zero while an answer may not have been able to arrive until then.
func (h *Hold) Until(deadline time.Time) time.Time {
	if until := h.Moved(deadline); h.since.IsZero() && h.Open(until) {
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
	if m.hold.Set(last, certain) {
		m.held()
	}
}

// Release lets time count again. What lies between last of Hold, if that was certain, and now is not
// the person's: the deadline moves by it, and it goes with the answer as Late.
func (m *Mailbox) Release(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hold.Clear(now) {
		m.held()
	}
}

// held takes over since when time does not count and until when there is; m.mu is held. The
// question looks at its deadline again each time; the owner is told only what differs for him:
// halls are in doubt twice a second.
func (m *Mailbox) held() {
	since, deadline := m.hold.Since(), m.hold.Moved(m.deadline)
	if since.Equal(m.state.Held) && deadline.Equal(m.state.Deadline) {
		m.changed.Ring()
		return
	}
	m.state.Held, m.state.Deadline = since, deadline
	m.change()
}

// Lose tells that the question that waits, if one does, could not be seen for so long until now.
func (m *Mailbox) Lose(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.running || m.ready || d <= 0 {
		return
	}
	now := m.now()
	m.hold.Lose(now.Add(-d), now)
	m.state.Deadline = m.hold.Moved(m.deadline)
	m.change()
}
