// Package bell wakes goroutines: one by a sign in a channel, or all that wait.
package bell

// Ring leaves a sign in a channel of one, if there is none yet. It never waits.
func Ring(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Chime wakes all who wait for the next change of something, whose lock guards it. The zero
// value is ready.
type Chime struct{ next chan struct{} }

// Next returns what the next Ring closes.
func (c *Chime) Next() <-chan struct{} {
	if c.next == nil {
		c.next = make(chan struct{})
	}
	return c.next
}

// Ring wakes those who wait.
func (c *Chime) Ring() {
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}
