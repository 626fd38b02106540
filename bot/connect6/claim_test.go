package connect6

import (
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

// A loss is claimed only where all that can be done was looked at: in games against
// itself, whenever the player says that it is lost, threats bind both of its stones.
func TestLossIsClaimedOnlyIfAllWasTried(t *testing.T) {
	r, err := connect6.New(connect6.ID)
	if err != nil {
		t.Fatal(err)
	}
	hopelessly := 0
	for n := range 12 {
		var list [2]player.Player
		for i := range list {
			list[i] = New(bot.Options{Now: time.Now, Seed: uint64(n*2 + i)})
		}
		playertest.SelfPlay(t, r, list, 60, player.Limits{Nodes: 3000}, func(turn int, s rules.State, a *player.Answer) {
			switch e := a.Info.Eval; {
			case e.Unit == game.MateIn && e.Mid() < 0 && !bound(s.(*connect6.State)):
				t.Errorf("game %d, turn %d: %+v is claimed of %s", n, turn, e, s.Text())
			case e.Unit == game.Points && e.Mid() <= -hopeless/10:
				hopelessly++
			}
		})
	}
	if hopelessly == 0 {
		t.Error("no position in which the question comes up")
	}
}

// bound reports whether threats bind both stones of the seat on turn.
func bound(s *connect6.State) bool {
	b := s.Board()
	f := newField(b.Size())
	f.follow(&b)
	c := int(s.Turn().Seat)
	replies := f.covers(nil, 1-c, 2)
	return len(f.threats(1-c)) > 0 && (len(replies) == 0 || complete(replies))
}
