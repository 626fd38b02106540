package archive

import (
	"context"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/hall/records"
	"kibitz/journal"
	"kibitz/rules"
)

// solveNodes is how many positions are searched for one question of a page, with all that it
// leads to.
const solveNodes = 400_000

var (
	errNoSolver = errors.New("this hall decides no positions")
	errOver     = errors.New("the game is over")
)

// Solve decides a position, and tells whether one decision alone holds what it is worth to who is on
// turn. A search that finds nothing within its bound says nothing.
func (h Archive) Solve(ctx context.Context, spec game.Spec, position string) (*records.Solved, error) {
	if h.Solvers == nil {
		return nil, errNoSolver
	}
	r, err := h.openSpec(spec)
	if err != nil {
		return nil, err
	}
	s, err := rules.Start(r, position)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	seat := s.Turn().Seat
	if !seat.IsPlayer() {
		return nil, errOver
	}
	solver, err := h.Solvers(r.Spec().ID())
	if err != nil {
		return nil, err
	}
	left := int64(solveNodes)
	winner := func(s rules.State) (game.Seat, []game.Move, bool) {
		if res, over := s.Result(); over {
			return res.Winner(), nil, true
		}
		if left <= 0 || ctx.Err() != nil {
			return 0, nil, false
		}
		v, ok := solver.Solve(s, left)
		left -= v.Nodes
		return v.Winner(), v.Line, ok
	}
	out := &records.Solved{}
	best, line, ok := winner(s)
	if !ok {
		return out, nil
	}
	out.Decided, out.Winner = true, best
	// A proof need not have a line, nor a line but the best move.
	var kept []game.Move
	sure := best != seat.Other()
	for _, m := range s.Legal(nil) {
		if !sure || len(kept) > 1 {
			break
		}
		w := best
		if len(line) == 0 || m != line[0] {
			next := s.Clone()
			if _, err := next.Apply(m, nil); err != nil {
				return nil, err
			}
			w, _, sure = winner(next)
		}
		if sure && w == best {
			kept = append(kept, m)
		}
	}
	if out.Only = sure && len(kept) == 1; out.Only && len(line) == 0 {
		line = kept
	}
	for _, m := range line {
		out.Line = append(out.Line, journal.FormatMove(m))
	}
	return out, nil
}
