package archive_test

import (
	"slices"
	"testing"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
)

// TestSolve: of a position it is said who wins, and whether one decision alone does it.
func TestSolve(t *testing.T) {
	h := archive.Archive{Open: games.Open, Solvers: func(id string) (exact.Solver, error) {
		how, err := catalog.SolverOf(id)
		if err != nil {
			return nil, err
		}
		return how.New()
	}}
	for _, c := range []struct {
		name, position string
		spec           game.Spec
		decided, only  bool
		winner         game.Seat
		line           []string
	}{
		{name: "the beginning of Othello", spec: "othello"},
		{"one step to the edge, before the other is there", "p7/P7/8/8/8/8/7p/8 w", "breakthrough", true, true, game.First, []string{"s0,1>1,0"}},
		{"two ways to the edge", "8/PP6/8/8/8/8/7p/8 w", "breakthrough", true, false, game.First, nil},
		{"too late", "8/8/P7/8/8/8/6pp/8 w", "breakthrough", true, false, game.Second, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := h.Solve(t.Context(), c.spec, c.position)
			if err != nil {
				t.Fatal(err)
			}
			if x.Decided != c.decided || x.Only != c.only || c.decided && x.Winner != c.winner || len(c.line) > 0 && !slices.Equal(x.Line[:1], c.line) {
				t.Errorf("%+v", x)
			}
		})
	}
}
