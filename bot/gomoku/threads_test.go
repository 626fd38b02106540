package gomoku_test

import (
	"slices"
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// With several goroutines it plays legal moves, by every rule.
func TestThreads(t *testing.T) {
	for _, spec := range []string{"gomoku:rule=renju,size=15", "gomoku:rule=standard,size=19"} {
		r := newRules(t, spec)
		s := r.New().(*gomoku.State)
		p := seat(t, r, "", bot.Options{})
		for range 12 {
			a := ask(t, p, s, player.Prompt{Limits: player.Limits{Nodes: 2000, Threads: 3}})
			u := player.Update{By: s.Turn().Seat, Steps: slices.Clone(a.Steps), Ended: true}
			if _, err := s.Apply(a.Steps[0], nil); err != nil {
				t.Fatal(err)
			}
			u.Next, u.Colours = s.Turn(), s.Colours()
			if u.Next.Seat == game.Nobody {
				break
			}
			p.Tell(&u)
		}
	}
}
