// Package match is the referee: it plays one game from set-up to result.
//
// One goroutine owns a game. It asks the seat on turn, judges the answer by the
// rules, keeps both clocks, plays forced passes and the dealer, and tells each
// seat what that seat may know. Players may crash, hang, lie or never answer: the
// game ends with a verdict for the right seat all the same, with a reason from
// the closed list of package game and with the evidence.
package match

import (
	"context"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/rules"
)

// MaxAttempts is how many refusals of one turn lose a game with hidden facts.
const MaxAttempts = 200

// Side is what the referee knows of one seat.
type Side struct {
	Player player.Player
	Name   string
	Clock  clock.Control
	Limits player.Limits
	// Margin is the grace before a time forfeit.
	Margin time.Duration
	// Suspend stops the player's process while the opponent thinks.
	Suspend bool
	// Learn has the player learn from the game when it is over.
	Learn bool
	// Retries is how many illegal answers of this player are given back in a game, where
	// that is more than Policy.Retries.
	Retries int
	// Ponder tells that the player may think while the opponent does.
	Ponder bool
	// Quick tells that the player was soon ready for its last game (Outcome.Ready). Two of
	// them are made ready one after the other, which saves two changes of goroutines.
	Quick bool
}

// Game is one game to be played.
type Game struct {
	ID    string
	Rules rules.Rules
	Sides [2]Side
	// Position is the start position in the game's text form, empty for the
	// initial one; Opening are decisions already made from it.
	Position    string
	OpeningName string
	Opening     []game.Move
	// Resume are the events of an earlier attempt of this game, in order and those of
	// the arbiter included, as far as it came: the game goes on from there, with the
	// clocks as they were, and its events are those of the whole game. Events after
	// its result, and of another game, are a mistake for which the game is aborted.
	// What a seat had used of a turn that it had not decided is given back.
	Resume []journal.Event
	// Dealer decides for chance. It must not be nil in games that have any.
	Dealer rules.Dealer
	// Commitment is what was published about the dealer's seed.
	Commitment string
	// Round, Pair and Attempt place the game in its run, from 1; Attempt is 1 if
	// it is 0.
	Round, Pair, Attempt int
	Policy               Policy
	Rated                bool
	// Tournament tells that the game is one of a tournament, for engines that are told.
	Tournament bool
	// Views asks for an event with the board for each audience at the start and after
	// each update, for whoever shows the game and knows no rules.
	Views bool
	// Report is told what the player of a seat reports while it thinks (Prompt.Report),
	// by any goroutine. It may be nil, and the players then do not report.
	Report func(by game.Seat, i *game.Info)
	// Asked is told what the seats ask of each other whenever that changes, from any
	// goroutine: a higher Seq replaces a lower one. It does not wait.
	Asked func(player.Asks)
	// Now is the monotonic time source.
	Now func() time.Time
	// Slept tells how long this process did not run, although it could have, from one
	// time to another: in all, and up to the end without a break. It may be nil.
	Slept func(from, to time.Time) (all, last time.Duration)
	// Load is the mean number of threads of the machine that could have run over the last
	// minute; false where nobody tells. It may be nil.
	Load func() (float64, bool)
	// Processor waits until there is a processor for a seat to think on, or, for Nobody,
	// for the players to be made ready on; free gives it back. Its error is that of the
	// context, which ends when the seat is not to think any more. The wait is on no
	// clock. It may be nil: then there always is one.
	Processor func(ctx context.Context, seat game.Seat) (free func(), err error)
	// Brake lets the game stand still; it may be nil.
	Brake *Brake
	// Sink is given each event in order, after the move it tells has been handed
	// on to a player that says so (Prompt.Sent), else before the next seat is
	// asked. The event and all it points to are valid only during the call. It
	// may be nil. It is called by one goroutine at a time.
	Sink func(*journal.Event)
}

// Policy are the referee's rules beside those of the game.
type Policy struct {
	// Retries is how many illegal answers per game are given back instead of
	// losing.
	Retries int
	// MaxMoves draws the game after that many turns, 0 never.
	MaxMoves int
	// Draw and Resign adjudicate by the engines' own evaluations.
	Draw   DrawRule
	Resign ResignRule
	// Exact adjudicates by the rules, where the end of a game is certain.
	Exact ExactRule
	// Start bounds the preparation of each player, default 25 s.
	Start time.Duration
	// Stall is how long a player without a clock may be silent, default 10 min;
	// below zero for ever, as people need.
	Stall time.Duration
	// Undo lets a seat take back moves, if the opponent agrees or cannot be asked.
	// Rated games allow it in no case.
	Undo bool
	// NoDraw refuses offers of a draw, NoAbort lets no player abort the game.
	NoDraw, NoAbort bool
	// Hurry lets a seat have an engine that plays against it move at once, or sooner.
	Hurry bool
}

// DrawRule draws when both engines have called the game even for long enough.
type DrawRule struct {
	// FromMove is the turn from which the rule holds, Count how many turns in a
	// row of each side, Score the largest distance from 0 in the unit in which
	// the engines report. A win chance p counts as 2p-1, a forced win or loss as
	// infinite. Count 0 is off.
	FromMove, Count int
	Score           float64
}

// ResignRule ends a game that an engine itself calls lost.
type ResignRule struct {
	// Count is how many turns in a row a side must see itself at -Score or worse
	// while the opponent sees itself at +Score or better. Count 0 is off.
	Count int
	Score float64
	// Alone lets the loser's own evaluation do.
	Alone bool
}

// Outcome is what became of a game.
type Outcome struct {
	Result game.Result
	// Steps are all decisions in order, the opening and the dealer's included.
	Steps []Step
	// Attempts are the decisions that a hidden fact forbade, in order. Nobody but
	// the mover and the finished record knows of them.
	Attempts []Attempt
	// Plies counts the decisions of the seats without the opening, forced passes
	// included, Turns their completed turns.
	Plies, Turns int
	// Used is the time charged to each seat, Ready what it took to make both players ready.
	Used  [2]time.Duration
	Ready time.Duration
	// Clocks are as they stood at the end.
	Clocks [2]journal.Clock
	// Late is the worst lateness of the referee itself.
	Late time.Duration
	// Warnings are the first hundred.
	Warnings []string
	// Evidence is what shows the fault of a game that was forfeited.
	Evidence []string
	// Final is the last position in the game's text form.
	Final string
	// Resources are what each seat's processes consumed.
	Resources [2]journal.Resources
	// Starved is there if the game was lost on time by an engine that had waited for a
	// processor longer than it was over its time.
	Starved *Starved
	// Faulty tells of each seat whether its player failed and should not be used
	// again without being started anew.
	Faulty [2]bool
	// Aborted tells that the game has no result because its players wanted none.
	Aborted bool
	// Fault is why a player could not go on through no fault of its own, nil unless
	// that ended the game without a verdict.
	Fault error
}

// Attempt is a decision that did not stand.
type Attempt struct {
	// Before is the number of steps that stood when it was tried.
	Before int
	By     game.Seat
	Move   game.Move
	Used   time.Duration
}

// Step is one decision of a finished game.
type Step struct {
	By   game.Seat
	Move game.Move
	Used time.Duration
	// Error is the transmission error of the ply: half of what the referee waited
	// longer than the player's host measured. It holds what it cost to bring
	// question and answer, and is on no clock. 0 for players without a host.
	Error   time.Duration
	Info    *game.Info // what the player said of the position; nil without a value and a depth
	Opening bool
	Forced  bool
}

// Verdict is a result that comes from outside of the game: the cause with which
// the context of Play is cancelled by somebody who may decide a running game.
type Verdict struct{ Result game.Result }

// Error describes the verdict.
func (v *Verdict) Error() string { return "decided from outside: " + string(v.Result.Reason) }

// Play plays the game to its end and returns when both players know of it. When
// ctx ends the game is aborted, or decided if the cause is a Verdict.
func Play(ctx context.Context, g *Game) Outcome {
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := newReferee(own, cancel, g)
	stop := context.AfterFunc(own, r.stopBoth)
	defer stop()
	if r.open() {
		r.attend()
		consult(r.g)
		for !r.over {
			r.turn()
		}
		if r.desk != nil {
			r.desk.leave()
		}
	}
	r.close()
	r.learn(ctx)
	return r.out
}
