package lobby

import (
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/store"
	"kibitz/hall/store/sqlite/sqlitetest"
)

// What a silent stream is told of its game: nothing comes any more of one that was
// aborted, and of one that is over when those with a delay have seen its end too.
func TestGameEnded(t *testing.T) {
	db := sqlitetest.Open(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, c := range []struct {
		state store.GameState
		delay time.Duration
		after time.Duration
		want  bool
	}{
		{store.Queued, 0, time.Hour, false},
		{store.Running, 0, time.Hour, false},
		{store.Parked, 0, time.Hour, false},
		{store.Aborted, time.Hour, 0, true},
		{store.Over, 0, play.Heartbeat - 1, false},
		{store.Over, 0, play.Heartbeat, true},
		{store.Over, time.Minute, time.Minute, false},
		{store.Over, time.Minute, time.Minute + play.Heartbeat, true},
	} {
		id := string(rune('a' + i))
		err := db.Update(t.Context(), func(tx store.Tx) error {
			return tx.AddGame(&store.Game{ID: id, Spec: "othello", State: c.state, Created: at, Ended: at})
		})
		if err != nil {
			t.Fatal(err)
		}
		ended := GameEnded(db, func() time.Time { return at.Add(c.after) })
		if got := ended(t.Context(), hub.Key{Game: id, To: game.Public, Delay: c.delay}); got != c.want {
			t.Errorf("%s with a delay of %s, %s after the end: %v", c.state, c.delay, c.after, got)
		}
	}
	if GameEnded(db, time.Now)(t.Context(), hub.Key{Game: "unknown"}) {
		t.Error("a game that is not known has ended")
	}
}
