package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// Holder tells the bus from the games of a store which worker has one: news of it are of
// that worker alone.
func Holder(st store.Store) bus.Holder {
	return func(ctx context.Context, id string) (attempt int, worker string, err error) {
		err = st.View(ctx, func(tx store.Tx) error {
			g, w, err := workedGame(tx, id)
			if err != nil {
				return err
			}
			if attempt, worker = g.Attempt, w.by(g.Attempt); worker == "" {
				worker = g.Worker // begun before a hall noted it
			}
			return nil
		})
		if errors.Is(err, store.ErrNotFound) {
			return 0, "", nil
		}
		return attempt, worker, err
	}
}

// ForgeryRefused is the action of the audit log that tells what a worker tried that it may
// not.
const ForgeryRefused = "worker-refused"

// AuditForgery writes into the audit log what a worker tried that it may not.
func AuditForgery(ctx context.Context, st store.Store, now time.Time, f bus.Forgery) error {
	text := "worker " + f.Sender + ": " + f.What
	if f.Untold > 0 {
		text += fmt.Sprintf(" (and %d others before)", f.Untold)
	}
	return st.Update(ctx, func(tx store.Tx) error {
		return tx.AddEntry(&store.Entry{
			At: store.Kept(now), Action: ForgeryRefused, Subject: f.Sender,
			Detail: game.Shown(text, 500),
		})
	})
}
