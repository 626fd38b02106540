package records

import (
	"context"
	"errors"

	"kibitz/hall/store"
)

// MaxExports is how many collections are written out at a time.
const MaxExports = 4

// Exports write out games in bulk, MaxExports collections at a time.
type Exports struct {
	games *Games
	store store.Store
	turns chan struct{}
}

// NewExports returns Exports.
func NewExports(games *Games, st store.Store) *Exports {
	return &Exports{games, st, make(chan struct{}, MaxExports)}
}

// Begin takes the place of an export; it is false if all are taken. End gives it back.
func (ex *Exports) Begin() bool {
	select {
	case ex.turns <- struct{}{}:
		return true
	default:
		return false
	}
}

// End ends an export that was begun.
func (ex *Exports) End() { <-ex.turns }

// Each calls fn for every game that is selected, up to most (0 for all), a page at a time, so that no
// transaction lasts as long as a slow client reads. Of a record that cannot be read fn is
// told why.
func (ex *Exports) Each(ctx context.Context, sel Selection, most int,
	fn func(g *store.Game, record []byte, unreadable error) error,
) error {
	cursor, n := "", 0
	for {
		var page store.GamePage
		var records [][]byte
		err := ex.store.View(ctx, func(tx store.Tx) error {
			q, err := ex.games.Query(ctx, tx, sel)
			if err != nil {
				return err
			}
			q.States, q.Cursor, q.Limit = []store.GameState{store.Over}, cursor, 50
			if page, err = tx.FindGames(q); err != nil {
				return err
			}
			records = make([][]byte, len(page.Games))
			for i := range page.Games {
				if records[i], err = tx.Record(page.Games[i].ID); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range page.Games {
			if most > 0 && n == most {
				return nil
			}
			n++
			record, unreadable := ex.games.record(ctx, &page.Games[i], records[i])
			if err := fn(&page.Games[i], record, unreadable); err != nil {
				return err
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}
