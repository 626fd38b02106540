package main

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/match"
	"kibitz/run"
	"kibitz/run/compat/cutechess"
	"kibitz/tournament"
)

// ccRun plays what the command line of cutechess-cli says.
func ccRun(a *app, args []string, out string) error {
	if ccAsked(a, args, "cutechess-cli", ccTable(&ccOptions{})) {
		return nil
	}
	if slices.Contains(args, "-engines") || slices.Contains(args, "--engines") {
		list, err := ccConfigs()
		for _, c := range list {
			fmt.Fprintln(a.stdout, c.Name)
		}
		return err
	}
	o, err := readCC(args, ccWarn(a))
	if err != nil {
		return unplayable(err)
	}
	if o.resultFormat == "help" {
		fmt.Fprint(a.stdout, cutechess.FormatHelp())
		return badVerdict("-resultformat help: nothing is played")
	}
	w := newCCWatch(a, o)
	return w.play(out, w, func(openings int, count func(tournament.Finished)) tournament.Scheduler {
		plan := cutechess.NewPlan(o.plan(openings), w.seed(), count)
		w.knockout = plan.Knockout
		return plan
	})
}

// plan are the settings of the schedule, with so many openings.
func (o *ccOptions) plan(openings int) cutechess.Settings {
	s := cutechess.Settings{
		Format: o.format, Players: len(o.engines), Games: o.games, Rounds: o.rounds, Repeat: o.repeat, Seeds: o.seeds, NoSwap: o.noswap,
		Reverse: o.reverse,
	}
	if x := o.openings; x != nil {
		s.Openings = cutechess.Openings{N: openings, Random: x.random, Start: x.start, Policy: x.policy}
	}
	return s
}

// ccAsked answers a command line that asks for the version or for help.
func ccAsked(a *app, args []string, program string, table []compatOption) bool {
	for _, x := range args {
		switch strings.Replace(x, "--", "-", 1) {
		case "-v", "-version":
			fmt.Fprintf(a.stdout, "%s as kibitz compat takes its options\nkibitz %s\n", program, version)
			return true
		case "-help":
			fmt.Fprintf(a.stdout, "Options are those of %s; docs/compat.md says what becomes of each.\n", program)
			for _, o := range table {
				fmt.Fprintf(a.stdout, "  %-18s %s\n", o.name, o.does)
			}
			return true
		}
	}
	return false
}

// ccWarn returns what tells of ignored options.
func ccWarn(a *app) func(string) {
	return func(text string) { fmt.Fprintf(a.stderr, "Warning: %s\n", text) }
}

// play plays the run and tells watch of it; schedule makes the schedule for so many
// openings.
func (w *ccWatch) play(
	out string, watch run.Watcher, schedule func(openings int, count func(tournament.Finished)) tournament.Scheduler,
) error {
	o := w.o
	defer w.files.close()
	if err := w.files.open(); err != nil {
		return asVerdict(err)
	}
	err := playForeign(w.a, o.settings(w.names), out, func(r *matchRun) (*run.Compat, error) {
		if len(r.Openings()) > 0 && o.openings.start > len(r.Openings()) {
			w.Warned(fmt.Sprintf("-openings: start=%d: the file holds %d; counting goes on from its beginning", o.openings.start, len(r.Openings())))
		}
		w.rules, w.openings = r.Rules(), r.Openings()
		w.schedule = schedule(len(r.Openings()), r.Count)
		w.run = &run.Compat{Program: o.program(), Watcher: watch, Schedule: w.schedule, Adjust: o.adjust}
		return w.run, nil
	})
	if err != nil {
		return err
	}
	return asFiles(w.files.err)
}

// adjust counts the plies of the opening too, in full moves of both sides.
func (o *ccOptions) adjust(g *match.Game) {
	plies := len(g.Opening)
	p := &g.Policy
	if o.maxMoves > 0 {
		p.MaxMoves = 2 * o.maxMoves
		if o.fast == nil { // fastchess counts what engines played
			p.MaxMoves = max(1, p.MaxMoves-plies)
		}
	}
	if p.Draw.Count > 0 {
		p.Draw.FromMove = max(0, p.Draw.FromMove-plies)
	}
	p.Resign.Alone = o.resign != nil && !o.resign.both
}

// seed is what makes lots: that of the options, or the time.
func (w *ccWatch) seed() uint32 {
	if w.o.seed != nil {
		return *w.o.seed
	}
	return uint32(w.a.now().UnixMilli())
}
