package lobby

import (
	"context"
	"time"

	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// Serve lets rooms do what is due until the context ends: the next game of a series,
// closing those that everybody has left.
func (rm *Rooms) Serve(ctx context.Context) {
	if sub, err := rm.cfg.Bus.Subscribe(lookingTopic, rm.Audience.heard); err == nil {
		defer sub.Close()
	} else {
		rm.cfg.Log.WarnContext(ctx, "who looks on in other halls is not known", "error", problem.OneLine(err))
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		recent := 5 * time.Minute // a pause between games is shorter
		if n%60 == 0 {
			recent = 0
		}
		if err := rm.tick(ctx, recent); err != nil && ctx.Err() == nil {
			rm.cfg.Log.WarnContext(ctx, "rooms", "error", problem.OneLine(err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// tick looks at open rooms that were changed lately, or at all.
func (rm *Rooms) tick(ctx context.Context, recent time.Duration) error {
	q := store.RoomQuery{Open: true, Limit: 200}
	for {
		list, err := store.Get(ctx, rm.cfg.Store, store.Tx.Rooms, q)
		if err != nil {
			return err
		}
		for i := range list {
			if recent > 0 && rm.cfg.Now().Sub(list[i].Changed) > recent {
				return nil
			}
			s, err := room.Parse(list[i].State)
			if err != nil || s.Due.IsZero() || rm.cfg.Now().Before(s.Due) {
				continue
			}
			// Another hall may have been quicker.
			if _, err := rm.Apply(ctx, list[i].ID, room.Actor{}, room.Tick{}); err != nil {
				rm.cfg.Log.DebugContext(ctx, "a room did not go on", "room", list[i].ID, "error", problem.OneLine(err))
			}
		}
		if len(list) < q.Limit {
			return nil
		}
		q.Before = list[len(list)-1].Changed
	}
}

// Here tells a room that somebody is connected, or is not any more.
func (rm *Rooms) Here(ctx context.Context, id string, by room.Actor, on bool) {
	if _, err := rm.Apply(ctx, id, by, room.Presence{Here: on}); err != nil {
		rm.cfg.Log.DebugContext(ctx, "presence was not kept", "room", id, "error", problem.OneLine(err))
	}
}

// State returns a room that somebody may see, with all that is hidden from some.
func (rm *Rooms) State(ctx context.Context, id string, by room.Actor) (room.State, error) {
	return store.Read(ctx, rm.cfg.Store, func(tx store.Tx) (room.State, error) {
		_, state, err := RoomOf(tx, id, by)
		return state, err
	})
}
