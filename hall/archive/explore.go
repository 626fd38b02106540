package archive

import (
	"context"
	"errors"

	"kibitz/game"
	"kibitz/hall/records"
	"kibitz/journal"
	"kibitz/opening/names"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/index"
	"kibitz/rules"
)

// Branches are the positions that the decisions of a position lead to. Of decisions that lead to
// images of one position there is the first alone; where chance comes next nothing is known.
func (h Archive) Branches(_ context.Context, spec game.Spec, position string, moves []string) (*records.Branches, error) {
	r, err := h.Open(string(spec))
	if err != nil {
		return nil, err
	}
	k := index.Keyer(r)
	out := &records.Branches{}
	var called map[int64]string
	if position == "" && len(moves) > 0 {
		called = openings(r, k)
	}
	s, err := played(r, position, moves, func(made int, s rules.State) {
		if len(called) == 0 || made > mostNamed {
			return
		}
		if name := called[index.Place(k, s).Key]; name != "" {
			out.Opening = name
		}
	})
	if err != nil {
		return nil, err
	}
	here := index.Place(k, s)
	out.Key = here.Key
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
		out.List = append(out.List, records.Branch{Key: key, Step: journal.FormatMove(m), Name: moveName(r, m)})
	}
	return out, nil
}

// mostNamed is how many decisions the longest opening with a name has.
const mostNamed = 20

// openings are what people call positions, by their keys, whatever way leads there.
func openings(r rules.Rules, k *gamebase.Keyer) map[int64]string {
	out := map[int64]string{}
	for line, name := range names.Of(r) {
		s, err := rules.Start(r, "")
		for _, text := range line {
			m, bad := r.ParseMove(text)
			if err = errors.Join(err, bad); err == nil {
				_, err = s.Apply(m, nil)
			}
		}
		if err == nil { // rules of how a game is opened may have other moves
			out[index.Place(k, s).Key] = name
		}
	}
	return out
}
