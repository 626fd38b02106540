package main

import (
	"errors"
	"fmt"

	"kibitz/rules"
	"kibitz/run/engines"
)

// secludes reports whether a game has facts that an engine could learn from the files of
// the run.
func secludes(r rules.Rules) bool { return r.Doc().Info != rules.Perfect }

// sayUnlimited says once, of the first engine that is a program, what it may do, and how
// that is limited.
func (r *matchRun) sayUnlimited() {
	for i, e := range r.engines {
		if len(e.Cmd) == 0 {
			continue
		}
		if text := e.Unlimited(secludes(r.rules)); text != "" {
			r.a.tell(r.names[i] + text)
		}
		return
	}
}

// hideOwn keeps from engines with files=ro what the run writes.
func (r *matchRun) hideOwn() {
	if r.dir != nil {
		r.a.guards.Hide(r.dir.Path)
	}
	for _, f := range r.records {
		r.a.guards.Hide(f.Name())
	}
	r.a.guards.Part(r.engines)
}

// readyPrograms makes the engines of the run ready.
func (r *matchRun) readyPrograms() error {
	say := func(text string) {
		if !r.cmd.Quiet {
			fmt.Fprintf(r.talk, "%s\n", text)
		}
	}
	var err error
	if r.programs, err = engines.NewPrograms(r.dir.Path, say); err != nil {
		return err
	}
	for i := range r.names {
		if err := r.programs.Ready(r.a.ctx, r.roster.at(i)); err != nil {
			return errors.Join(err, r.programs.Close(), r.dir.Close())
		}
	}
	return nil
}
