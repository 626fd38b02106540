package factory

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/internal/owntemp"
	"kibitz/link/procfs"
	"kibitz/match"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/watchdog"
)

// Machine is what a factory is given of its surroundings.
type Machine struct {
	// File has the engines of this machine; empty: there are none.
	File     string
	Launcher *engines.Launcher
	// SetTemp is as in owntemp.Make.
	SetTemp func(dir string) error
	Log     *slog.Logger
}

// Open returns a factory with the engines of a file, unpacked. done removes what was made for
// them.
func Open(ctx context.Context, m *Machine) (f *Factory, done func() error, err error) {
	c := Config{Launcher: m.Launcher, Sums: engines.NewSums(m.Launcher.Now), Warn: func(text string) { m.Log.Warn(text) }}
	if m.File != "" {
		if c.Engines, err = ReadEngines(m.File, c.Sums); err != nil {
			return nil, nil, err
		}
		m.Launcher.Guards.Hide(m.File)
	}
	for _, e := range c.Engines {
		m.Launcher.Guards.Part([]*engines.Spec{e.Spec})
	}
	end, err := owntemp.Make(m.Launcher.Now(), m.SetTemp)
	if err != nil {
		return nil, nil, err
	}
	if c.Programs, err = engines.OwnPrograms(func(text string) { m.Log.Info(text) }); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	done = func() error { return errors.Join(c.Programs.Close(), end()) }
	for _, e := range c.Engines {
		if err := c.Programs.Ready(ctx, e.Spec); err != nil {
			return nil, nil, errors.Join(err, done())
		}
	}
	return New(c), done, nil
}

// Worker returns a worker that plays with these engines. Its Name may be empty, for that of the
// machine, and Slots 0, for as many as there are processors; ID, Version and Log are the caller's.
func (f *Factory) Worker(b *bus.Bus, dog *watchdog.Watchdog, w worker.Config) (*worker.Worker, error) {
	if w.Name == "" {
		w.Name, _ = os.Hostname()
	}
	w.Slots = cmp.Or(w.Slots, runtime.NumCPU())
	w.Bus, w.Build, w.Engines = worker.OnBus(b), f.Build, f.Entries
	w.Now, w.Slept, w.Load = f.launcher.Now, dog.Slept, procfs.Load
	return worker.New(w)
}

// policyOf reads the referee's rules of a game.
func policyOf(p *bus.Rules, r rules.Rules) (out match.Policy, err error) {
	out = match.Policy{
		Retries: p.Retries, MaxMoves: p.MaxMoves, Stall: p.Stall, Undo: p.Undo, NoDraw: p.NoDraw, NoAbort: p.NoAbort,
		Draw: match.DrawRule(p.Draw), Resign: match.ResignRule{Count: p.Resign.Count, Score: p.Resign.Score}, Start: time.Minute,
	}
	if p.Exact {
		out.Exact, err = (&run.Exact{Nodes: run.ExactNodes}).Rule(r)
	}
	return out, err
}
