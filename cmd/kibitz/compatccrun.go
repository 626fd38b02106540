package main

import (
	"fmt"
	"strings"

	"kibitz/match"
)

// ccRun plays what the command line of cutechess-cli says.
func ccRun(a *app, args []string, out string) error {
	for _, x := range args {
		switch strings.Replace(x, "--", "-", 1) {
		case "-v", "-version":
			fmt.Fprintf(a.stdout, "%s\nkibitz %s\n", ccVersion, version)
			return nil
		case "-engines":
			list, err := ccConfigs()
			for _, c := range list {
				fmt.Fprintln(a.stdout, c.Name)
			}
			return err
		case "-help":
			fmt.Fprintln(a.stdout, "Options are those of cutechess-cli; docs/compat.md says what becomes of each.")
			for _, o := range ccTable(&ccOptions{}) {
				fmt.Fprintf(a.stdout, "  %-18s %s\n", o.name, o.does)
			}
			return nil
		}
	}
	warn := func(text string) { fmt.Fprintf(a.stderr, "Warning: %s\n", text) }
	o, err := readCC(args, warn)
	if err != nil {
		return unplayable(err)
	}
	if o.resultFormat == "help" {
		fmt.Fprint(a.stdout, ccFormatHelp())
		return badVerdict("-resultformat help: nothing is played")
	}
	w := newCCWatch(a, o)
	defer w.files.close()
	if err := w.files.open(); err != nil {
		return asVerdict(err)
	}
	err = playForeign(a, o.match(w.names), out, func(r *matchRun) (*foreign, error) {
		if len(r.openings) > 0 && o.openings.start > len(r.openings) {
			warn(fmt.Sprintf("-openings: start=%d: the file holds %d; counting goes on from its beginning", o.openings.start, len(r.openings)))
		}
		w.rules, w.openings = r.rules, r.openings
		w.plan = newCCPlan(o, len(o.engines), len(r.openings), newTwister(w.seed()), r.director.Count)
		w.run = &foreign{program: "cutechess-cli", watch: w, schedule: w.plan, adjust: o.adjust}
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
		p.MaxMoves = max(1, 2*o.maxMoves-plies)
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

// ccEnd is how a game ended in cutechess-cli's words.
type ccEnd struct {
	token  string // 1-0, 0-1 or 1/2-1/2
	kind   ccKind
	reason string
}

// ccKind is what cutechess-cli counts endings by.
type ccKind int

const (
	ccRegular ccKind = iota // by the rules, a resignation or adjudication
	ccTime
	ccIllegal
	ccDisconnect
	ccStall
	ccDrawByRules
	ccDrawAdjudicated
	ccDrawAgreed
)

// faulty reports whether the loser went wrong.
func (k ccKind) faulty() bool { return k >= ccTime && k <= ccStall }
