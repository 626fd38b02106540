package cutechess

import (
	"sync"
	"testing"
)

// TestLen: a game that begins asks how many there are while another is handed out.
func TestLen(t *testing.T) {
	p := newPlan(Settings{Format: "round-robin", Players: 2, Games: 2, Rounds: 1, Repeat: 1}, 1, nil)
	var asks sync.WaitGroup
	for range 2 {
		p.Next()
		asks.Go(func() {
			if n := p.Len(); n != 2 {
				t.Errorf("%d games, want 2", n)
			}
		})
	}
	asks.Wait()
}
