// Package recorded turns what a game came to into what a record says of it.
package recorded

import (
	"fmt"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/record"
)

// Steps returns the decisions of a game as its record tells them, the attempts that were refused
// at their places.
func Steps(o *match.Outcome) []record.Step {
	steps := make([]record.Step, 0, len(o.Steps)+len(o.Attempts))
	tried := o.Attempts
	for i := range o.Steps {
		steps, tried = addAttempts(steps, tried, i)
		s := &o.Steps[i]
		steps = append(steps, record.Step{
			By: s.By, Move: s.Move, Used: s.Used, Error: s.Error, Info: s.Info, Timed: !s.Opening && !s.Forced && s.By.IsPlayer(),
			Opening: s.Opening, Forced: s.Forced,
		})
	}
	steps, _ = addAttempts(steps, tried, len(o.Steps))
	return steps
}

// addAttempts appends the attempts that were refused before step n, and returns
// those that are left.
func addAttempts(steps []record.Step, tried []match.Attempt, n int) ([]record.Step, []match.Attempt) {
	for len(tried) > 0 && tried[0].Before <= n {
		a := &tried[0]
		steps = append(steps, record.Step{By: a.By, Move: a.Move, Used: a.Used, Timed: true, Refused: true})
		tried = tried[1:]
	}
	return steps, tried
}

// Game returns the record of a game of the journal.
func Game(g *journal.Game) *record.Game {
	s := &g.Start
	out := &record.Game{
		ID: g.ID, Spec: s.Spec, Names: s.Names, Start: s.Position, Event: "Kibitz match", Round: fmt.Sprint(s.Round),
		Date: g.Begun.UTC().Format("2006-01-02 15:04:05"), Result: &g.Result.Result, Engines: g.Result.Engines, Commitment: s.Commitment,
	}
	for i := range out.Resources {
		out.Resources[i] = record.Resources(g.Result.Resources[i])
	}
	for i := range g.Evidence {
		out.Evidence = append(out.Evidence, g.Evidence[i].Lines...)
	}
	if s.Opening != "" {
		out.Tags = append(out.Tags, record.Tag{Key: "opening", Value: s.Opening})
	}
	for i, c := range s.Controls {
		if !c.None() {
			out.Clocks[i] = c.String()
		}
	}
	for i := range g.Steps {
		d := &g.Steps[i]
		for k, m := range d.Steps {
			by := d.By
			if m.Op == game.Deal {
				by = game.Dealer
			}
			step := record.Step{
				By: by, Move: m, Timed: !d.Opening && !d.Forced && by.IsPlayer(), Opening: d.Opening, Forced: d.Forced, Refused: d.Refused,
			}
			if k == 0 && step.Timed {
				step.Used, step.Error = d.Used, d.Error
			}
			if said := d.Said; said != nil && k == 0 && said.Info.Judges() {
				step.Info = &said.Info
			}
			out.Steps = append(out.Steps, step)
		}
	}
	return out
}
