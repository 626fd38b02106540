package othello

import (
	"kibitz/bot/othello/internal/pattern"
	"kibitz/game"
	"kibitz/games/othello"
)

// Solver finds the exact scores of positions near the end. It keeps what it has
// found about one position for the next. It is used by one goroutine.
type Solver struct{ engine engine }

// NewSolver returns a solver whose table has about so many bytes, 64 MiB if 0.
func NewSolver(bytes int64) (*Solver, error) {
	w, err := loadWeights()
	if err != nil {
		return nil, err
	}
	return NewSolverBy(w, bytes), nil
}

// NewSolverBy returns a solver that orders moves by the weights. It finds the same
// scores by any weights, sooner by good ones.
func NewSolverBy(w *pattern.Weights, bytes int64) *Solver {
	if bytes <= 0 {
		bytes = tableBytes
	}
	s := new(Solver)
	s.engine.search.use(w)
	s.engine.search.tables.resize(bytes)
	return s
}

// Forget empties the table.
func (s *Solver) Forget() { s.engine.search.tables.clear() }

// Solution is an exact score.
type Solution struct {
	// Score is the final difference of discs for the side to move, empty squares
	// counted for the winner.
	Score int
	// Line is the best play as far as it is remembered, passes included; empty if
	// the game is over.
	Line []game.Move
	// Nodes is the number of positions searched.
	Nodes int64
}

// Solve returns the exact score of the position for the side to move. Poll is
// told of the positions searched every few thousand and may stop the solver, in
// which case the answer is false; nil never stops.
func (s *Solver) Solve(b othello.Board, poll func(n int64) bool) (Solution, bool) {
	var sol Solution
	e, sr := &s.engine, &s.engine.search
	sr.stopped, sr.nodes = false, 0
	sr.poll = func(n int64) bool {
		sol.Nodes += n
		return poll != nil && poll(n)
	}
	sr.tables.next()
	if b.Over() {
		sol.Score = b.Score()
		return sol, true
	}
	pass := !b.HasMoves()
	e.board = b
	if pass {
		e.board = b.Swap()
	}
	e.list()
	e.rankRoots()
	empties := b.Empties()
	for _, it := range passes(empties) {
		it.silent = true
		if !e.iterate(nil, &it, 1) {
			return sol, false
		}
	}
	sr.flush()
	sol.Score, sol.Line = e.roots[0].value/disc, e.line(&e.roots[0], empties)
	if pass {
		sol.Score = -sol.Score
		sol.Line = append([]game.Move{game.PassMove()}, sol.Line...)
	}
	return sol, !sr.stopped
}

// passes are the iterations that solve a position with so many empty squares: some
// by the evaluation, a selective one for a guess that is nearly always the score,
// and the exact one, which then only has to prove it.
func passes(empties int) []iteration {
	var list []iteration
	for depth := 2; depth <= empties-11; depth++ {
		list = append(list, iteration{depth: depth})
	}
	if empties > uncertain {
		list = append(list, iteration{depth: empties, selective: true})
	}
	return append(list, iteration{depth: empties, bound: game.Exact})
}
