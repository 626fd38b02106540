// Package recorded turns what a game came to into what a record says of it.
package recorded

import (
	"kibitz/match"
	"kibitz/record"
)

// Steps returns the decisions of a game as its record tells them, the attempts that were
// refused at their places. What a step says of the engine's thoughts is lent from o.
func Steps(o *match.Outcome) []record.Step {
	steps := make([]record.Step, 0, len(o.Steps)+len(o.Attempts))
	tried := o.Attempts
	for i := range o.Steps {
		steps, tried = addAttempts(steps, tried, i)
		s := &o.Steps[i]
		step := record.Step{
			By: s.By, Move: s.Move, Used: s.Used, Error: s.Error, Timed: !s.Opening && !s.Forced && s.By.IsPlayer(), Opening: s.Opening,
			Forced: s.Forced,
		}
		if s.Info.Eval.Known() || s.Info.Depth > 0 {
			step.Info = &s.Info
		}
		steps = append(steps, step)
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
