package progress

import (
	"bytes"
	"testing"
	"time"
)

// TestTimeLeft: a run that is taken up again is judged by the games of this start.
func TestTimeLeft(t *testing.T) {
	now := time.Unix(0, 0)
	p := NewGames(&bytes.Buffer{}, 100, 10, false, func() time.Time { return now })
	p.Resumed(80)
	now = now.Add(10 * time.Second)
	if got := p.Left(90); got != "10s" {
		t.Errorf("%s left after 10 of 20 games in 10 s", got)
	}
}

// TestStanding: the standing is told every so many games, never after the last, whose
// table follows.
func TestStanding(t *testing.T) {
	var out bytes.Buffer
	p := NewGames(&out, 4, 2, false, func() time.Time { return time.Unix(0, 0) })
	for done := 1; done <= 4; done++ {
		p.Standing(done, Standing{Pair: true, Short: func() string { return "A +1" }, Detail: func() string { return "  LOS 50%\n" }})
	}
	p.Close()
	if got, want := out.String(), "2 of 4 games, A +1, "+p.Left(2)+" left\n  LOS 50%\n"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}
