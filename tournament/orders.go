package tournament

import (
	"fmt"

	"kibitz/game"
)

// OrderKind says what an organiser orders.
type OrderKind string

// The orders.
const (
	// Withdraw: no further games for Engine. Its games that run end as they end.
	// What becomes of the others is told by Remaining.
	Withdraw OrderKind = "withdraw"
	// Enter: another engine takes part from now on; it gets the next number.
	Enter OrderKind = "enter"
	// Pair: Engine and Opponent play Games more games, as soon as there is room; in
	// a Swiss they meet in the next round instead.
	Pair OrderKind = "pair"
	// Forfeit: Engine loses Game, or all games against Opponent, that have not begun.
	Forfeit OrderKind = "forfeit"
	// Replay: Game is annulled and played again.
	Replay OrderKind = "replay"
	// Overrule: Game, which is over, has the result Points instead.
	Overrule OrderKind = "overrule"
)

// Remaining says what becomes of the games of an engine that has withdrawn.
type Remaining string

// The ways.
const (
	// ByShare annuls all games of an engine that has played fewer than half of its
	// games and awards the remaining ones of others, in formats where everyone's
	// games are known beforehand (the usual rule of round robins); in the other
	// formats it is Awarded.
	ByShare Remaining = ""
	// Awarded: the opponents win what is left.
	Awarded Remaining = "award"
	// Annulled: no game of the engine counts, what is left is not played.
	Annulled Remaining = "annul"
)

// Order is what an organiser decides while a tournament runs. It is a plain value:
// given again in the same place between the same results (see Director.Resume) it
// has the same effect.
type Order struct {
	Kind OrderKind `json:"kind"`
	// Engine and Opponent count from 0. Engine is filled in when one enters.
	Engine   int `json:"engine"`
	Opponent int `json:"opponent,omitempty"`
	// Game is the number of a game from 1, one more than its Index; 0 for none.
	Game int `json:"game,omitempty"`
	// Games is how many games an order to pair adds, 0 for as many as the plan's.
	Games int `json:"games,omitempty"`
	// Opening is the number of the opening, from 1, that all games begin from which
	// an order to pair adds; 0 takes those of the plan in turn.
	Opening int `json:"opening,omitempty"`
	// Running tells of a forfeit that its game is being played: whoever gives the
	// order ends it without a verdict afterwards, and it is then awarded.
	Running bool `json:"running,omitempty"`
	// Byes is for how many of the rounds of a Swiss that it has missed an engine
	// that enters has half a bye's points.
	Byes      int       `json:"byes,omitempty"`
	Remaining Remaining `json:"remaining,omitempty"`
	// Points are the result that an overruled game has: 1 0, ½ ½, 0 1, or 0 0 if it
	// counts for nobody.
	Points [2]float64 `json:"points,omitempty"`
	// Name is the engine that enters, Note why; both are for people.
	Name string `json:"name,omitempty"`
	Note string `json:"note,omitempty"`
	// Waves is how many waves had begun when the order was given: rounds of a
	// Swiss, rounds and rematches of a knockout, challenges on a ladder, else 0.
	// Apply fills it in.
	Waves int `json:"waves"`
}

// check returns why an order cannot be followed.
func (d *Director) check(o *Order) error {
	switch o.Kind {
	case Enter:
		if o.Byes != 0 && d.plan.Format != SwissSystem {
			return refuse(PartByes, game.Because("byeswiss"), "%d byes: there are byes of half a match in a Swiss only", o.Byes)
		}
		return d.core.mayEnter(o.Byes)
	case Withdraw:
		if o.Remaining == Annulled && d.plan.Format.dependent() {
			return refuse(PartRemaining, game.Because("noannul"), "the games of who withdraws from a %s are awarded: they cannot be annulled",
				d.plan.Format)
		}
		if o.Remaining != ByShare && o.Remaining != Awarded && o.Remaining != Annulled {
			return refuse(PartRemaining, game.Because(game.WhyChoice), "remaining %q: write %s or %s, or leave it away",
				o.Remaining, Awarded, Annulled)
		}
		return d.present(o.Engine, PartEngine)
	case Pair:
		return d.checkPair(o)
	case Forfeit:
		return d.checkForfeit(o)
	case Replay, Overrule:
		return d.checkOver(o)
	}
	return refuse("", game.Because(game.WhyChoice), "order %q: unknown; write one of %s %s %s %s %s %s", o.Kind,
		Withdraw, Enter, Pair, Forfeit, Replay, Overrule)
}

// present returns an error if an engine that is a part of an order is not there.
func (d *Director) present(engine int, about Part) error {
	switch {
	case engine < 0 || engine >= d.plan.Engines:
		return refuse(about, game.Because(game.WhyChoice), "%s: there are engines 1 to %d", place(engine), d.plan.Engines)
	case d.rulings.gone[engine] != here:
		return refuse(about, game.Because("withdrawn"), "%s has withdrawn", place(engine))
	}
	return nil
}

func (d *Director) checkPair(o *Order) error {
	if err := d.present(o.Engine, PartEngine); err != nil {
		return err
	}
	if err := d.present(o.Opponent, PartOpponent); err != nil {
		return err
	}
	switch {
	case o.Engine == o.Opponent:
		return refuse(PartOpponent, game.Because("itself"), "%s cannot meet itself", place(o.Engine))
	case o.Games < 0:
		return refuse(PartGames, game.Because("fewgames"), "%d games: must be at least 1", o.Games)
	case d.plan.Repeat && o.Games%2 == 1:
		return refuse(PartGames, game.Because("evengames"), "%d games: openings are played twice, so their number must be even", o.Games)
	case o.Opening < 0 || o.Opening > d.plan.Openings:
		return refuse(PartOpening, game.Because(game.WhyRange, fmt.Sprintf("0 – %d", d.plan.Openings)), "opening %d: there are %d", o.Opening,
			d.plan.Openings)
	case d.plan.Format == SwissSystem && o.Opening != 0:
		return refuse(PartOpening, game.Because("oneopening"), "opening %d: all matches of a round of a Swiss have the same openings", o.Opening)
	case d.plan.Format == SwissSystem && o.Games != 0 && o.Games != d.plan.Games:
		return refuse(PartGames, game.Because("matchgames", d.plan.Games), "%d games: a match of this Swiss has %d", o.Games, d.plan.Games)
	}
	_, err := d.core.mayMeet(o.Engine, o.Opponent)
	return err
}

func (d *Director) checkForfeit(o *Order) error {
	if o.Engine < 0 || o.Engine >= d.plan.Engines || o.Opponent < 0 || o.Opponent >= d.plan.Engines {
		return refuse(PartEngine, game.Because(game.WhyChoice), "engines %d and %d: there are engines 1 to %d",
			o.Engine+1, o.Opponent+1, d.plan.Engines)
	}
	if o.Game == 0 {
		if o.Engine == o.Opponent {
			return refuse(PartGame, game.Because("noforfeit"), "a forfeit needs a game, or two engines")
		}
		return nil
	}
	p, ok := d.Find(o.Game - 1)
	switch {
	case !ok:
		return refuse(PartGame, game.Because("unknowngame", o.Game), "there is no game %d, or it is not yet known who plays it", o.Game)
	case p.First != o.Engine && p.Second != o.Engine:
		return refuse(PartGame, game.Because("notitsgame", o.Game), "%s does not play game %d", place(o.Engine), o.Game)
	case d.ledger.state(p.Index) == running && !o.Running:
		return refuse(PartGame, game.Because("playedgame", o.Game), "game %d is being played: overrule it when it is over", o.Game)
	case d.rulings.annulled(p) || d.ledger.state(p.Index) == skipped:
		return errNoCount(p)
	case d.ledger.state(p.Index) >= nobody:
		return refuse(PartGame, game.Because("overgame", o.Game), "game %d is over: overrule it", o.Game)
	}
	return nil
}

// checkOver checks an order about a game that must be over.
func (d *Director) checkOver(o *Order) error {
	p, ok := d.Find(o.Game - 1)
	switch {
	case !ok:
		return refuse(PartGame, game.Because("unknowngame", o.Game), "there is no game %d", o.Game)
	case d.ledger.state(p.Index) == running:
		return refuse(PartGame, game.Because("playedgame", o.Game), "game %d is being played: wait until it is over", o.Game)
	case d.ledger.state(p.Index) < void:
		return refuse(PartGame, game.Because("unplayedgame", o.Game), "game %d has not been played", o.Game)
	case d.rulings.annulled(p):
		return errNoCount(p)
	}
	if o.Kind == Replay {
		if err := d.present(p.First, PartGame); err != nil {
			return err
		}
		return d.present(p.Second, PartGame)
	}
	switch o.Points {
	case [2]float64{}, [2]float64{1, 0}, [2]float64{0, 1}, [2]float64{0.5, 0.5}:
		return nil
	}
	return refuse(PartPoints, game.Because(game.WhyChoice), "points %v: must be 1 0, 0.5 0.5, 0 1, or 0 0 for nobody", o.Points)
}

// errNoCount refuses an order about a game of an engine that has withdrawn.
func errNoCount(p Pairing) error {
	return refuse(PartGame, game.Because("nocount", p.Index+1), "game %d does not count: %s or %s has withdrawn", p.Index+1,
		place(p.First), place(p.Second))
}

// overruled is the result of an order to overrule.
func (o *Order) overruled() game.Result {
	return game.Result{Points: o.Points, Reason: game.ByAdjudication, Detail: o.Note}
}
