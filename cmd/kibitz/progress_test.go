package main

import (
	"bytes"
	"testing"
	"time"
)

func TestGameOfAll(t *testing.T) {
	for want, n := range map[string][2]int{"game 3 of 12": {3, 12}, "game 12 of 12": {12, 12}, "game 175": {175, 142}} {
		if got := gameOfAll(n[0], n[1]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestTimeLeft: a run that is taken up again is judged by the games of this start.
func TestTimeLeft(t *testing.T) {
	now := time.Unix(0, 0)
	p := newProgress(&bytes.Buffer{}, 100, 10, false, func() time.Time { return now })
	p.resumed(80)
	now = now.Add(10 * time.Second)
	if got := p.eta(90); got != "10s" {
		t.Errorf("%s left after 10 of 20 games in 10 s", got)
	}
}
