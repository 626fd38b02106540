package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kibitz/hall/store"
)

// model is what games do, told as simply as possible.
type model struct {
	games []kept // in the order in which they were added
	n     int
}

// testModel does at random what halls and workers do and compares what a store says
// with the model.
func testModel(t *testing.T, s store.Store) {
	rounds := 0
	rapid.Check(t, func(r *rapid.T) {
		rounds++
		m := model{}
		room := fmt.Sprint("room ", rounds)
		steps := rapid.IntRange(1, 30).Draw(r, "steps")
		for range steps {
			m.step(r, s, t, room)
		}
		q := store.GameQuery{Room: room, Limit: 1000}
		if rapid.Bool().Draw(r, "over") {
			q.States = []store.GameState{store.Over}
		}
		var want []string
		for _, k := range slices.Backward(m.games) {
			if q.States == nil || k.State == store.Over {
				want = append(want, k.ID)
			}
		}
		if got := find(t, s, q); !slices.Equal(got, want) {
			r.Fatalf("found %v, want %v", got, want)
		}
		q = store.GameQuery{Room: room, Limit: 1000, HasPosition: true, Position: 3}
		want = nil
		for _, k := range slices.Backward(m.games) {
			if k.State == store.Over && slices.Contains(k.keys, 3) {
				want = append(want, k.ID)
			}
		}
		if got := find(t, s, q); !slices.Equal(got, want) {
			r.Fatalf("found by position %v, want %v", got, want)
		}
		for i := range m.games {
			if got := at(t, s, m.games[i].ID); got.State != m.games[i].State || got.Attempt != m.games[i].Attempt ||
				got.Worker != m.games[i].Worker || got.Plies != m.games[i].Plies {
				r.Fatalf("%+v, want %+v", got, m.games[i].Game)
			}
		}
	})
}

// step does one thing in a transaction, which fails in the end now and then.
func (m *model) step(r *rapid.T, s store.Store, t *testing.T, room string) {
	before := slices.Clone(m.games)
	number := m.n
	broken := errors.New("broken")
	fails := rapid.IntRange(0, 4).Draw(r, "fails") == 0
	err := s.Update(t.Context(), func(x store.Tx) error {
		m.games, m.n = slices.Clone(before), number
		if err := m.act(r, x, room); err != nil {
			return err
		}
		if fails {
			return broken
		}
		return nil
	})
	if fails && errors.Is(err, broken) {
		m.games = before
		return
	}
	if err != nil {
		r.Fatal(err)
	}
}

func (m *model) act(r *rapid.T, x store.Tx, room string) error {
	if len(m.games) == 0 || rapid.IntRange(0, 3).Draw(r, "act") == 0 {
		m.n++
		g := store.Game{ID: fmt.Sprint(room, " game ", m.n), Room: room, Index: m.n, State: store.Queued}
		m.games = append(m.games, kept{Game: g})
		return x.AddGame(&g)
	}
	i := rapid.IntRange(0, len(m.games)-1).Draw(r, "game")
	k := &m.games[i]
	switch rapid.SampledFrom([]string{"begin", "end", "end", "set", "remove"}).Draw(r, "what") {
	case "begin":
		attempt, worker := k.Attempt+rapid.IntRange(-1, 2).Draw(r, "ahead"), rapid.SampledFrom([]string{"a", "b"}).Draw(r, "worker")
		open := k.State != store.Over && k.State != store.Aborted
		same := attempt == k.Attempt && k.State == store.Running && worker == k.Worker
		_, err := x.BeginAttempt(store.Attempt{Game: k.ID, Attempt: attempt, Worker: worker, Now: noon()})
		if !open || attempt < 1 || attempt <= k.Attempt && !same {
			return wants(err, store.ErrConflict)
		}
		k.State, k.Attempt, k.Worker = store.Running, attempt, worker
		return err
	case "end":
		attempt := k.Attempt - rapid.IntRange(0, 1).Draw(r, "late")
		e := store.Ending{Game: k.ID, Attempt: attempt, Plies: rapid.IntRange(1, 50).Draw(r, "plies"), Record: []byte{1}}
		for _, key := range rapid.SliceOfN(rapid.Int64Range(0, 4), 0, 5).Draw(r, "keys") {
			e.Positions = append(e.Positions, store.Position{Key: key})
		}
		ok, err := x.EndAttempt(&e)
		if want := attempt == k.Attempt && (k.State == store.Running || k.State == store.Parked); ok != want {
			return fmt.Errorf("attempt %d of a %s game with %d: ended %v, %w", attempt, k.State, k.Attempt, ok, err)
		}
		if ok {
			k.State, k.Worker, k.Plies, k.keys = store.Over, "", e.Plies, nil
			for _, p := range e.Positions {
				k.keys = append(k.keys, p.Key)
			}
		}
		return err
	case "set":
		g := k.Game
		was := rapid.SampledFrom([]store.GameState{k.State, k.State, store.Running}).Draw(r, "was")
		g.State = rapid.SampledFrom([]store.GameState{store.Queued, store.Parked, store.Over, store.Aborted}).Draw(r, "state")
		err := x.SetGame(&g, was)
		if was != k.State {
			return wants(err, store.ErrConflict)
		}
		if was == store.Over && g.State != store.Over {
			g.Plies, k.keys = 0, nil
		}
		k.Game = g
		return err
	}
	err := x.RemoveGame(k.ID)
	if k.State != store.Over && k.State != store.Aborted {
		return wants(err, store.ErrConflict)
	}
	m.games = slices.Delete(m.games, i, i+1)
	return err
}

// wants turns an error that is wanted into none.
func wants(err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%w, want %w", err, want)
}
