package cutechess

import (
	"fmt"
	"slices"

	"kibitz/run"
	"kibitz/run/compat"
)

// Run plays what a command line of cutechess-cli says.
func Run(env *compat.Env, args []string) error {
	if env.Asked("cutechess-cli", args, Known(&Options{})) {
		return nil
	}
	if slices.Contains(args, "-engines") || slices.Contains(args, "--engines") {
		list, err := configs()
		for _, c := range list {
			env.Say("%s", c.Name)
		}
		return compat.Failed(err)
	}
	o, err := Read(args, env.Warned)
	if err != nil {
		return err
	}
	if o.ResultFormat == "help" {
		fmt.Fprint(env.Stdout, formatHelp())
		return compat.Fail("-resultformat help: nothing is played")
	}
	names := make([]string, len(o.Engines))
	for i := range o.Engines {
		names[i] = o.Engines[i].Title()
	}
	seed := uint64(env.Now().UnixMilli())
	if o.Seed != nil {
		seed = *o.Seed
	}
	w := NewWatch(env, o, names)
	return w.Play(func(x *compat.Start) *run.Compat {
		s := o.Schedule
		s.Openings.N = len(x.Openings)
		plan := newPlan(s, uint32(seed), x.Count)
		w.knockout = plan.knockout
		return &run.Compat{Watcher: w, Schedule: plan, Adjust: o.Adjust}
	})
}
