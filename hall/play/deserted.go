package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// leastGrace is how long the owner of a place may be away at least while nobody plays the
// game: whoever is connected may need as long to be heard of when a hall begins.
const leastGrace = 2 * Heartbeat

// Heartbeat is the longest silence of a connection at whose other end somebody is.
const Heartbeat = 15 * time.Second

// unseen tells the rooms of games that are not over that it is not known who is there: a hall
// that ended without a word has told nobody of those who left with it.
func (p *Dispatcher) unseen(ctx context.Context) error {
	rooms := map[string]bool{}
	for _, state := range []store.GameState{store.Queued, store.Running, store.Parked} {
		if err := each(ctx, p.cfg.Store, state, func(g *store.Game) {
			if g.Room != "" {
				rooms[g.Room] = true
			}
		}); err != nil {
			return err
		}
	}
	for id := range rooms {
		changed := false
		err := p.Update(ctx, func(tx store.Tx) error {
			changed = false
			r, s, err := OpenRoom(tx, id)
			if err != nil {
				return err
			}
			if s, _, err = room.Apply(s, room.Unseen{}, room.Env{Now: p.now()}); err != nil {
				return nil //nolint:nilerr // nobody was there, or the room is closed
			}
			changed = true
			KeepRoom(&r, &s, p.now())
			return tx.SetRoom(&r)
		})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if changed {
			p.Wake("room." + id) // who is connected says so
		}
	}
	return nil
}

// OpenRoom reads a room and what is in it.
func OpenRoom(tx store.Rooms, id string) (store.Room, room.State, error) {
	r, err := tx.Room(id)
	if err != nil {
		return r, room.State{}, err
	}
	s, err := room.Parse(r.State)
	return r, s, err
}

// deserted ends games that nobody plays and whose players have gone, and takes up interrupted ones
// whose players are there; waits tells that there are games of rooms in the queue.
func (s *Reaper) deserted(ctx context.Context) (waits bool, err error) {
	var list []store.Game
	for _, state := range []store.GameState{store.Queued, store.Parked} {
		if err := each(ctx, s.p.cfg.Store, state, func(g *store.Game) {
			if g.Room != "" {
				waits = waits || state == store.Queued
				list = append(list, store.Game{ID: g.ID, Room: g.Room, State: g.State})
			}
		}); err != nil {
			return waits, err
		}
	}
	for i := range list {
		missing, err := s.p.desert(ctx, &list[i], s.start)
		if err == nil && !missing && list[i].State == store.Parked {
			err = s.together(ctx, &list[i])
		}
		if err != nil {
			return waits, err
		}
	}
	return waits, nil
}

// desert ends a game if the owner of a place has been away for as long as he may, from when
// the game was made or the hall began to look. It reports whether somebody is away.
func (p *Dispatcher) desert(ctx context.Context, g *store.Game, start time.Time) (missing bool, err error) {
	look := func(tx store.Tx) (is store.Game, w Work, why game.Why, err error) {
		missing = false
		if is, w, err = workedGame(tx, g.ID); err != nil || is.State != g.State {
			return is, w, why, err
		}
		_, s, err := OpenRoom(tx, g.Room)
		if err != nil || s.Game == nil || s.Game.ID != g.ID {
			return is, w, why, err
		}
		var place int
		var since time.Time
		place, since, missing = s.Missing(p.now())
		grace := max(s.Grace(), leastGrace)
		for _, at := range []time.Time{is.Created, start} {
			if at.After(since) {
				since = at
			}
		}
		if missing && p.now().Sub(since) >= grace {
			next := "went on"
			if is.Attempt == 0 {
				next = "began"
			}
			name := s.Places[place].Name
			why = game.Why{Code: bus.WhyAway, Name: name, Text: fmt.Sprintf("%s was away for %s before the game %s", name, grace, next)}
		}
		return is, w, why, nil
	}
	var why game.Why
	err = p.cfg.Store.View(ctx, func(tx store.Tx) (err error) { _, _, why, err = look(tx); return err })
	if err == nil && why.Text != "" {
		var ended store.Game
		err = p.Update(ctx, func(tx store.Tx) error {
			is, w, why, err := look(tx)
			if ended = (store.Game{}); err != nil || why.Text == "" {
				return err
			}
			ended = is
			return p.Drop(tx, &ended, is.State, &w, why)
		})
		if err == nil && ended.ID != "" {
			p.Over(ctx, &ended)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return missing, nil
	}
	return missing, err
}

// together takes up an interrupted game whose players are there: the news that they are may have
// come before that of the interruption.
func (s *Reaper) together(ctx context.Context, g *store.Game) error {
	p := s.p
	var effects []room.Effect
	err := p.Update(ctx, func(tx store.Tx) (err error) {
		if effects, err = changeRoom(tx, g, room.Together{Game: g.ID}, p.now()); err != nil {
			return err
		}
		for _, e := range effects {
			if err := p.Effect(tx, g.Room, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(effects) > 0 {
		p.Publish(ctx, g.ID)
		p.tell(g)
	}
	return err
}
