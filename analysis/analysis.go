// Package analysis evaluates every position of a game with any player, from the
// end backwards, and says what each turn lost.
//
// A player that evaluates positions itself is asked for each (player.Analyst), or
// once for the whole game where its protocol has that; any other one is put on
// each position and asked to move, and what it says about its move is taken. A
// position is the beginning of a turn: both stones of Connect6 are one, and so are
// a shift and its shot.
package analysis

import (
	"context"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/record/replay"
)

// Method is how evaluations are asked for.
type Method string

// The methods. Auto is the best that the player has.
const (
	Auto Method = "auto"
	// Whole lets the engine analyse the whole game by itself, and asks for a hint
	// where a turn lost something, because only hints name moves.
	Whole Method = "analyze"
	// Hints asks for an analysis of each position.
	Hints Method = "hint"
	// Search has the player choose a move in each position.
	Search Method = "search"
)

// Game is what is analysed.
type Game struct {
	Line *replay.Line
	// Set tells that the line begins elsewhere than at the initial position.
	Set   bool
	Names [2]string
}

// Options say how.
type Options struct {
	Method Method
	// HasWhole tells that the player's protocol has a command of its own for whole
	// games, which Auto then tries first.
	HasWhole bool
	// From and To bound the positions, counted by the decisions before them; To
	// below 0 is the last. The position after To is evaluated too, because the loss
	// of the turn at To needs it.
	From, To int
	// Lines is how many first moves to evaluate, at least 1.
	Lines int
	// Limits and Budget bound each position; Budget 0 is no limit of time.
	Limits player.Limits
	Budget time.Duration
	// Margin is what the player may be late by before it is given up on.
	Margin time.Duration
	// Cap, if above 0, ends the player's own analysis of a position after that time,
	// where neither its level nor Limits have: unlike a Budget it gives the player no
	// reason to use it up.
	Cap time.Duration
	// ID names the game to the player; Name is the player's for messages.
	ID, Name string
	Now      func() time.Time
	// Progress, if not nil, is told after each position how many are done.
	Progress func(done int)
	// Heard, if not nil, is told the best lines of a position so far whenever the
	// player says more, if it evaluates positions itself. Found is told of each
	// position that was evaluated.
	Heard func(p *Position, lines []game.Info)
	Found func(p *Position)
	// Before, if not nil, is called before each position is evaluated, when the player has
	// its game. What it returns ends the analysis.
	Before func(ctx context.Context, p *Position) error
	// Stop, if not nil, ends the analysis after the position in hand when it is
	// closed.
	Stop <-chan struct{}
}

// Position is one evaluated position: the beginning of a turn.
type Position struct {
	// Ply is the number of decisions made before it.
	Ply  int
	Seat game.Seat
	// Played are the decisions of the turn that was played, attempts that were
	// refused left out; none at the end of a game that broke off.
	Played []game.Move
	// Forced tells that the turn was a pass without a choice. It is not asked
	// about: its evaluations are those of the next position.
	Forced bool
	// Only tells that no other decision was legal.
	Only bool
	// Chance tells that chance decided something before the next position: what
	// the turn lost cannot be told from the luck of the deal.
	Chance bool
	// Wanted tells that the position lies within the bounds asked for.
	Wanted bool
	// Before is the evaluation of the position, After that of the next one or the
	// result, both as the seat on turn sees them. Either may be unknown. Where facts
	// are hidden the seats judge by what each knows, and After is not that of the
	// other seat.
	Before, After game.Eval
	// Loss is what the turn lost, 0 or more, in the unit of Before.
	Loss Loss
	// Lines are the best lines, the best first; Best is the first turn of the best.
	Lines []game.Info
	Best  []game.Move
	// Used is the time that the evaluation took.
	Used time.Duration
}

// Report is an analysed game.
type Report struct {
	Positions []Position
	// Method is what was used in the end.
	Method Method
	// Cut tells that the analysis was stopped; earlier positions are then unknown.
	Cut bool
}

// Run analyses a game. The player is not closed. An error of type *player.Failure
// is the player's; the report then holds what was found before.
func Run(ctx context.Context, g Game, p player.Player, o Options) (*Report, error) {
	r := &run{Game: g, o: o, p: p, ctx: ctx, at: -1}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	err := r.evaluate()
	r.p.Over(game.Result{Reason: game.ByAbort})
	r.compare()
	return &Report{Positions: r.list, Method: r.method, Cut: r.cut}, err
}

// At evaluates the position after so many decisions. Within a turn whole evaluates the
// turn from its beginning, because not every player can be asked there; the position
// tells which it is.
func At(ctx context.Context, g Game, ply int, whole bool, p player.Player, o Options) (*Position, error) {
	o.From, o.To, o.HasWhole = ply, ply, false
	r := &run{Game: g, o: o, p: p, ctx: ctx, at: -1}
	r.o.Lines = max(1, r.o.Lines)
	if err := r.prepareTurns(); err != nil {
		return nil, err
	}
	i, err := r.only(ply, whole)
	if err != nil {
		return nil, err
	}
	if err := r.able(); err != nil {
		return nil, err
	}
	err = r.evaluateAt(i)
	r.p.Over(game.Result{Reason: game.ByAbort})
	return &r.list[i], err
}

// Count returns how many positions Run would ask about.
func Count(g Game, o Options) (int, error) {
	r := &run{Game: g, o: o}
	if err := r.prepareTurns(); err != nil {
		return 0, err
	}
	n := 0
	for i := range r.list {
		if r.asked(i) {
			n++
		}
	}
	return n, nil
}

// control is the clock of a player that has to move: so much for each turn.
func (o *Options) control() clock.Clock { return clock.New(clock.Control{Turn: o.Budget}) }
