package play

import (
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// changeRoom changes the room of a game in the same transaction, and returns what the command
// wants besides. A room that knows nothing of the game any more stays as it is.
func changeRoom(tx store.Rooms, g *store.Game, cmd room.Command, now time.Time) ([]room.Effect, error) {
	if g.Room == "" {
		return nil, nil
	}
	r, s, err := OpenRoom(tx, g.Room)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, effects, err := room.Apply(s, cmd, room.Env{Now: now})
	if errors.Is(err, room.ErrStale) || errors.Is(err, room.ErrSame) || errors.Is(err, refuse.ErrPhase) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	KeepRoom(&r, &s, now)
	return effects, tx.SetRoom(&r)
}

// KeepRoom puts a state into the row that is searched.
func KeepRoom(r *store.Room, s *room.State, now time.Time) {
	r.Name, r.Owner, r.Game = s.Settings.Name, s.Host, s.Settings.Game.ID()
	r.Listed, r.Open = s.Settings.Access != room.Private, s.Phase != room.Closed
	r.Changed, r.State = now, s.JSON()
}

// Effect does in the transaction what a command of a room wants.
func (p *Dispatcher) Effect(tx store.Tx, id string, e room.Effect) error {
	switch {
	case e.Add != nil:
		secret, err := p.Secret()
		if err != nil {
			return err
		}
		g, play, needs := gameOf(id, e.Add, p.now())
		if err := dealAs(tx, e.Add.Dealt, play); err != nil {
			return err
		}
		return p.Add(tx, g, play, needs, secret, e.Add.Kept)
	case e.Resume != "":
		return requeue(tx, e.Resume, p.now())
	case e.Drop != "":
		return dropQueued(tx, e.Drop, e.Why)
	case e.Stop != "":
		return p.Order(tx, e.Stop, bus.OrderAbort)
	case e.Park != "":
		return p.Order(tx, e.Park, bus.OrderPark)
	case e.Pause != "":
		return pauseGame(tx, e.Pause, e.By)
	case e.Rule != nil:
		return rule(tx, e.Rule, p.now())
	}
	return nil
}

// dealAs has a game dealt as another one was, whose record does not tell how; "" is none.
func dealAs(tx store.Games, other string, play *bus.Play) error {
	if other == "" {
		return nil
	}
	g, w, err := workedGame(tx, other)
	if err != nil {
		return err
	}
	dealt := w.dealt(&g)
	play.Seed, play.Commitment, play.Reveal = dealt.Seed, dealt.Commitment, true
	return nil
}

// rule has a game end as somebody wants, whatever comes of it until its worker hears that.
func rule(tx store.Tx, r *room.Ruling, now time.Time) error {
	err := change(tx, r.Game, func(_ *store.Game, w *Work) { w.Ruling = r })
	if err != nil {
		return err
	}
	return tx.AddEntry(&store.Entry{
		At: now, Actor: r.Account, Action: "game-ruled", Subject: r.Game,
		Detail: game.Shown(fmt.Sprintf("%g-%g: %s", r.Result.Points[0], r.Result.Points[1], r.Result.Detail), 500),
	})
}

// OrderOf is what the worker of a game is told at once of an effect, which it hears again with its signs of
// life.
func OrderOf(e *room.Effect) (o bus.Order, ok bool) {
	switch {
	case e.Stop != "":
		return bus.Order{Game: e.Stop, Kind: bus.OrderAbort}, true
	case e.Park != "":
		return bus.Order{Game: e.Park, Kind: bus.OrderPark}, true
	case e.Pause != "" && e.By == "":
		return bus.Order{Game: e.Pause, Kind: bus.OrderResume}, true
	case e.Pause != "":
		return bus.Order{Game: e.Pause, Kind: bus.OrderPause, By: e.By}, true
	case e.Rule != nil:
		return bus.Order{Game: e.Rule.Game, Kind: bus.OrderVerdict, Result: &e.Rule.Result}, true
	}
	return o, false
}

// requeue lets a parked game go on.
func requeue(tx store.Games, id string, now time.Time) error {
	g, w, err := workedGame(tx, id)
	if err != nil {
		return err
	}
	return w.requeue(tx, &g, store.Parked, now)
}

// dropQueued aborts a game that is not being played. Its room knows already.
func dropQueued(tx store.Games, id string, why game.Why) error {
	g, err := tx.Game(id)
	if err != nil {
		return err
	}
	if g.State != store.Queued && g.State != store.Parked {
		return fmt.Errorf("game %s has begun: %w", id, store.ErrConflict)
	}
	was := g.State
	g.State, g.Result = store.Aborted, game.Result{Reason: game.ByAbort, Detail: game.Shown(why.Text, 500)}
	return tx.SetGame(&g, was)
}

// gameOf makes a game of what a room hands out.
func gameOf(id string, n *room.NewGame, now time.Time) (*store.Game, *bus.Play, []string) {
	c := &n.Settings
	g := &store.Game{
		ID: n.ID, Spec: c.Game, Room: id, Index: n.Index, Rated: c.Rated, Speed: SpeedOf(n.Clocks), Opening: c.From,
		Created: now, Hidden: c.Hidden, Listed: c.Access == room.Listed && c.Delay == 0,
	}
	play := &bus.Play{
		Game: n.ID, Spec: c.Game, Rated: c.Rated, Position: c.Position, Opening: c.Opening, OpeningName: c.From, Show: true, Lines: c.Lines &&
			!c.Hidden,
		Open: c.Open, Console: true,
		Rules: bus.Rules{MaxMoves: c.MaxMoves, Undo: c.Undo, NoDraw: !c.Draw, NoAbort: !c.Abort},
	}
	if rated := c.Rated && (n.Places[0].Own() || n.Places[1].Own()); !c.Hidden && !rated {
		play.Kibitzer, play.KibitzerHash = c.Kibitzer, c.KibitzerHash
	}
	var needs []string
	for i, p := range n.Places {
		g.Seats[i] = store.Seat{Name: p.Name, User: p.User, Engine: p.Engine}
		play.Seats[i] = bus.Seat{Kind: p.Kind, Name: p.Name, Engine: p.Engine, Hash: p.Hash, Clock: n.Clocks[i], Grace: n.Grace[i]}
		play.Keep = play.Keep || p.Own()
		if p.Own() {
			play.Rules.Stall = -1
		}
		if p.Hash != "" {
			needs = append(needs, p.Hash)
		}
	}
	return g, play, needs
}
