package main

import (
	"fmt"
	"time"

	"kibitz/tournament"
)

// mostStarved is how often a game is played again that an engine lost by waiting for a
// processor.
const mostStarved = 2

// starvedLine is a game that was lost on time by an engine which had waited for a
// processor longer than it was over its time.
type starvedLine struct {
	Game   string  `json:"game"`
	Engine string  `json:"engine"`
	Waited float64 `json:"waited"` // seconds
	Over   float64 `json:"over"`
	Again  bool    `json:"played_again"`
}

// replayStarved notes such a game, and has it played again where that is wanted.
func (r *matchRun) replayStarved(p *playedGame) {
	x := p.outcome.Starved
	if x == nil {
		return
	}
	line := starvedLine{Game: p.id, Engine: p.names[x.Seat], Waited: seconds(x.Waited), Over: seconds(x.Over)}
	text := fmt.Sprintf("game %s: %s waited %s for a processor and was %s over its time", p.id, line.Engine,
		x.Waited.Round(time.Millisecond), x.Over.Round(time.Millisecond))
	switch {
	case !r.cmd.ReplayStarved || r.foreign != nil:
		text += "; --replay-starved plays such games again"
	case p.pairing.Replays >= mostStarved:
		text += fmt.Sprintf("; it counts, having been played %d times", mostStarved+1)
	default:
		order, err := r.director.Settle(tournament.Order{Kind: tournament.Replay, Game: p.pairing.Index + 1, Note: text})
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
