package match

import (
	"context"
	"sync"

	"kibitz/journal"
)

// Pause is whose will it is that a game stands still. Ruled tells that it is an arbiter's, which the
// seats cannot end.
type Pause struct {
	By    string
	Ruled bool
}

// Stand is what has become of a pause: a nil Pause is over. Now tells that the game stands, or goes on
// from there, with these clocks; else an engine thinks, and the game stands after its answer.
type Stand struct {
	*Pause
	Now    bool
	Clocks [2]journal.Clock
}

// Brake lets a game stand still before its next question, on nobody's clock. A person who is being asked
// is asked again when the game goes on, and has used what he has; an engine answers first.
type Brake struct {
	told func(Stand)

	mu      sync.Mutex
	changed chan struct{} // closed when pause is another one
	pause   *Pause
	stands  bool // the referee waits
	thinks  bool // an engine is asked
	clocks  [2]journal.Clock
	desk    *desk
}

// NewBrake returns a brake with the pause that a game begins with, nil for none. told hears of all that
// becomes of it, in order, by any goroutine, and does not come back to the brake.
func NewBrake(p *Pause, told func(Stand)) *Brake {
	return &Brake{pause: p, told: told, changed: make(chan struct{})}
}

// Set pauses the game, or with nil lets it go on.
func (b *Brake) Set(p *Pause) {
	b.mu.Lock()
	b.set(p)
	d := b.desk
	b.mu.Unlock()
	if p != nil && d != nil {
		d.brake()
	}
}

// bySeats is Set for what the seats want: a ruled pause stays.
func (b *Brake) bySeats(p *Pause) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pause == nil || !b.pause.Ruled {
		b.set(p)
	}
}

// set changes the pause; b.mu is held.
func (b *Brake) set(p *Pause) {
	was := b.pause
	if b.pause = p; was == nil && p == nil || was != nil && p != nil && *was == *p {
		return
	}
	close(b.changed)
	b.changed = make(chan struct{})
	switch {
	case p != nil && b.stands:
		b.told(Stand{Pause: p, Now: true, Clocks: b.clocks})
	case !b.stands && b.thinks:
		b.told(Stand{Pause: p})
	}
}

// Paused returns the pause, nil for none.
func (b *Brake) Paused() *Pause {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pause
}

// asks tells whether an engine is being asked, whose answer a pause waits for.
func (b *Brake) asks(engine bool) {
	if b == nil {
		return
	}
	b.mu.Lock()
	b.thinks = engine
	b.mu.Unlock()
}

// wait waits as long as the game is paused.
func (b *Brake) wait(ctx context.Context, clocks [2]journal.Clock) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.pause != nil {
		if !b.stands {
			b.stands, b.clocks = true, clocks
			b.told(Stand{Pause: b.pause, Now: true, Clocks: clocks})
		}
		wake := b.changed
		b.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
		}
		b.mu.Lock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if b.stands {
		b.stands = false
		b.told(Stand{Now: true, Clocks: clocks})
	}
	return nil
}
