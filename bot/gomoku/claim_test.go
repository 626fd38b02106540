package gomoku

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
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
		s := r.New()
		var list [2]player.Player
		for i := range list {
			list[i] = New(bot.Options{Now: time.Now, Seed: uint64(n*2 + i)})
			if err := list[i].NewGame(context.Background(), &player.Setup{ID: fmt.Sprint(n), Spec: r.Spec()}); err != nil {
				t.Fatal(err)
			}
		}
		for turns := 0; turns < 80; turns++ {
			turn := s.Turn()
			if !turn.Seat.IsPlayer() {
				break
			}
			a, err := list[turn.Seat].Choose(context.Background(), &player.Prompt{Seat: turn.Seat, Turn: turn, Moves: s, Limits: player.Limits{Nodes: 3000}})
			if err != nil {
				t.Fatal(err)
			}
			switch e := a.Info.Eval; {
			case e.Unit == game.MateIn && e.Mid() < -1:
				t.Errorf("game %d, turn %d: %+v is claimed of %s", n, turns, e, s.Text())
			case e.Unit == game.Points && e.Mid() <= -winBound:
				hopeless++
			}
			for _, m := range a.Steps {
				u := player.Update{By: turn.Seat, Steps: []game.Move{m}}
				if _, err := s.Apply(m, nil); err != nil {
					t.Fatal(err)
				}
				for _, p := range list {
					p.Tell(&u)
				}
			}
		}
	}
	if hopeless == 0 {
		t.Error("no position in which the question comes up")
	}
}
