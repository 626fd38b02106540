package run

import (
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/match/recorded"
	"kibitz/rating"
	"kibitz/record"
	"kibitz/rules"
	"kibitz/run/result"
	"kibitz/tournament"
)

// Watcher is told how a run goes: there is one for people, one for programs, one for each
// runner whose options Kibitz takes, and each knows nothing of the others.
type Watcher interface {
	// Began tells of a game that is about to start. Games begin side by side.
	Began(g *Game)
	// Finished tells of a game that is over and kept, and how the run stands then, for one
	// game at a time.
	Finished(g *Finished)
	// Warned tells what is odd; it may be called at any time.
	Warned(text string)
	// Ordered tells what somebody ordered from outside; it may be called at any time.
	Ordered(text string)
	// Ended tells that nothing more is played.
	Ended(s *result.Summary)
}

// Follower is a Watcher that follows the games decision by decision, as they are played.
// Whoever runs a game waits for it, so it takes what it needs and returns. The event is
// valid only during the call.
type Follower interface {
	Event(e *journal.Event)
}

// Game is one game with everything that is kept of it. What is known before it begins is
// there when a Watcher is told that it does; outcome and log are when it is over.
type Game struct {
	Pairing tournament.Pairing
	Slot    int    // its place among the games that run, from 0
	ID      string // its name in the folder and the journal of the run
	Attempt int    // from 1
	Names   [2]string
	Opening string // its name, empty without one
	Start   string // the position before the opening, empty for the initial one
	// Controls are the time controls of the seats.
	Controls [2]clock.Control
	Began    time.Time
	Outcome  match.Outcome
	Log      []byte // what passed between Kibitz and the engines
	// Commitment and Seed are those of the shuffle, if the game has one.
	Commitment, Seed string
}

// Finished is what a Watcher is told of a game that is over.
type Finished struct {
	*Game
	Line result.Game
	// Of is how many games there are to be, as far as is known; Done how many are over.
	Of, Done int
	Test     *rating.Sequence // the sequential test, nil without one
}

// Record is the game as a record, when it is over.
func (g *Game) Record(spec game.Spec) *record.Game {
	o := &g.Outcome
	out := &record.Game{
		ID: g.ID, Spec: spec, Names: g.Names, Event: "Kibitz match", Round: fmt.Sprint(g.Pairing.Round), Start: g.Start,
		Date: g.Began.UTC().Format("2006-01-02 15:04:05"), Result: &o.Result, Commitment: g.Commitment, Evidence: o.Evidence,
	}
	for i := range out.Resources {
		out.Resources[i] = record.Resources(o.Resources[i])
	}
	if g.Pairing.Opening >= 0 {
		out.Tags = append(out.Tags, record.Tag{Key: "opening", Value: g.Opening})
	}
	for i, c := range g.Controls {
		if !c.None() {
			out.Clocks[i] = c.String()
		}
	}
	out.Steps = recorded.Steps(o)
	return out
}

// Board is the position in which the game begins, before its opening; nil if the rules refuse
// it.
func (g *Game) Board(r rules.Rules) *rules.Board {
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r, nil })
	if err := b.Reset(r.Spec(), g.Start); err != nil {
		return nil
	}
	return b
}

// Final is all of the last position, nil if it cannot be shown.
func (g *Game) Final(r rules.Rules) *game.View {
	b := g.Board(r)
	if b == nil {
		return nil
	}
	for _, step := range g.Outcome.Steps {
		if _, err := b.Apply(step.Move); err != nil {
			return nil
		}
	}
	v := b.View(game.Arbiter)
	return &v
}

// Compat is what the options of another program decide in the place of Kibitz's own.
type Compat struct {
	Program string // that program
	// Watcher tells of the run in that program's lines, in the place of ours.
	Watcher Watcher
	// Schedule hands out the games and counts them.
	Schedule tournament.Scheduler
	// Adjust changes a game before it starts, by the number of plies of its opening; nil if
	// there is nothing to change.
	Adjust func(g *match.Game)
	// Enough is set, while a game is handed over, when no further one is to start.
	Enough bool
}
