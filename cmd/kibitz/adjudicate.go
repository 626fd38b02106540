package main

import (
	"fmt"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/match"
	"kibitz/rules"
	"kibitz/run"
)

// exactRule is the rule for games by some rules. It refuses games in which nothing can be
// known.
func exactRule(x *run.Exact, r rules.Rules) (match.ExactRule, error) {
	solver, err := exactSolver(r)
	return match.ExactRule{Nodes: x.Nodes, FromMove: x.Move, Solver: solver}, err
}

// exactSolver returns what knows the ends of a game, for any number of games at a
// time.
func exactSolver(r rules.Rules) (exact.Solver, error) {
	cell := catalog.Of(r).Exact
	solver, ok := cell.Get()
	if !ok {
		return nil, &run.Error{
			Path: "/adjudicate", Got: "exact",
			Want: fmt.Sprintf("nothing is certain in %s: %s; --draw, --resign and --max-moves adjudicate without", r.Spec().ID(), cell.Why()),
		}
	}
	return exact.Share(solver.New)
}
