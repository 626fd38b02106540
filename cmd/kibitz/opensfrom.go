package main

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/run/engines"
)

// opens reports whether an engine can begin a game after the moves of an opening.
func opens(e *engineSpec, spec game.Spec) bool {
	if len(e.Cmd) == 0 {
		return true
	}
	p, err := catalog.ProtocolFor(spec.ID(), e.Proto)
	return err != nil || p.Start >= player.FromHistory // what is wrong is told elsewhere
}

// remarkUnopened tells, before the match, that games may repeat each other, because an
// engine cannot begin from openings and nothing is shuffled.
func (r *matchRun) remarkUnopened() {
	if r.cmd.Games <= 2 || len(r.openings) > 0 || r.rules.Doc().Info != rules.Perfect || r.cmd.Quiet || r.earlier != nil {
		return
	}
	var who []string
	varied := 0
	for _, e := range r.engines {
		if e.Variety > 0 {
			varied++
		} else if !opens(e, r.rules.Spec()) {
			who = append(who, e.Name)
		}
	}
	if len(who) == 0 || len(who) == 1 && varied == len(r.engines)-1 {
		return
	}
	fmt.Fprintf(r.a.stderr, "kibitz: %s cannot begin from an opening: games may repeat each other where the opponent plays the same again; "+
		"built-in engines vary with %s=8, others need an option of their own\n",
		strings.Join(who, " and "), engines.KeyVariety)
}

// closed are the engines of a rung that cannot begin from openings.
func (c *gauntletSelfCmd) closed(r rung) (names []string, err error) {
	each, err := engines.ParseWords(c.Each)
	if err != nil {
		return nil, err
	}
	for _, side := range []rungSide{r.upper, r.lower} {
		e, err := engines.New(each, side.words)
		if err != nil {
			return nil, err
		}
		if !opens(e, game.Spec(r.game)) {
			names = append(names, side.name)
		}
	}
	return names, nil
}

// remarkClosed tells before the first rung which are played without openings.
func (c *gauntletSelfCmd) remarkClosed(a *app, ladders []ladder) error {
	var told []string
	for _, l := range ladders {
		for _, r := range l.rungs {
			names, err := c.closed(r)
			if err != nil {
				return err
			}
			for _, name := range names {
				if slices.Contains(told, name) {
					continue
				}
				told = append(told, name)
				fmt.Fprintf(a.stderr, "kibitz: %s cannot begin from an opening: its rungs begin at the initial position, and games may repeat each "+
					"other\n", name)
			}
		}
	}
	return nil
}
