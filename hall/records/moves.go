package records

import (
	"context"

	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Moves returns a game that is over and that the caller may see, the text of the position that it
// begins from, and its decisions in the journal's form.
func (gs *Games) Moves(ctx context.Context, id string) (g store.Game, start string, moves []string, err error) {
	if gs.cfg.Replays == nil {
		return g, "", nil, problem.ErrAbsent
	}
	g, record, err := gs.Finished(ctx, id)
	if err != nil {
		return g, "", nil, err
	}
	re, err := gs.cfg.Replays.Replay(ctx, record)
	if err != nil {
		return g, "", nil, ErrUnreadable
	}
	for i := range re.Steps {
		moves = append(moves, re.Steps[i].Text)
	}
	return g, re.Start, moves, nil
}
