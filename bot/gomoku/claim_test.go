package gomoku

import (
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

// A loss is claimed only where a five comes whatever is done; what is lost as far as was
// looked at is an estimate: in games against itself.
func TestLossIsClaimedOnlyIfAllWasTried(t *testing.T) {
	r, err := gomoku.New("gomoku:rule=freestyle,size=15")
	if err != nil {
		t.Fatal(err)
	}
	hopeless := 0
	for n := range 8 {
		var list [2]player.Player
		for i := range list {
			list[i] = New(bot.Options{Now: time.Now, Seed: uint64(n*2 + i)})
		}
		playertest.SelfPlay(t, r, list, 80, player.Limits{Nodes: 3000}, func(turn int, s rules.State, a *player.Answer) {
			switch e := a.Info.Eval; {
			case e.Unit == game.MateIn && e.Mid() < -1:
				t.Errorf("game %d, turn %d: %+v is claimed of %s", n, turn, e, s.Text())
			case e.Unit == game.Points && e.Mid() <= -winBound:
				hopeless++
			}
		})
	}
	if hopeless == 0 {
		t.Error("no position in which the question comes up")
	}
}
