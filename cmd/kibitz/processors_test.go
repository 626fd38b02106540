package main

import "testing"

// Runs of processes get a processor for each game, all others what there is.
func TestFitProcessors(t *testing.T) {
	process, bot := &engineSpec{Cmd: []string{"engine"}}, &engineSpec{}
	for _, c := range []struct {
		engines    []*engineSpec
		games, use int
	}{
		{[]*engineSpec{process, process}, 1, 1},
		{[]*engineSpec{process, process}, 3, 3},
		{[]*engineSpec{process, process}, 8, 4},
		{[]*engineSpec{process, bot}, 1, 4},
	} {
		now := 4
		a := &app{processors: func(n int) int {
			before := now
			if n > 0 {
				now = n
			}
			return before
		}}
		r := &matchRun{a: a, roster: &roster{list: c.engines}}
		for _, games := range []int{c.games, 2, c.games} {
			if r.fitProcessors(games); games == c.games && now != c.use {
				t.Errorf("%d games with %d engines: %d processors, not %d", c.games, len(c.engines), now, c.use)
			}
		}
		if r.freeProcessors(); now != 4 {
			t.Errorf("%d processors are left", now)
		}
	}
	r := &matchRun{a: &app{}, roster: &roster{list: []*engineSpec{process}}} // a test's world has none to set
	r.fitProcessors(1)
	r.freeProcessors()
}
