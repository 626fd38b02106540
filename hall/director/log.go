package director

import (
	"context"

	"kibitz/hall/contest"
	"kibitz/hall/store"
)

// maxEvents is how many events are told at a time.
const maxEvents = 5000

// LogQuery asks for events.
type LogQuery struct {
	TournamentPath
	After  int64 `query:"after" minimum:"0" doc:"events with higher numbers"`
	Before int64 `query:"before" minimum:"0" doc:"events with lower numbers, 0 for all"`
	Latest bool  `query:"latest" doc:"the latest first"`
	Orders bool  `query:"orders" doc:"what people did, without games that begin and end"`
	Limit  int   `query:"limit" minimum:"1" maximum:"5000" default:"5000"`
}

func (q *LogQuery) events() store.TournamentEventQuery {
	out := store.TournamentEventQuery{Tournament: q.ID, After: q.After, Before: q.Before, Latest: q.Latest, Limit: q.Limit}
	if q.Orders {
		for _, k := range contest.Orders() {
			out.Kinds = append(out.Kinds, string(k))
		}
	}
	return out
}

// Log tells what happened. Of accounts directors hear all, others only who
// directs, and what they did themselves.
func (d *Desk) Log(ctx context.Context, in *LogQuery) ([]contest.Event, error) {
	if err := d.See(ctx, in.ID, func(*store.Tournament, *contest.State, contest.Actor) {}); err != nil {
		return nil, err
	}
	return d.Tournaments.Events(ctx, in.events(), func(row *store.Tournament) contest.Actor { return visitor(ctx, row) })
}

// Events reads events of a tournament as somebody may be told them.
func (t *Tournaments) Events(ctx context.Context, q store.TournamentEventQuery,
	to func(row *store.Tournament) contest.Actor,
) ([]contest.Event, error) {
	out := []contest.Event{}
	err := t.cfg.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.Tournament(q.Tournament)
		if err != nil {
			return err
		}
		list, err := tx.TournamentEvents(q)
		out = out[:0]
		for i := range list {
			s := &list[i]
			e, err := contest.ParseEvent(s.Seq, s.At, s.Kind, s.By, s.Data)
			if err != nil {
				return err
			}
			out = append(out, e.For(to(&row), row.Owner))
		}
		return err
	})
	return out, err
}

// Public is what a visitor is of whom nothing is known.
func Public(*store.Tournament) contest.Actor { return contest.Actor{} }
