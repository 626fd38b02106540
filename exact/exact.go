// Package exact decides positions for certain: what it says of a position is the
// result of the game if both sides play their best from there, or it says nothing.
//
// A Verdict is the end of a complete proof. A search that does not come to its end
// within its budget proves nothing and gives no verdict; a budget is a number of
// positions, never a time, so that the same position is decided the same way on
// every machine. What is proved is the rules of the game: clocks, a limit of moves
// that a run sets, and the strength of the players are not part of it.
//
// Search is the solver for any game of perfect information. The packages below
// this one know more of single games.
package exact

import (
	"sync"

	"kibitz/game"
	"kibitz/rules"
)

// Verdict is what is certain of a position.
type Verdict struct {
	// Points are those of the result, as in game.Result.
	Points [2]float64
	// Board is the final score on the board under best play, if HasBoard: discs,
	// boxes, in the game's own unit. A result can be certain where the score is not.
	Board    [2]float64
	HasBoard bool
	// Unit is what Board counts, in the plural: "discs".
	Unit string
	// Why says in a few words what the proof is: "8 empty squares searched to the
	// end".
	Why string
	// Line is a line of best play from the position, passes included: to the end of
	// the game, or the beginning of it where the proof does not need the rest.
	Line []game.Move
	// Nodes is how many positions were looked at.
	Nodes int64
}

// Winner returns the seat that wins, Nobody for a draw.
func (v *Verdict) Winner() game.Seat { return game.Result{Points: v.Points}.Winner() }

// Won returns the verdict that a seat wins.
func Won(s game.Seat, why string) Verdict {
	v := Verdict{Why: why}
	v.Points[s] = 1
	return v
}

// Drawn returns the verdict that nobody wins.
func Drawn(why string) Verdict { return Verdict{Points: [2]float64{0.5, 0.5}, Why: why} }

// SetBoard completes a verdict with the scores of the board, which decide.
func (v *Verdict) SetBoard(first, second float64, unit string) {
	v.Board, v.HasBoard, v.Unit = [2]float64{first, second}, true, unit
	switch {
	case first > second:
		v.Points = [2]float64{1, 0}
	case second > first:
		v.Points = [2]float64{0, 1}
	default:
		v.Points = [2]float64{0.5, 0.5}
	}
}

// Solver decides positions of one set of rules. It keeps room from one position to
// the next but no knowledge, so that its answers do not depend on what it was asked
// before. It is used by one goroutine; see Share.
type Solver interface {
	// Near reports whether it is worth while to ask Solve: a cheap test, made after
	// every turn of a game.
	Near(s rules.State) bool
	// Solve decides the position within so many positions searched; the budget may
	// be passed by a few thousand. If ok is false nothing is known, and of the
	// verdict Nodes alone means something. The state is not changed.
	Solve(s rules.State, budget int64) (v Verdict, ok bool)
}

// Shared is a solver for any number of goroutines.
type Shared struct {
	open  func() (Solver, error)
	first Solver
	mu    sync.Mutex
	idle  []Solver
}

// Share returns a solver that makes as many as are needed at a time. It fails if
// the first cannot be made; if a later one cannot, its question stays open.
func Share(open func() (Solver, error)) (*Shared, error) {
	one, err := open()
	if err != nil {
		return nil, err
	}
	return &Shared{open: open, first: one, idle: []Solver{one}}, nil
}

// Near asks the first solver: that test changes nothing.
func (h *Shared) Near(s rules.State) bool { return h.first.Near(s) }

// Solve lets a solver that is free decide the position.
func (h *Shared) Solve(s rules.State, budget int64) (Verdict, bool) {
	one, err := h.take()
	if err != nil {
		return Verdict{}, false
	}
	v, ok := one.Solve(s, budget)
	h.mu.Lock()
	h.idle = append(h.idle, one)
	h.mu.Unlock()
	return v, ok
}

func (h *Shared) take() (Solver, error) {
	h.mu.Lock()
	if n := len(h.idle); n > 0 {
		one := h.idle[n-1]
		h.idle = h.idle[:n-1]
		h.mu.Unlock()
		return one, nil
	}
	h.mu.Unlock()
	return h.open()
}
