package archive

import (
	"context"

	"kibitz/game"
	"kibitz/hall/records"
	"kibitz/journal"
	"kibitz/record/gamebase/index"
)

// Branches are the positions that the decisions of a position lead to. Of decisions that lead to
// images of one position there is the first alone; where chance comes next nothing is known.
func (h Archive) Branches(_ context.Context, spec game.Spec, position string, moves []string) (*records.Branches, error) {
	r, s, err := h.played(spec, position, moves)
	if err != nil {
		return nil, err
	}
	k := index.Keyer(r)
	here := index.Place(k, s)
	out := &records.Branches{Key: here.Key}
	seen := map[int64]bool{}
	for _, m := range s.Legal(nil) {
		if list := here.Moves(here.Canon(m)); len(list) > 0 && m != list[0] {
			continue // an image of it stands for both
		}
		next := s.Clone()
		if _, err := next.Apply(m, nil); err != nil || next.Turn().Seat == game.Dealer {
			continue
		}
		key := index.Place(k, next).Key
		if seen[key] {
			continue
		}
		seen[key] = true
		out.List = append(out.List, records.Branch{Key: key, Step: journal.FormatMove(m), Name: r.FormatMove(m)})
	}
	return out, nil
}
