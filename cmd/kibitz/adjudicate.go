package main

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/match"
	"kibitz/rules"
)

// exactNodes is how many positions --adjudicate exact searches for one attempt
// unless it is told otherwise, and exactMost how many it can be told.
const (
	exactNodes = 300_000
	exactMost  = 10_000_000
)

// exactRule reads the text of --adjudicate, "exact" with nodes=N and move=N, for the
// rules of a run. It refuses games in which nothing can be known.
func exactRule(text string, r rules.Rules) (match.ExactRule, error) {
	rule := match.ExactRule{Nodes: exactNodes}
	words := strings.Fields(text)
	if len(words) == 0 || words[0] != "exact" {
		return rule, fmt.Errorf("--adjudicate %q: write exact, if need be with the positions to search and the first move: \"exact nodes=%d move=20\"", text, exactNodes)
	}
	seen := map[string]bool{}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case key != "nodes" && key != "move":
			return rule, fmt.Errorf("--adjudicate: unknown word %q: after exact come nodes=N and move=N", w)
		case err != nil || n < 1 || n > exactMost:
			return rule, fmt.Errorf("--adjudicate: %q is not a whole number from 1 to %d", w, exactMost)
		case seen[key]:
			return rule, fmt.Errorf("--adjudicate: %s is given twice", key)
		case key == "nodes":
			rule.Nodes = n
		default:
			rule.FromMove = int(n)
		}
		seen[key] = true
	}
	solver, err := exactSolver(r)
	rule.Solver = solver
	return rule, err
}

// exactSolver returns what knows the ends of a game, for any number of games at a
// time.
func exactSolver(r rules.Rules) (exact.Solver, error) {
	cell := catalog.Of(r).Exact
	solver, ok := cell.Get()
	if !ok {
		return nil, fmt.Errorf("--adjudicate exact: nothing is certain in %s: %s; --draw, --resign and --max-moves adjudicate without", r.Spec().ID(), cell.Why())
	}
	return exact.Share(solver.New)
}
