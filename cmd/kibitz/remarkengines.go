package main

import (
	"fmt"
	"strconv"

	"kibitz/bot"
)

// remarkEngines says once, before the first game, what people do not expect of the
// engines as they are given.
func (r *matchRun) remarkEngines() {
	if r.cmd.Quiet {
		return
	}
	r.sayUnlimited()
	for i, e := range r.engines {
		if n, err := strconv.Atoi(e.Bot); err == nil && n < bot.MaxLevel && !e.Control.None() {
			r.a.tell(fmt.Sprintf("%s plays at level %d by a number of positions, which takes little of its time; level %d uses all of it "+
				"(docs/match.md)", r.names[i], n, bot.MaxLevel))
			break
		}
	}
	for i, e := range r.engines {
		if text := e.OwnDepth(r.rules.Spec().ID()); text != "" {
			r.a.tell(r.names[i] + text)
			break
		}
	}
}
