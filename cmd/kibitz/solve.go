package main

import (
	"cmp"
	"fmt"
	"time"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
)

type solveCmd struct {
	File    string `arg:"" help:"Problems: .obf, a list of positions (.txt, with --game), or records; - reads stdin."`
	Game    string `help:"Game with options; Othello if the format does not say." placeholder:"G"`
	From    string `help:"Format of the file, if the extension does not say: one of kibitz convert, or positions." placeholder:"F"`
	Number  *int   `help:"Solve only problem number N of the file." placeholder:"N"`
	Ply     *int   `help:"Of records: the position after N decisions; default: the last." placeholder:"N"`
	Moves   bool   `help:"Solve what each scored move of the file leads to as well, and compare."`
	Nodes   int64  `help:"Give a problem up after so many positions searched; 0: as many as it takes in Othello and Dots and Boxes, 20 million in other games." default:"0"`
	Threads int    `default:"1" help:"How many positions to solve at a time."`
	JSON    bool   `name:"json" help:"One JSON object for each position, then a summary."`
	Quiet   bool   `help:"Print only what is wrong or unsolved, and the totals."`
}

// Help returns the example that --help shows.
func (solveCmd) Help() string {
	return "Examples: kibitz solve fforum-40-59.obf --threads 2\n          kibitz solve endings.txt --game dotsandboxes:size=4 --json\n          kibitz solve games.ggf --ply 44"
}

// solver finds exact results in one game; one goroutine uses it.
type solver struct {
	exact.Solver
	usual int64
}

// anyNodes is a budget that nothing reaches.
const anyNodes = 1 << 60

func newSolver(id string) (*solver, error) {
	how, err := catalog.SolverOf(id)
	if err != nil {
		return nil, err
	}
	x, err := how.Whole()
	return &solver{x, cmp.Or(how.Nodes, anyNodes)}, err
}

// solve searches so many positions at most, or what is usual in the game.
func (x *solver) solve(s rules.State, most int64) (exact.Verdict, bool) {
	return x.Solve(s, cmp.Or(most, x.usual))
}

// scoreFor is the final score for a seat less that of the other, if the proof has one.
func scoreFor(v *exact.Verdict, seat game.Seat) (score float64, scored bool) {
	if !v.HasBoard || !seat.IsPlayer() {
		return 0, false
	}
	return v.Board[seat] - v.Board[seat.Other()], true
}

// Run solves the problems of a file.
func (c solveCmd) Run(a *app) error {
	if c.Threads < 1 || c.Threads > 1024 {
		return fmt.Errorf("--threads %d: must be from 1 to 1024", c.Threads)
	}
	if c.Nodes < 0 {
		return fmt.Errorf("--nodes %d: must be 0 or more", c.Nodes)
	}
	list, err := c.problems(a)
	if err != nil {
		return err
	}
	for i := range list {
		if _, err := catalog.SolverOf(list[i].rules.Spec().ID()); err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
	}
	began := a.now()
	out := &solveOut{a: a, c: &c, sum: solveSummary{Type: "summary", File: c.File}}
	if err := c.solve(a, list, out); err != nil {
		return err
	}
	return out.finish(a.now().Sub(began))
}

// solved is a problem with what came of it.
type solved struct {
	*problem
	sol  exact.Verdict
	ok   bool
	cpu  time.Duration
	bad  []string // what the file says otherwise
	err  error
	done bool
}

// solve hands the problems to the threads and their solutions, in the order of the
// file, to out. When the run is to end, no new ones are begun.
func (c *solveCmd) solve(a *app, list []problem, out *solveOut) error {
	threads := min(c.Threads, len(list))
	next, results := make(chan *problem), make(chan solved)
	for range threads {
		go func() {
			byGame := map[string]*solver{}
			for p := range next {
				results <- c.one(byGame, p)
			}
		}()
	}
	waiting := map[int]solved{}
	sent, shown, running := 0, 0, 0
	var failed error
	drained := false
	for shown < len(list) && (!drained || running > 0) {
		feed := next
		var p *problem
		if sent < len(list) && !drained {
			p = &list[sent]
		} else {
			feed = nil
		}
		select {
		case feed <- p:
			sent++
			running++
		case s := <-results:
			running--
			waiting[s.index] = s
			for waiting[shown].done {
				if err := out.show(waiting[shown]); err != nil && failed == nil {
					failed = err
				}
				delete(waiting, shown)
				shown++
			}
		case <-drainOf(a, drained):
			drained = true
		case <-a.ctx.Done():
			return badVerdict("stopped after %s of %d", plain.Count(shown, "position"), len(list))
		}
	}
	close(next)
	if failed == nil && shown < len(list) {
		out.sum.Left = len(list) - shown
	}
	return failed
}

// drainOf is the signal to drain, until it was heard.
func drainOf(a *app, heard bool) <-chan struct{} {
	if heard {
		return nil
	}
	return a.drain
}

// one solves a problem on a thread of its own, whose processor time counts.
func (c *solveCmd) one(byGame map[string]*solver, p *problem) (s solved) {
	s = solved{problem: p, done: true}
	id := p.rules.Spec().ID()
	x := byGame[id]
	if x == nil {
		var err error
		if x, err = newSolver(id); err != nil {
			s.err = err
			return s
		}
		byGame[id] = x
	}
	stop := threadTime()
	s.sol, s.ok = x.solve(p.state, c.Nodes)
	s.cpu = stop()
	if !s.ok {
		return s
	}
	s.bad = p.compare(&s.sol)
	if c.Moves {
		s.bad = append(s.bad, p.compareMoves(x)...)
	}
	return s
}
