package storetest

import (
	"fmt"
	"slices"
	"testing"

	"kibitz/hall/store"
)

// testPlayed has games added many at a time found as those are that were played, whatever
// runs their positions are in by then, and again when one has lost its record.
func testPlayed(t *testing.T, s store.Store) {
	var list []kept
	for round := range size(14, 2) {
		played := make([]store.Played, 0, 300)
		for i := range 300 {
			g := newGame(fmt.Sprintf("%d of %d", i, round))
			g.State, g.Opening, g.Plies, g.Ended = store.Over, fmt.Sprint("opening ", i%3), 60, later(i)
			g.Result = won(float64(i%2), float64(1-i%2), "five")
			g.Seats[i%2].Name = fmt.Sprint("player ", i%50)
			k := kept{Game: g, keys: []int64{0, int64(i % 10), int64(1000*round + i), -int64(i) - 1}}
			p := store.Played{Game: g, Record: []byte(g.ID)}
			for ply, key := range k.keys {
				p.Positions = append(p.Positions, store.Position{Key: key, Ply: ply})
			}
			list, played = append(list, k), append(played, p)
		}
		twice := append(slices.Clone(played), played[7])
		added := changed(t, s, func(x store.Tx) ([]bool, error) { return x.AddPlayed(twice) })
		if slices.Index(added, false) != len(played) {
			t.Fatalf("the first that was not added is %d", slices.Index(added, false))
		}
		again := changed(t, s, func(x store.Tx) ([]bool, error) { return x.AddPlayed(played) })
		if slices.Contains(again, true) {
			t.Fatal("games were added twice")
		}
	}
	check := func() {
		t.Helper()
		for name, q := range map[string]store.GameQuery{
			"all": {HasPosition: true}, "some": {HasPosition: true, Position: 3}, "one": {HasPosition: true, Position: 1017},
			"before": {HasPosition: true, Position: -20}, "none": {HasPosition: true, Position: 1 << 60},
			"a player": {HasPosition: true, Player: "player 7"},
			"opening":  {HasPosition: true, Opening: "opening 2"}, "wins": {HasPosition: true, Outcome: "win", Player: "player 7"},
		} {
			q.Limit = 10_000
			var want []string
			for _, k := range slices.Backward(list) {
				if len(views(&q, &k)) > 0 {
					want = append(want, k.ID)
				}
			}
			if got := find(t, s, q); !slices.Equal(got, want) {
				t.Errorf("%s: %d games, want %d", name, len(got), len(want))
			}
		}
	}
	check()
	same(t, string(read(t, s, func(x store.Tx) ([]byte, error) { return x.Record("17 of 1") })), "17 of 1")
	k := &list[317]
	do(t, s, func(x store.Tx) error { // it is played again, otherwise
		g, err := x.Game(k.ID)
		if err != nil {
			return err
		}
		g.State = store.Running
		if err := x.SetGame(&g, store.Over); err != nil {
			return err
		}
		_, err = x.EndAttempt(&store.Ending{Game: k.ID, Result: k.Result, Plies: 60, Ended: k.Ended, Positions: []store.Position{{Key: 3}}})
		return err
	})
	k.keys = []int64{3}
	check()
	do(t, s, func(x store.Tx) error { return x.RemoveGame(k.ID) })
	list = slices.Delete(list, 317, 318)
	check()
	for _, g := range []store.Game{
		{ID: "r", State: store.Over, Room: "r"}, {ID: "t", State: store.Over, Tournament: "t"}, {ID: "q", State: store.Queued},
	} {
		err := s.Update(t.Context(), func(x store.Tx) error { _, err := x.AddPlayed([]store.Played{{Game: g}}); return err })
		refused(t, err, store.ErrInvalid)
	}
}
