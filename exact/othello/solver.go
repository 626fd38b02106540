// Package othello finds the exact scores of Othello positions near the end.
package othello

import (
	bot "kibitz/bot/othello"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Most is the number of empty squares from which on a position is tried. Sixteen
// take about a million positions, each square more three times as many.
const Most = 18

const tableBytes = 8 << 20

// Solver decides positions.
type Solver struct {
	solver *bot.Solver
	// short leaves lines as they are remembered.
	short bool
}

// New returns a solver for the ends of games.
func New() (exact.Solver, error) { return open(tableBytes, false) }

// Whole returns a solver for positions with any number of empty squares: its table has
// the size of the built-in engine's, and its lines are what that remembers.
func Whole() (exact.Solver, error) { return open(0, true) }

func open(table int64, short bool) (exact.Solver, error) {
	s, err := bot.NewSolver(table)
	if err != nil {
		return nil, err
	}
	return &Solver{s, short}, nil
}

// Near reports whether few enough squares are empty.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*othello.State)
	if !ok {
		return false
	}
	b, _ := st.Board()
	return b.Empties() <= Most
}

// Solve finds the exact score.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*othello.State)
	if !ok || !st.Turn().Seat.IsPlayer() {
		return exact.Verdict{}, false
	}
	b, seat := st.Board()
	x.solver.Forget()
	var spent int64
	poll := func(n int64) bool { spent += n; return spent > budget }
	sol, ok := x.solver.Solve(b, poll)
	if !ok {
		return exact.Verdict{Nodes: spent}, false
	}
	v := exact.Verdict{Nodes: sol.Nodes, Why: plain.Count(b.Empties(), "empty square") + " searched to the end"}
	var discs [2]float64
	discs[seat] = float64(othello.Squares+sol.Score) / 2
	discs[seat.Other()] = othello.Squares - discs[seat]
	v.SetBoard(discs[0], discs[1], "discs")
	v.Line = sol.Line
	if !x.short {
		v.Line = x.line(b, sol, poll)
	}
	v.Nodes = spent
	return v, true
}

// line is the remembered line, and what follows it as far as the budget lasts.
func (x *Solver) line(b othello.Board, sol bot.Solution, poll func(int64) bool) []game.Move {
	line, score := sol.Line, sol.Score
	for _, m := range line {
		b, score = play(b, m), -score
	}
	for !b.Over() {
		m, ok := x.next(b, score, poll)
		if !ok {
			break
		}
		line = append(line, m)
		b, score = play(b, m), -score
	}
	return line
}

// next returns a move that keeps the score.
func (x *Solver) next(b othello.Board, score int, poll func(int64) bool) (game.Move, bool) {
	for _, m := range othello.NewState(b, game.First).Legal(nil) {
		sol, ok := x.solver.Solve(play(b, m), poll)
		if !ok {
			return m, false
		}
		if -sol.Score == score {
			return m, true
		}
	}
	return game.Move{}, false
}

// play returns the board after a legal move.
func play(b othello.Board, m game.Move) othello.Board {
	if m.Op == game.Pass {
		return b.Swap()
	}
	sq := m.To.Index(othello.Size)
	return b.Play(sq, b.Flips(sq))
}
