package match_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/games"
	"kibitz/match"
	"kibitz/rules"
)

// Random games of every game that there is end by their own rules, and what the
// journal holds plays through to the same end.
func TestEveryGame(t *testing.T) {
	for _, entry := range games.All() {
		t.Run(entry.ID, func(t *testing.T) {
			r, err := games.Open(entry.ID)
			if err != nil {
				t.Fatal(err)
			}
			n := 5
			if testing.Short() {
				n = 1
			}
			for i := range n {
				g := &match.Game{ID: fmt.Sprint(i), Rules: r, Now: time.Now, Dealer: match.NewDealer(r, [32]byte{byte(i)})}
				for s := range g.Sides {
					g.Sides[s] = match.Side{Player: random.New(random.Options{Seed: uint64(s)}), Name: fmt.Sprint(s), Clock: control(t, "60+1")}
				}
				events := collect(t, g)
				o := match.Play(t.Context(), g)
				if !slices.ContainsFunc(r.Doc().Reasons, func(c rules.Code) bool { return game.Reason(c.Word) == o.Result.Reason }) {
					t.Fatalf("game %d: %+v", i, o.Result)
				}
				j := fold(t, *events)
				if !slices.Equal(j.Moves(), moves(o)) || j.Result.Result != o.Result || j.Result.Plies != o.Plies {
					t.Fatalf("game %d: the journal tells another game", i)
				}
				s := r.New()
				for _, m := range j.Moves() {
					if _, err := s.Apply(m, nil); err != nil {
						t.Fatalf("game %d: %v", i, err)
					}
				}
				if res, over := s.Result(); !over || res != o.Result || s.Text() != o.Final {
					t.Fatalf("game %d: replayed to %+v %v", i, res, over)
				}
			}
		})
	}
}

// In the steady state a move allocates nothing but room for the record.
func TestAllocations(t *testing.T) {
	play := func(size int) float64 {
		return testing.AllocsPerRun(20, func() {
			a, b := &fake{quiet: true}, &fake{quiet: true}
			g := newGame(a, b)
			g.Rules = &tiny{size: size, perTurn: 1}
			for s := range g.Sides {
				g.Sides[s].Clock = control(t, "60+1 st=5")
			}
			if o := match.Play(t.Context(), g); o.Result.Reason != "full" {
				t.Fatalf("%+v", o.Result)
			}
		})
	}
	short, long := play(20), play(120)
	if more := long - short; more > 40 { // growing buffers, the final text
		t.Errorf("100 moves more take %v allocations more", more)
	}
}
