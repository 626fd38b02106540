package director

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/hall/contest"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/tournament"
)

// Enter enters an engine.
func (d *Desk) Enter(ctx context.Context, in *NewEntry) (*TournamentView, error) {
	var set contest.Config
	if err := d.See(ctx, in.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) { set = s.Settings }); err != nil {
		return nil, err
	}
	entry, err := d.entryOf(ctx, &set, "", in.Body.Engine)
	if err != nil {
		return nil, enterAt(err)
	}
	return d.direct(ctx, in.ID, contest.Command{Do: contest.DoEnter, Entry: entry, Byes: in.Body.Byes})
}

// enterAt is the problem of an engine that is entered, where it is one of its words.
func enterAt(err error) error {
	if _, ok := errors.AsType[*EntryError](err); !ok {
		return err
	}
	return entryAt("#/engine", err)
}

// Withdraw withdraws an engine.
func (d *Desk) Withdraw(ctx context.Context, in *EntryPath) (*TournamentView, error) {
	v, err := d.direct(ctx, in.ID, contest.Command{Do: contest.DoWithdraw, Number: in.Number})
	return v, unpointed(err)
}

// unpointed is an error of a command without its place, where the request has no such body.
func unpointed(err error) error {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	return err
}

// Command follows a command.
func (d *Desk) Command(ctx context.Context, in *TournamentCommand) (*TournamentView, error) {
	return d.direct(ctx, in.ID, in.Command())
}

// Command is what an order says.
func (in *TournamentCommand) Command() contest.Command {
	b := &in.Body
	return contest.Command{
		Do: contest.Do(b.Do), Number: b.Entry, Opponent: b.Opponent, Game: b.Game, Games: b.Games, Opening: b.Opening, Limit: b.Limit,
		Remaining: tournament.Remaining(b.Remaining), Result: b.Result, Note: b.Note,
	}
}

// direct follows a command with all that follows from it, in one transaction, and tells
// of it afterwards.
func (d *Desk) direct(ctx context.Context, id string, cmd contest.Command) (*TournamentView, error) {
	t := d.Tournaments
	var v TournamentView
	var dropped []store.Game
	err := t.change(ctx, id, func(c *tournamentChange) error {
		dropped = nil
		by := visitor(ctx, &c.row)
		if err := mayLook(&c.row, c.state, by); err != nil {
			return err
		}
		e, err := c.state.Settle(cmd, by)
		if err != nil {
			return problem.OfRefusal(err)
		}
		running := c.state.Playing()
		if err := c.add(e); err != nil {
			return err
		}
		if dropped, err = c.follow(&e, running); err != nil {
			return err
		}
		return d.Auth.Note(ctx, c.tx, "tournament-"+string(cmd.Do), id, detailOf(c.state, &e))
	})
	if err != nil {
		return nil, err
	}
	t.metrics.command(string(cmd.Do))
	for i := range dropped {
		t.stop(ctx, dropped[i].ID)
		t.dispatcher.Over(ctx, &dropped[i])
	}
	t.tell(id)
	t.next(ctx, id)
	err = t.Look(ctx, id, func(row *store.Tournament, s *contest.State) error {
		v = viewTournament(row, s, visitor(ctx, row))
		return nil
	})
	return &v, err
}

// follow does what an event asks of the hall's games.
func (c *tournamentChange) follow(e *contest.Event, running []contest.Game) ([]store.Game, error) {
	switch {
	case e.Kind == contest.Cancel:
		return c.giveUp(running, "the tournament was cancelled")
	case e.Kind == contest.Abort:
		one := slices.DeleteFunc(running, func(g contest.Game) bool { return g.Index != e.Game.Index })
		return c.giveUp(one, "given up by a director")
	case e.Kind == contest.Order && e.Order.Running:
		one := slices.DeleteFunc(running, func(g contest.Game) bool { return g.Index != e.Order.Game-1 })
		return c.giveUp(one, "forfeited")
	case e.Kind == contest.Order && (e.Order.Kind == tournament.Withdraw || e.Order.Kind == tournament.Forfeit):
		if err := c.annul(); err != nil {
			return nil, err
		}
		return c.takeBack()
	case e.Kind == contest.Order && (e.Order.Kind == tournament.Overrule || e.Order.Kind == tournament.Replay):
		return nil, c.rule(e)
	}
	return nil, nil
}

// annul writes into the hall's games that those count for nobody whose engine has withdrawn
// so. Ratings stay as they are.
func (c *tournamentChange) annul() error {
	list, names := c.state.Dropped()
	for i := range list {
		g, err := c.tx.Game(GameID(c.row.ID, list[i].Label()))
		if errors.Is(err, store.ErrNotFound) { // an admin has removed it
			continue
		}
		if err != nil {
			return err
		}
		if g.State != store.Over || g.Annulled() {
			continue
		}
		why := names[i] + " has withdrawn, its games are annulled"
		g.Ruled, g.Note = true, why
		g.Result.Points, g.Result.Reason, g.Result.Detail = [2]float64{}, game.ByAbort, why
		if err := c.tx.SetGame(&g, store.Over); err != nil {
			return err
		}
	}
	return nil
}

// rule writes what an order makes of a game that is over into the hall's games, where
// it is searched. Ratings stay as they are.
func (c *tournamentChange) rule(e *contest.Event) error {
	x, ok := c.state.Latest(e.Order.Game - 1)
	if !ok || x.Over == nil || x.Awarded {
		return nil
	}
	g, err := c.tx.Game(GameID(c.row.ID, x.Label()))
	if errors.Is(err, store.ErrNotFound) { // an admin has removed it
		return nil
	}
	if err != nil {
		return err
	}
	was := g.State
	g.Ruled, g.Note = true, e.Name+": "+e.Note
	g.Result.Points, g.Result.Reason, g.Result.Detail = x.Over.Points, x.Over.Reason, e.Note
	if e.Order.Kind == tournament.Replay {
		g.Note = e.Name + ": annulled, to be played again"
		g.Result.Points, g.Result.Reason, g.Result.Detail = [2]float64{}, game.ByAbort, e.Note
	}
	return c.tx.SetGame(&g, was)
}

// detailOf is an event in the audit log, in a line for people.
func detailOf(s *contest.State, e *contest.Event) string {
	text := ""
	switch {
	case e.Entry != nil:
		text = e.Entry.Name
	case e.Kind == contest.Leave, e.Kind == contest.Concurrency:
		text = fmt.Sprint(e.Number)
	case e.Game != nil:
		text = "game " + e.Game.Label()
	case e.Order != nil && e.Order.Game > 0:
		text = fmt.Sprintf("game %d", e.Order.Game)
	case e.Order != nil:
		text = s.EntryOf(e.Order.Engine).Name
		if e.Order.Opponent != e.Order.Engine && e.Order.Kind != tournament.Withdraw {
			text += " - " + s.EntryOf(e.Order.Opponent).Name
		}
	}
	if e.Kind == contest.Order && e.Order.Kind == tournament.Overrule {
		text += fmt.Sprintf(" %v-%v", e.Order.Points[0], e.Order.Points[1])
	}
	if e.Note != "" {
		text += ": " + e.Note
	}
	return game.Shown(text, 500)
}
