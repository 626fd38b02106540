package health

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kibitz/internal/bell"
)

// Use tells that somebody uses the hall, which is then watched closely.
func (m *Monitor) Use() {
	if m == nil {
		return
	}
	now := m.cfg.Now()
	if was := time.Unix(0, m.asked.Swap(now.UnixNano())); now.Sub(was) >= used {
		for _, p := range m.parts {
			bell.Ring(p.bell)
		}
	}
}

// Away returns the first part that is away, of those named or else of all, and nil if
// there is none. The channel is closed at the next change.
func (m *Monitor) Away(names ...string) (*Away, <-chan struct{}) {
	if m == nil {
		return nil, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.parts {
		if p.away != nil && (len(names) == 0 || slices.Contains(names, p.Name)) {
			return p.away, m.changed.Next()
		}
	}
	return nil, m.changed.Next()
}

// Until does what may find a part away, again whenever the parts have changed, until it is done
// or the context ends. What it does may be done twice.
func (m *Monitor) Until(ctx context.Context, do func(context.Context) error) error {
	for {
		err := do(ctx)
		if !errors.Is(err, ErrAway) {
			return err
		}
		for away, changed := m.Away(); away != nil; away, changed = m.Away() {
			select {
			case <-changed:
			case <-ctx.Done():
				return err
			}
		}
	}
}

// During returns a context that ends, with an *Away as its cause, when the part goes.
// The error is the *Away of one that is away already.
func (m *Monitor) During(ctx context.Context, name string) (context.Context, context.CancelFunc, error) {
	p := m.part(name)
	if p == nil {
		return ctx, func() {}, nil
	}
	m.mu.Lock()
	away, life := p.away, p.life
	m.mu.Unlock()
	if away != nil {
		return ctx, func() {}, away
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
	return ctx, func() { stop(); cancel(nil) }, nil
}

// Within is During for what is tried all the same while the part is away, but for no
// longer than most.
func (m *Monitor) Within(ctx context.Context, name string, most time.Duration) (context.Context, context.CancelFunc) {
	within, cancel, away := m.During(ctx, name)
	if away == nil {
		return within, cancel
	}
	return context.WithTimeoutCause(ctx, most, away)
}

// Cause returns the *Away for which a context of During or Within has ended, else err.
func Cause(within context.Context, err error) error {
	if away, ok := errors.AsType[*Away](context.Cause(within)); ok {
		return away
	}
	return err
}

func (m *Monitor) part(name string) *part {
	if m == nil {
		return nil
	}
	for _, p := range m.parts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Worked tells that a part did at began what it was asked, so that it need not be tried.
func (m *Monitor) Worked(name string, began time.Time) {
	p := m.part(name)
	if p == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.away == nil && began.After(p.good) { // one that is away comes back by a try
		p.good = began
	}
}

// Failed tells that a part did not do what it was asked: it is tried at once. It returns
// the error for whoever asked.
func (m *Monitor) Failed(name string, err error) error {
	p := m.part(name)
	if p == nil {
		return err
	}
	m.mu.Lock()
	p.failed = err
	away := p.away
	if away == nil {
		away = &Away{Part: name, Since: m.cfg.Now()}
		away.Why, away.Do = p.Say(err)
	}
	m.mu.Unlock()
	bell.Ring(p.bell)
	return fmt.Errorf("%w (%s)", away, err.Error())
}

// again is how long it is remembered of what was refused when it had arrived first, after that
// and after the hall was last without a part; kept is of how much at a time.
const again, kept = 10 * time.Second, 1 << 12

// taken is what somebody decided and the hall has not passed on yet.
type taken struct {
	m    *Monitor
	same string
	at   time.Time
	// gone is when it was refused, zero before.
	gone time.Time
}

type takenKey struct{}

// Take tells that what somebody decided in a game has arrived, in a context that Passed is
// given; done must be called when it was answered: it was refused, so that the same may arrive
// once more. Then it has waited since the first time, if the hall was without a part: for other
// reasons a game may refuse as often as somebody likes, and no clock waits for that.
func (m *Monitor) Take(ctx context.Context, same string) (with context.Context, done func(refused bool)) {
	if m == nil {
		return ctx, func(bool) {}
	}
	now := m.cfg.Now()
	t := &taken{m: m, same: same, at: now}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	if was := m.refused[same]; was != nil {
		t.at = was.at
	}
	m.taking[t] = true
	return context.WithValue(ctx, takenKey{}, t), t.done
}

// unwell reports whether the hall is without a part, or was a moment ago; mu is held.
func (m *Monitor) unwell(now time.Time) bool {
	return now.Sub(m.well) <= again || slices.ContainsFunc(m.parts, func(p *part) bool { return p.away != nil || p.failed != nil })
}

// forget lets go of what was refused and not sent again; mu is held.
func (m *Monitor) forget(now time.Time) {
	if !m.unwell(now) {
		maps.DeleteFunc(m.refused, func(_ string, t *taken) bool { return now.Sub(t.gone) > again })
	}
}

func (t *taken) passed() {
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	delete(t.m.taking, t)
}

func (t *taken) done(refused bool) {
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	delete(t.m.taking, t)
	delete(t.m.refused, t.same)
	if now := t.m.cfg.Now(); refused && len(t.m.refused) < kept && t.m.unwell(now) {
		t.gone = now
		t.m.refused[t.same] = t
	}
}

// Passed tells that what arrived with a context of Take goes to its referee now, and returns
// how long that took. It is zero for other contexts.
func Passed(ctx context.Context) time.Duration {
	t, ok := ctx.Value(takenKey{}).(*taken)
	if !ok {
		return 0
	}
	t.passed()
	return t.m.cfg.Now().Sub(t.at)
}

// Refused counts what was refused, or not logged, because a part is away.
func (m *Monitor) Refused() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.parts {
		if p.away != nil {
			p.held++
		}
	}
}

// Ready tries all parts whose last try is not fresh, and returns those that are away.
func (m *Monitor) Ready(ctx context.Context) []*Away {
	if m == nil {
		return nil
	}
	m.Use()
	ctx, cancel := context.WithTimeout(ctx, limit+limit/5)
	defer cancel()
	var out []*Away
	for _, p := range m.parts {
		m.mu.Lock()
		done, fresh := p.done.Next(), m.cfg.Now().Sub(p.last) < 2*every
		m.mu.Unlock()
		if !fresh {
			bell.Ring(p.bell)
			select {
			case <-done:
			case <-ctx.Done():
			}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.parts {
		switch now := m.cfg.Now(); {
		case p.away != nil:
			out = append(out, p.away)
		case now.Sub(later(p.last, p.good)) > idle+2*limit: // nobody tries it
			out = append(out, &Away{Part: p.Name, Since: p.good, Why: "was not tried for too long"})
		}
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
