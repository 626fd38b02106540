package replay

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// Len returns how many decisions the line has; positions are numbered from 0 to
// Len.
func (l *Line) Len() int { return len(l.Steps) }

// Known returns the numbers of the positions that an audience can tell apart: the
// first, and those after each decision of which it was told anything. How often the
// other seat failed with a hidden attempt is not to be counted in them. Where
// nothing is hidden from an audience these are all positions.
func (l *Line) Known(a game.Audience) []int {
	all := a == game.Arbiter || l.Rules.Doc().Info != rules.Private
	list := []int{0}
	for i, told := range l.Notices {
		if all || slices.ContainsFunc(told, func(n game.Notice) bool { return n.To.Includes(a) }) {
			list = append(list, i+1)
		}
	}
	return list
}

// State returns the position after n decisions as a copy of its own.
func (l *Line) State(n int) (rules.State, error) {
	if n < 0 || n > len(l.Steps) {
		return nil, fmt.Errorf("position %d does not exist: the game has 0 to %d", n, len(l.Steps))
	}
	k := min(n/snapshot, len(l.kept)-1)
	s := l.kept[k].Clone()
	for _, step := range l.Steps[k*snapshot : n] {
		if _, err := s.Apply(step.Move, nil); err != nil {
			return nil, fmt.Errorf("position %d: %w", n, err)
		}
	}
	return s, nil
}

// View returns the position after n decisions as an audience may see it, with the
// points of the last decision that it saw.
func (l *Line) View(n int, a game.Audience) (game.View, error) {
	s, err := l.State(n)
	if err != nil {
		return game.View{}, err
	}
	v := s.View(a)
	if n == len(l.Steps) && v.Result == nil {
		v.Result = l.Verdict.Final()
	}
	return v, nil
}

// Legal returns what the seat on turn may decide after n decisions.
func (l *Line) Legal(n int) ([]game.Move, error) {
	s, err := l.State(n)
	if err != nil {
		return nil, err
	}
	return s.Legal(nil), nil
}

// Record returns the record as the rules complete it: the canonical
// specification, the steps of the line with seats and passes, the final result.
// What it holds beside that is the original's.
func (l *Line) Record() *record.Game {
	g := *l.rec
	g.Spec = l.Rules.Spec()
	g.Steps = slices.Clone(l.Steps)
	g.Result = l.Verdict.Final()
	g.Warnings = slices.Clone(l.Warnings)
	return &g
}
