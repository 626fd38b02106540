package worker

import (
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/bus"
	"kibitz/match"
	"kibitz/record"
	"kibitz/record/native"
)

// packed returns the record of a game in Kibitz's own format, compressed.
func packed(p *bus.Play, g *match.Game, o *match.Outcome, begun time.Time) ([]byte, error) {
	rec := native.Record{Game: *recordOf(p, g, o, begun), Attempt: p.Attempt}
	line, err := native.Append(nil, &rec, g.Rules)
	if err != nil {
		return nil, err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out := enc.EncodeAll(line, nil)
	return out, enc.Close()
}

// recordOf turns an outcome into a record.
func recordOf(p *bus.Play, g *match.Game, o *match.Outcome, begun time.Time) *record.Game {
	r := &record.Game{
		ID: p.Game, Spec: g.Rules.Spec(), Start: p.Position, Event: "Kibitz hall", Date: begun.UTC().Format("2006-01-02 15:04:05"),
		Result: &o.Result, Commitment: p.Commitment, Evidence: o.Evidence,
	}
	if p.Round > 0 {
		r.Round = fmt.Sprint(p.Round)
	}
	if p.OpeningName != "" {
		r.Tags = append(r.Tags, record.Tag{Key: "opening", Value: p.OpeningName})
	}
	for s := range g.Sides {
		r.Names[s] = g.Sides[s].Name
		r.Resources[s] = record.Resources(o.Resources[s])
		if c := g.Sides[s].Clock; !c.None() {
			r.Clocks[s] = c.String()
		}
	}
	r.Steps = make([]record.Step, 0, len(o.Steps)+len(o.Attempts))
	tried := o.Attempts
	for i := range o.Steps {
		r.Steps, tried = addAttempts(r.Steps, tried, i)
		s := &o.Steps[i]
		step := record.Step{
			By: s.By, Move: s.Move, Used: s.Used, Error: s.Error, Timed: !s.Opening && !s.Forced && s.By.IsPlayer(), Opening: s.Opening, Forced: s.Forced,
		}
		if s.Info.Eval.Known() || s.Info.Depth > 0 {
			step.Info = &s.Info
		}
		r.Steps = append(r.Steps, step)
	}
	r.Steps, _ = addAttempts(r.Steps, tried, len(o.Steps))
	return r
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
