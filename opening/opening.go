// Package opening holds what games begin from: it checks openings against the
// rules, reads and writes lists of them, turns and mirrors them, finds those that
// are the same but for a symmetry, orders them by a seed, makes balanced ones by
// chance, and keeps a small suite for each game.
//
// Everything here is a function of its arguments: the same seed gives the same
// openings in the same order, whoever asks and however often.
package opening

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// Opening is where a game begins: a start position and decisions already made
// from it.
type Opening struct {
	// Name is what people call it; a list without names has numbers.
	Name string
	// Start is the position in the game's text form, empty for the initial one.
	Start string
	// Steps are the decisions, forced passes included.
	Steps []game.Move
}

// State returns the position that the opening leads to.
func (o *Opening) State(r rules.Rules) (rules.State, error) {
	s, err := rules.Start(r, o.Start)
	if err != nil {
		return nil, err
	}
	for i, m := range o.Steps {
		if _, err := s.Apply(m, nil); err != nil {
			return nil, fmt.Errorf("move %d, %s: %w", i+1, r.FormatMove(m), err)
		}
	}
	return s, nil
}

// From replays a record as an opening. Plies cuts it after that many decisions, 0
// takes all. Passes that the record leaves out are put in. What is not legal, or
// ends the game, is a *record.Error with the place in the file as far as the record
// knows it.
func From(g *record.Game, r rules.Rules, plies int) (Opening, error) {
	op := Opening{Name: name(g), Start: g.Start}
	s, err := rules.Start(r, g.Start)
	if err != nil {
		return op, record.Errorf(g.Line, 0, "%v", err)
	}
	steps := g.Steps
	if plies > 0 {
		steps = steps[:min(plies, len(steps))]
	}
	if len(steps) > 0 {
		op.Steps = make([]game.Move, 0, len(steps))
	}
	for i := range steps {
		step := &steps[i]
		if err := op.pass(s, step.Move); err != nil {
			return op, at(g, step, err)
		}
		if by := s.Turn().Seat; step.By != game.Nobody && step.By != by && by.IsPlayer() {
			return op, at(g, step, fmt.Errorf("opening, move %d, %s: it is %s's turn, not %s's", i+1, r.FormatMove(step.Move), by, step.By))
		}
		if _, err := s.Apply(step.Move, nil); err != nil {
			return op, at(g, step, fmt.Errorf("opening, move %d, %s: %w", i+1, r.FormatMove(step.Move), err))
		}
		op.Steps = append(op.Steps, step.Move)
	}
	if res, over := s.Result(); over {
		hint := ""
		if len(steps) > 1 {
			hint = "; plies=N takes its beginning only"
		}
		return op, record.Errorf(g.Line, 0, "the opening ends the game (%s)%s", res.Reason, hint)
	}
	return op, nil
}

// pass puts in the forced passes that stand before a decision.
func (o *Opening) pass(s rules.State, next game.Move) error {
	f, ok := s.(rules.Forcer)
	for ok && next.Op != game.Pass {
		m, must := f.Forced()
		if !must {
			return nil
		}
		if _, err := s.Apply(m, nil); err != nil {
			return err
		}
		o.Steps = append(o.Steps, m)
	}
	return nil
}

// at puts the place of a step into an error; a step that does not know its line
// has that of its game.
func at(g *record.Game, s *record.Step, err error) error {
	line, column := s.Line, s.Column
	if line == 0 {
		line, column = g.Line, 0
	}
	return record.Errorf(line, column, "%v", err)
}

// name is what a record calls its opening, or itself, or a comment that is short
// enough for a name: so do lists of move texts.
func name(g *record.Game) string {
	const most = 60
	if name, ok := g.Tag(TagName); ok {
		return name
	}
	if g.ID == "" && len(g.Comment) <= most && !strings.Contains(g.Comment, "\n") {
		return g.Comment
	}
	return g.ID
}

// TagName is the key under which record.Game.Tags hold the name of an opening.
const TagName = "opening"

// Number gives names to openings that have none: their places, from 1.
func Number(list []Opening) {
	for i := range list {
		list[i].Name = cmp.Or(list[i].Name, strconv.Itoa(i+1))
	}
}
