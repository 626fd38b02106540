package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kibitz/bot/othello"
	"kibitz/exact"
	"kibitz/exact/amazons"
	"kibitz/exact/connect6"
	"kibitz/exact/darkchess"
	"kibitz/exact/dotsandboxes"
	"kibitz/exact/gomoku"
	"kibitz/exact/nogo"
	"kibitz/exact/surakarta"
	"kibitz/game"
	rule "kibitz/games/othello"
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

// solution is what is certain of a position.
type solution struct {
	// score is the final score for the seat on turn less that of the other, if
	// scored; winner is certain in any case.
	score  float64
	scored bool
	winner game.Seat
	line   []game.Move
	nodes  int64
	why    string
}

// prover solves positions of one game; one goroutine uses it.
type prover func(s rules.State, most int64) (solution, bool)

// provers are the solvers by game: adding one is a line here.
func provers() map[string]func() (prover, error) {
	return map[string]func() (prover, error){
		"amazons":      proverOf(amazons.New, enough),
		"connect6":     proverOf(connect6.New, enough),
		"darkchess":    proverOf(darkchess.New, enough),
		"dotsandboxes": proverOf(dotsandboxes.New, freely),
		"gomoku":       proverOf(gomoku.New, enough),
		"nogo":         proverOf(nogo.New, enough),
		"othello":      othelloProver,
		"surakarta":    proverOf(surakarta.New, enough),
	}
}

// Budgets where --nodes names none: one that nothing reaches, and one for solvers
// that remember every position they meet.
const (
	freely = 1 << 60
	enough = 20_000_000
)

func proverOf(open func() (exact.Solver, error), usual int64) func() (prover, error) {
	return func() (prover, error) {
		x, err := open()
		if err != nil {
			return nil, err
		}
		return func(s rules.State, most int64) (solution, bool) {
			if most <= 0 {
				most = usual
			}
			v, ok := x.Solve(s, most)
			sol := solution{winner: v.Winner(), line: v.Line, nodes: v.Nodes, why: v.Why}
			if seat := s.Turn().Seat; v.HasBoard && seat.IsPlayer() {
				sol.score, sol.scored = v.Board[seat]-v.Board[seat.Other()], true
			}
			return sol, ok
		}, nil
	}
}

// othelloProver uses the solver of the built-in engine itself, with a table of its
// full size and no line beyond what it remembers.
func othelloProver() (prover, error) {
	x, err := othello.NewSolver(0)
	if err != nil {
		return nil, err
	}
	return func(s rules.State, most int64) (solution, bool) {
		st, ok := s.(*rule.State)
		if !ok {
			return solution{}, false
		}
		x.Forget() // what a position costs must not depend on those before it
		b, seat := st.Board()
		var spent int64
		got, ok := x.Solve(b, func(n int64) bool { spent += n; return most > 0 && spent > most })
		if !ok {
			return solution{nodes: spent}, false
		}
		sol := solution{score: float64(got.Score), scored: true, winner: game.Nobody, line: got.Line, nodes: got.Nodes}
		switch {
		case got.Score > 0:
			sol.winner = seat
		case got.Score < 0:
			sol.winner = seat.Other()
		}
		return sol, true
	}, nil
}

// proverFor finds the solver of a game.
func proverFor(id string) (func() (prover, error), error) {
	if open, ok := provers()[id]; ok {
		return open, nil
	}
	return nil, fmt.Errorf("cannot solve %s exactly: games that can be solved are %s", id, strings.Join(slices.Sorted(maps.Keys(provers())), " "))
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
		if _, err := proverFor(list[i].rules.Spec().ID()); err != nil {
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
	sol  solution
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
			byGame := map[string]prover{}
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
			return badVerdict("stopped after %s of %d", count(shown, "position"), len(list))
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
func (c *solveCmd) one(byGame map[string]prover, p *problem) (s solved) {
	s = solved{problem: p, done: true}
	id := p.rules.Spec().ID()
	x := byGame[id]
	if x == nil {
		open, err := proverFor(id)
		if err == nil {
			x, err = open()
		}
		if err != nil {
			s.err = err
			return s
		}
		byGame[id] = x
	}
	stop := threadTime()
	s.sol, s.ok = x(p.state, c.Nodes)
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
