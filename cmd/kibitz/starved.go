package main

import (
	"fmt"
	"time"

	"kibitz/run"
	"kibitz/run/result"
	"kibitz/tournament"
)

// mostStarved is how often a game is played again that an engine lost by waiting for a
// processor.
const mostStarved = 2

// replayStarved notes such a game, and has it played again where that is wanted.
func (r *matchRun) replayStarved(p *run.Game) {
	x := p.Outcome.Starved
	if x == nil {
		return
	}
	line := result.Starved{Game: p.ID, Engine: p.Names[x.Seat], Waited: seconds(x.Waited), Over: seconds(x.Over)}
	text := fmt.Sprintf("game %s: %s waited %s for a processor and was %s over its time", p.ID, line.Engine,
		x.Waited.Round(time.Millisecond), x.Over.Round(time.Millisecond))
	switch {
	case !r.cmd.ReplayStarved || r.foreign != nil:
		text += "; --replay-starved plays such games again"
	case p.Pairing.Replays >= mostStarved:
		text += fmt.Sprintf("; it counts, having been played %d times", mostStarved+1)
	default:
		order, err := r.director.Settle(tournament.Order{Kind: tournament.Replay, Game: p.Pairing.Index + 1, Note: text})
		if err == nil {
			err = r.follow(order, "", "the referee")
		}
		if err != nil {
			r.fail(r.named(err))
			return
		}
		line.Again = true
		text += "; it is played again"
	}
	r.totals.starved = append(r.totals.starved, line)
	if !r.cmd.Quiet {
		r.warn(text)
	}
}
