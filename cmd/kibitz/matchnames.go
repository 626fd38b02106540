package main

import (
	"sync"

	"kibitz/run/engines"
)

// learnNames gives engines that were given no name the one that they give themselves, as
// if it had been given, and makes all names different.
func (r *matchRun) learnNames() {
	var asked sync.WaitGroup
	own := make([]string, len(r.engines))
	for i, e := range r.engines {
		if e.AsksName() {
			asked.Go(func() { own[i] = r.a.launcher().OwnName(r.a.ctx, e, r.rules) })
		}
	}
	asked.Wait()
	for i, e := range r.engines {
		switch {
		case own[i] != "":
			e.Name = own[i]
			r.cmd.Engine[i] = r.cmd.Engine[i].With("name", own[i])
		case !e.Named:
			e.Name = e.DefaultName()
		}
	}
	r.names = engines.UniqueNames(r.engines)
}
