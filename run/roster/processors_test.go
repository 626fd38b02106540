package roster

import (
	"testing"

	"kibitz/run/engines"
)

// Runs of processes get a processor for each game, all others what there is.
func TestFitProcessors(t *testing.T) {
	process, bot := &engines.Spec{Cmd: []string{"engine"}}, &engines.Spec{}
	for _, c := range []struct {
		list       []*engines.Spec
		games, use int
	}{
		{[]*engines.Spec{process, process}, 1, 1},
		{[]*engines.Spec{process, process}, 3, 3},
		{[]*engines.Spec{process, process}, 8, 4},
		{[]*engines.Spec{process, bot}, 1, 4},
	} {
		now := 4
		p := &Processors{Set: func(n int) int {
			before := now
			if n > 0 {
				now = n
			}
			return before
		}}
		for _, games := range []int{c.games, 2, c.games} {
			if p.Fit(games, New(c.list)); games == c.games && now != c.use {
				t.Errorf("%d games with %d engines: %d processors, not %d", c.games, len(c.list), now, c.use)
			}
		}
		if p.Free(); now != 4 {
			t.Errorf("%d processors are left", now)
		}
	}
	p := &Processors{} // a test's world has none to set
	p.Fit(1, New([]*engines.Spec{process}))
	p.Free()
}
