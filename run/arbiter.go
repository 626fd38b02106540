package run

import (
	"context"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/link/procfs"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/run/folder"
	"kibitz/run/result"
	"kibitz/run/roster"
	"kibitz/run/standing"
	"kibitz/run/watchdog"
	"kibitz/tournament"
)

// arbiter plays the games of a run one by one: it seats the players, hands the game to the
// referee, and sees that what counts is kept.
type arbiter struct {
	set      *Settings
	policy   match.Policy
	compat   *Compat
	earlier  *earlier
	players  *players
	openings *beginnings
	keep     *keeper
	audience *audience
	watchdog *watchdog.Watchdog
	placing  *placing
	running  *running
	// abort ends the run, for something of ours went wrong.
	abort func(error)
}

// announce returns a game before it begins.
func (x *arbiter) announce(p tournament.Pairing, slot int) *Game {
	id := folder.ReplayName(p.Index, p.Replays)
	g := &Game{Pairing: p, Slot: slot, ID: id, Attempt: x.earlier.begun[id] + 1}
	for i, n := range [2]int{p.First, p.Second} {
		e := x.players.roster.At(n)
		g.Names[i], g.Controls[i] = e.Name, e.Control
	}
	if p.Opening >= 0 {
		o := &x.openings.list[p.Opening]
		g.Opening, g.Start = o.Name, o.Start
	}
	return g
}

// quickStart is within what time both players of a game are ready that are quick.
const quickStart = 2 * time.Millisecond

// game plays one game of the plan.
func (x *arbiter) game(ctx context.Context, p tournament.Pairing, slot int) (tournament.Finished, bool) {
	played := x.announce(p, slot)
	if res, ok := p.Awarded(); ok {
		return x.keep.award(played, res), true
	}
	if x.set.Wait > 0 && p.Index > 0 {
		select {
		case <-time.After(time.Duration(x.set.Wait) * time.Millisecond):
		case <-ctx.Done():
			return tournament.Finished{}, false
		}
	}
	var seats [2]*roster.Seated
	pair := [2]int{p.First, p.Second}
	for i, e := range pair {
		var err error
		if seats[i], err = x.players.pool.Take(e, slot); err != nil {
			x.audience.warn(err.Error())
			return tournament.Finished{}, false
		}
		defer x.players.pool.Give(seats[i])
		seats[i].Traffic.Begin(x.keep.now())
	}
	g := x.prepare(played, seats)
	played.Began = x.keep.now()
	x.audience.gameBegan(played)
	for i, e := range pair {
		if !x.set.Recover && x.players.ready.Hopeless(e) {
			g.Sides[i].Player = roster.GivenUp{Player: g.Sides[i].Player}
		}
	}
	own, over := x.running.begin(ctx, played.ID)
	x.placing.begin(slot, seats)
	played.Outcome = match.Play(own, g)
	x.placing.end(slot, x.keep.now().Sub(played.Began), played.Outcome.Plies)
	over()
	x.players.ready.Count(pair, &played.Outcome)
	for _, s := range seats {
		s.Quick = played.Outcome.Ready < quickStart
	}
	for i, s := range seats {
		played.Log = s.Traffic.Take(played.Log, fmt.Sprintf("%s (%s)", g.Sides[i].Name, game.Seat(i)))
	}
	o := &played.Outcome
	if o.Result.Reason == game.ByAbort {
		err := fmt.Errorf("game %s was not played to a verdict: %s", played.ID, o.Result.Detail)
		switch {
		case protocol.HostFault(o.Fault):
			x.abort(err)
		case ctx.Err() == nil:
			x.audience.warn(err.Error())
		}
		return tournament.Finished{}, false
	}
	return tournament.Finished{
		Pairing: p, Result: o.Result, Plies: o.Plies, Seconds: [2]float64{standing.Seconds(o.Used[0]), standing.Seconds(o.Used[1])}, Data: played,
	}, true
}

func (x *arbiter) prepare(played *Game, seats [2]*roster.Seated) *match.Game {
	p := played.Pairing
	g := &match.Game{
		ID: played.ID, Rules: x.keep.rules, Policy: x.policy, Rated: !x.set.Casual, Tournament: x.players.roster.Count() > 2,
		Now: x.keep.now, Round: p.Round, Pair: p.Pair, Attempt: played.Attempt,
		Slept: x.watchdog.Slept, Load: procfs.Load, Sink: x.keep.sink, Views: len(x.audience.followers) > 0,
	}
	for i, s := range seats {
		e := x.players.roster.At(s.Engine)
		g.Sides[i] = match.Side{
			Player: s.Player, Name: e.Name, Clock: e.Control, Limits: e.Limits(), Margin: e.Margin, Suspend: e.Suspend, Learn: e.Learn,
			Ponder: e.Ponder, Retries: x.players.retries(e), Quick: s.Quick,
		}
	}
	if p.Opening >= 0 {
		o := x.openings.list[p.Opening]
		g.Position, g.Opening, g.OpeningName = o.Start, o.Steps, o.Name
	}
	if x.compat != nil && x.compat.Adjust != nil {
		x.compat.Adjust(g)
	}
	played.Seed = x.keep.shuffles.Deal(g, x.keep.rules, p)
	played.Commitment = g.Commitment
	return g
}

// play plays a game, which counts if the journal has its result.
func (x *arbiter) play(ctx context.Context, p tournament.Pairing, slot int) (tournament.Finished, bool) {
	f, ok := x.game(ctx, p, slot)
	if !ok {
		return f, false
	}
	if id := f.Data.(*Game).ID; x.keep.misses(id) {
		x.abort(fmt.Errorf("game %s does not count, for its result could not be kept: %w", id, x.keep.failed()))
		return tournament.Finished{}, false
	}
	return f, true
}

// line is the game as --json prints it.
func (p *Game) line(spec game.Spec, f *tournament.Finished) result.Game {
	res := f.Result
	line := result.Game{
		Type: "game", ID: p.ID, Game: string(spec), Round: f.Pairing.Round, Pair: f.Pairing.Pair, First: p.Names[0],
		Second: p.Names[1],
		Score:  res.Points, Reason: string(res.Reason), Detail: res.Detail, Plies: f.Plies, Seconds: f.Seconds, Opening: p.Opening,
	}
	for i, u := range p.Outcome.Resources {
		line.CPU[i], line.Memory[i] = standing.Resources(u)
	}
	if w := res.Winner(); w.IsPlayer() {
		line.Winner = &p.Names[w]
	}
	if res.HasBoard {
		line.Board = &res.Board
	}
	return line
}
