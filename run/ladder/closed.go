package ladder

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/run"
	"kibitz/run/engines"
)

// remarkClosed tells before the first rung which are played without openings, because an engine
// cannot begin from them.
func (c *Options) remarkClosed(a *World, ladders []ladder) error {
	each, err := engines.ParseWords(c.Each)
	if err != nil {
		return err
	}
	var told []string
	for _, l := range ladders {
		for _, r := range l.rungs {
			for _, s := range []rungSide{r.upper, r.lower} {
				e, err := engines.New(each, s.words)
				if err != nil {
					return err
				}
				if run.Opens(e, game.Spec(r.game)) || slices.Contains(told, s.name) {
					continue
				}
				told = append(told, s.name)
				fmt.Fprintf(a.Stderr, "kibitz: %s cannot begin from an opening: its rungs begin at the initial position, and games may repeat each "+
					"other\n", s.name)
			}
		}
	}
	return nil
}
