package engines

import (
	"bytes"
	"testing"
	"time"
)

// TestTake: the logs of both engines of a game are one piece of memory, where they are about as
// long as each other.
func TestTake(t *testing.T) {
	var first, second Traffic
	for x, lines := range map[*Traffic]int{&first: 100, &second: 105} {
		x.Begin(time.Now())
		x.buf = bytes.Repeat([]byte("0.001 > move\n"), lines)
	}
	one := first.Take(nil, "A (first)")
	both := second.Take(one, "B (second)")
	if &one[0] != &both[0] {
		t.Errorf("%d bytes are copied for the %d that follow", len(one), len(both)-len(one))
	}
	if n := bytes.Count(both, []byte("\n")); n != 207 {
		t.Errorf("%d lines, want 207", n)
	}
}
