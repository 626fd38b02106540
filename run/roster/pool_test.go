package roster

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/player"
	"kibitz/protocol"
	"kibitz/run/engines"
)

// slowEnd is a player that takes its time to end.
type slowEnd struct {
	player.Player
	ended *atomic.Int32
}

func (s slowEnd) Close() error {
	time.Sleep(time.Second)
	s.ended.Add(1)
	return nil
}

// Engines that are started anew for each game end while the next game is played, a
// few at a time, and all have ended with the run.
func TestRetiredEnginesEndMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := (&Pool{Roster: New([]*engines.Spec{{Cmd: []string{"x"}, Restart: protocol.RestartEachGame}})}).Open()
		began := time.Now()
		var ended atomic.Int32
		for i := range 3 * mostEnding {
			s := &Seated{Player: slowEnd{ended: &ended}, spec: &engines.Spec{}}
			p.all[s] = true
			p.Give(s)
			if want := time.Duration(i/mostEnding) * time.Second; time.Since(began) != want {
				t.Errorf("the next game waited %s for engine %d, not %s", time.Since(began), i+1, want)
			}
		}
		if len(p.all) != 0 || len(p.idle) != 0 {
			t.Errorf("%d players are kept, %d places idle", len(p.all), len(p.idle))
		}
		if p.Close(); ended.Load() != 3*mostEnding {
			t.Errorf("%d of %d engines have ended", ended.Load(), 3*mostEnding)
		}
	})
}
