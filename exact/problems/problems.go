// Package problems reads positions with what a file says of them, solves them exactly, and
// prints solutions that agree or do not.
package problems

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"kibitz/exact"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Solving says how problems are solved.
type Solving struct {
	// Solver makes a solver of a game, and says how many positions it searches if nobody
	// says: 0 is as many as it takes.
	Solver func(id string) (x exact.Solver, nodes int64, err error)
	// Nodes bounds the positions searched for a problem; 0 is what the solver says.
	Nodes int64
	// Threads is how many problems are solved at a time.
	Threads int
	// Moves solves also what each scored move of the file leads to.
	Moves bool
	// ThreadTime begins to measure the processor time of the goroutine, and returns what
	// ends it.
	ThreadTime func() func() time.Duration
}

// anyNodes is a budget that nothing reaches.
const anyNodes = 1 << 60

// solver finds exact results in one game; one goroutine uses it.
type solver struct {
	exact.Solver
	usual int64
}

// solve searches so many positions at most, or what is usual in the game.
func (x *solver) solve(s rules.State, most int64) (exact.Verdict, bool) {
	return x.Solve(s, cmp.Or(most, x.usual, anyNodes))
}

// scoreOf is the final score for a seat less that of the other, if the proof has one.
func scoreOf(v *exact.Verdict, seat game.Seat) (score float64, scored bool) {
	if !v.HasBoard || !seat.IsPlayer() {
		return 0, false
	}
	return v.Board[seat] - v.Board[seat.Other()], true
}

// Solved is a problem with what came of it.
type Solved struct {
	*Problem
	sol exact.Verdict
	ok  bool
	cpu time.Duration
	bad []string // what the file says otherwise
	err error
}

// Stopped is the error of work that was ended before it was done.
type Stopped struct{ Done, Of int }

func (e *Stopped) Error() string {
	return fmt.Sprintf("stopped after %s of %d", plain.Count(e.Done, "position"), e.Of)
}

// Run hands the problems to the threads and their solutions, in the order of the file, to
// show. Once drain is closed no new ones are begun; left is how many that were.
func (c *Solving) Run(ctx context.Context, drain <-chan struct{}, list []Problem, show func(*Solved) error) (left int, err error) {
	next, results := make(chan *Problem), make(chan *Solved)
	defer close(next)
	for range min(c.Threads, len(list)) {
		go func() {
			byGame := map[string]*solver{}
			for p := range next {
				select {
				case results <- c.one(byGame, p):
				case <-ctx.Done():
				}
			}
		}()
	}
	waiting := map[int]*Solved{}
	sent, shown, running, drained := 0, 0, 0, false
	for shown < len(list) && (!drained || running > 0) {
		feed := next
		var p *Problem
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
			for waiting[s.index] = s; waiting[shown] != nil; shown++ {
				if bad := cmp.Or(waiting[shown].err, show(waiting[shown])); bad != nil && err == nil {
					err = bad
				}
				delete(waiting, shown)
			}
		case <-drain:
			drained, drain = true, nil
		case <-ctx.Done():
			return 0, &Stopped{shown, len(list)}
		}
	}
	return len(list) - shown, err
}

// one solves a problem on a thread of its own, whose processor time counts.
func (c *Solving) one(byGame map[string]*solver, p *Problem) *Solved {
	s := &Solved{Problem: p}
	id := p.rules.Spec().ID()
	x := byGame[id]
	if x == nil {
		x = &solver{}
		if x.Solver, x.usual, s.err = c.Solver(id); s.err != nil {
			return s
		}
		byGame[id] = x
	}
	stop := c.ThreadTime()
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
