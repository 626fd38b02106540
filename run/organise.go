package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/run/orders"
	"kibitz/run/roster"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// organiser changes the schedule of a run by orders.
type organiser struct {
	standing *standing.Standing
	roster   *roster.Roster
	keep     *keeper
	// admit makes an engine that is to enter, and everything ready for it.
	admit   func(ctx context.Context, spec string) (*engines.Spec, error)
	ordered bool // there was an order
}

// read reads an order; an engine that enters by it is in the roster then. Spec is its
// specification.
func (x *organiser) read(ctx context.Context, o orders.Request) (order tournament.Order, spec string, err error) {
	return orders.Read(o, x.standing.Names, func(spec string) (string, error) {
		if x.standing.Test != nil {
			return "", errors.New("a sequential test is between two engines")
		}
		return x.enter(ctx, spec, "")
	})
}

// settle settles an order and follows it.
func (x *organiser) settle(o tournament.Order, spec, by string) (tournament.Order, error) {
	o, err := x.standing.Director.Settle(o)
	if err != nil {
		return o, orders.Named(err, x.standing.Names)
	}
	return o, x.follow(o, spec, by)
}

// replay has a game played again.
func (x *organiser) replay(number int, note, by string) error {
	_, err := x.settle(tournament.Order{Kind: tournament.Replay, Game: number, Note: note}, "", by)
	return err
}

// enter takes an engine into the roster and returns its name; known is the name that
// it had when it entered in an earlier run.
func (x *organiser) enter(ctx context.Context, spec, known string) (string, error) {
	e, err := x.admit(ctx, spec)
	if err != nil {
		return "", err
	}
	name := e.Name
	for n := 2; slices.Contains(x.standing.Names, e.Name); n++ {
		e.Name = name + "#" + strconv.Itoa(n)
	}
	if known != "" {
		e.Name = known
	}
	x.roster.Add(e)
	x.standing.Names = append(x.standing.Names, e.Name)
	return e.Name, nil
}

// dismiss takes those off the roster that could not enter.
func (x *organiser) dismiss(from int) {
	x.roster.Cut(from)
	x.standing.Names = x.standing.Names[:from:from]
}

// follow writes an order that the director has settled into the journal, in its place
// among the results, and changes the schedule once it is there. An order that cannot be
// kept changes nothing.
func (x *organiser) follow(o tournament.Order, spec, by string) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var annulled []string
	if o.Kind == tournament.Withdraw && o.Remaining == tournament.Annulled {
		if annulled, err = x.keep.gamesOf(x.standing.Names[o.Engine]); err != nil {
			return err
		}
	}
	if err := x.keep.dir.Journal.Append(&journal.Event{
		Time: x.keep.now(), To: game.Arbiter, Kind: journal.KindOrder, Order: &journal.Order{Order: b, Engine: spec, By: by},
	}); err != nil {
		return err
	}
	if _, err := x.standing.Director.Apply(o); err != nil {
		return err
	}
	x.rule(o, annulled, by)
	return nil
}

// rule writes what an order makes of games that are over, for those who read records
// and do not know the schedule.
func (x *organiser) rule(o tournament.Order, annulled []string, by string) {
	x.ordered = true
	name := func(replaysSince int) string {
		p, _ := x.standing.Director.Find(o.Game - 1)
		return folder.ReplayName(p.Index, p.Replays-replaysSince)
	}
	switch o.Kind {
	case tournament.Overrule:
		res := game.Result{Points: o.Points, Reason: game.ByAdjudication, Detail: o.Note}
		if o.Points == [2]float64{} {
			res.Reason = game.ByAbort
		}
		x.keep.rule(name(0), res, by, o.Note)
	case tournament.Replay:
		why := "played again"
		if o.Note != "" {
			why += ": " + o.Note
		}
		x.keep.annul(name(1), by, why)
	case tournament.Withdraw:
		for _, id := range annulled {
			x.keep.annul(id, by, x.standing.Names[o.Engine]+" has withdrawn")
		}
	}
}

// annulled writes, of a game that ran when one of its engines withdrew, that it
// counts for nobody.
func (x *organiser) annulled(g *Game) {
	if !x.ordered {
		return
	}
	if now, ok := x.standing.Director.Find(g.Pairing.Index); ok && now.Award == tournament.ToNobody {
		x.keep.annul(g.ID, "", "an engine has withdrawn")
	}
}

// again reads an order of an earlier run; who entered takes part again.
func (x *organiser) again(o *journal.Order) (*tournament.Order, error) {
	x.ordered = true
	var order tournament.Order
	if err := json.Unmarshal(o.Order, &order); err != nil {
		return nil, fmt.Errorf("an order cannot be read: %w", err)
	}
	if order.Kind == tournament.Enter {
		if _, err := x.enter(context.Background(), o.Engine, order.Name); err != nil { // nothing is started
			return nil, err
		}
	}
	return &order, nil
}
