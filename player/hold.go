package player

import "time"

// Hold is time of a question that does not count, because an answer could not have
// arrived in it. The zero value holds nothing. Whoever has one guards it.
type Hold struct {
	on    bool
	since time.Time
	asked time.Time
	lost  time.Duration
}

// Ask begins a question.
func (h *Hold) Ask(now time.Time) { h.asked, h.lost = now, 0 }

// On reports whether no deadline comes now.
func (h *Hold) On() bool { return h.on }

// Since is from when time does not count, zero if it does or that is not certain.
func (h *Hold) Since() time.Time { return h.since }

// Set lets no deadline come; from since, if that is not zero, time does not count. It
// reports whether that is new.
func (h *Hold) Set(since time.Time) bool {
	if h.on && h.since.Equal(since) {
		return false
	}
	h.on, h.since = true, since
	return true
}

// Clear lets time count again, and reports whether it did not.
func (h *Hold) Clear(now time.Time) bool {
	was := h.on
	h.lost = h.Lost(now)
	h.on, h.since = false, time.Time{}
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

// Until is when the deadline comes that the question was asked with: zero for never.
func (h *Hold) Until(deadline time.Time) time.Time {
	if deadline.IsZero() || h.on {
		return time.Time{}
	}
	return deadline.Add(h.lost)
}

// Hold keeps deadlines from coming, because answers may not arrive: the way to whoever
// decides is broken. since is from when they certainly could not, zero if that is not known;
// Hold may be called again when it is. What is submitted all the same is taken.
func (m *Mailbox) Hold(since time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hold.Set(since) && !since.IsZero() {
		m.state.Held = since
		m.change()
	}
}

// Release lets time count again. What lies between since of Hold and now is not the
// person's: the deadline moves by it, and it goes with the answer as Late.
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
