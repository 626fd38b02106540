package connect6

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/player"
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
		s := r.New().(*connect6.State)
		var list [2]player.Player
		for i := range list {
			list[i] = New(bot.Options{Now: time.Now, Seed: uint64(n*2 + i)})
			if err := list[i].NewGame(context.Background(), &player.Setup{ID: fmt.Sprint(n), Spec: r.Spec()}); err != nil {
				t.Fatal(err)
			}
		}
		for turns := 0; turns < 60; turns++ {
			turn := s.Turn()
			if !turn.Seat.IsPlayer() {
				break
			}
			a, err := list[turn.Seat].Choose(context.Background(), &player.Prompt{Seat: turn.Seat, Turn: turn, Moves: s, Limits: player.Limits{Nodes: 3000}})
			if err != nil {
				t.Fatal(err)
			}
			b := s.Board()
			f := newField(b.Size())
			f.follow(&b)
			c := int(turn.Seat)
			replies := f.covers(nil, 1-c, 2)
			bound := len(f.threats(1-c)) > 0 && (len(replies) == 0 || complete(replies))
			switch e := a.Info.Eval; {
			case e.Unit == game.MateIn && e.Mid() < 0 && !bound:
				t.Errorf("game %d, turn %d: %+v is claimed of %s", n, turns, e, s.Text())
			case e.Unit == game.Points && e.Mid() <= -hopeless/10:
				hopelessly++
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
	if hopelessly == 0 {
		t.Error("no position in which the question comes up")
	}
}
