package remote

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/player"
)

// musing reports a hundred times, every 10 ms, before it decides.
type musing struct {
	player.Player
	asked bool
}

func (m *musing) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	m.asked = p.Report != nil
	for i := range 100 {
		time.Sleep(10 * time.Millisecond)
		if m.asked {
			p.Report(&game.Info{Depth: i + 1, PV: []game.Move{game.PassMove()}})
		}
	}
	return m.Player.Choose(ctx, p)
}

// What an engine reports while it thinks comes while it does, at most 20 times a second,
// and only where it was asked for.
func TestThink(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := open(t, "othello")
			far := &musing{Player: random.New(random.Options{Seed: 1})}
			j := join(far, r.Spec(), Options{Session: "g"}, false, 5*time.Millisecond)
			defer j.Close()
			s := r.New()
			if err := j.NewGame(t.Context(), &player.Setup{ID: "g", Spec: r.Spec()}); err != nil {
				t.Fatal(err)
			}
			var depths []int
			q := &player.Prompt{Turn: s.Turn(), Moves: s}
			if wanted {
				q.Report = func(i *game.Info) { depths = append(depths, i.Depth) }
			}
			if _, err := j.Choose(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if far.asked != wanted || (len(depths) < 8) == wanted || len(depths) > 20 {
				t.Errorf("wanted %v, asked %v, told %d times: %v", wanted, far.asked, len(depths), depths)
			}
			for i := range depths[min(1, len(depths)):] {
				if depths[i+1] <= depths[i] {
					t.Errorf("out of order: %v", depths)
				}
			}
		})
	}
}
