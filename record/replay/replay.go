// Package replay plays records against the rules: it finds who decided what,
// inserts the passes that a format leaves out, judges the result and shows every
// position to any audience.
package replay

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// snapshot is how many decisions lie between two kept positions.
const snapshot = 8

// Line is a game as the rules see it: the positions from the start up to the end
// of the record or its first illegal decision.
type Line struct {
	Rules rules.Rules
	// Steps are the decisions that were played, with the seats that made them
	// and the passes that the record left out (Forced); Refused tells of each
	// whether the rules let it stand.
	Steps []record.Step
	// Notices are what each step told whom.
	Notices [][]game.Notice
	// Warnings are what was put right or passed over.
	Warnings []string
	// Illegal says which decision the rules refuse, nil if there is none. It
	// names the place in the file if the record knows it.
	Illegal *record.Error
	// IllegalAt is its place among the steps of the record, from 0.
	IllegalAt int
	Verdict   Verdict

	rec   *record.Game
	ended []bool        // of each step, whether it completed a turn
	kept  []rules.State // positions after 0, snapshot, 2*snapshot... decisions
	state rules.State
	legal []game.Move   // room for lists
	told  []game.Notice // those of all steps behind each other
}

// Verdict compares the result that the record tells with that of the board.
type Verdict struct {
	// Board is the result on the board, nil if the game is not over there.
	Board *game.Result
	// Stored is the result that the record tells, nil if it tells none.
	Stored *game.Result
	// Issues are the contradictions between the two, one sentence each.
	Issues []string
}

// Final returns the result that counts: what the record tells, with the reason and
// the score of the board where the record does not say them; the board's if the
// record is silent; nil if nothing is known.
func (v *Verdict) Final() *game.Result {
	switch {
	case v.Stored == nil:
		return v.Board
	case v.Board == nil || v.Stored.Reason != "" && v.Stored.HasBoard:
		return v.Stored
	}
	r := *v.Stored
	r.Reason = cmp.Or(r.Reason, v.Board.Reason)
	if !r.HasBoard && v.Board.HasBoard && r.Points == v.Board.Points {
		r.Board, r.HasBoard = v.Board.Board, true
	}
	return &r
}

// Play plays a record. The error tells that there is nothing to play: no rules for
// the game, a start position that they do not read. An illegal decision is no such
// error; the line then ends before it and says why.
func Play(g *record.Game, open func(game.Spec) (rules.Rules, error)) (*Line, error) {
	return PlayWithin(context.Background(), g, open)
}

// PlayWithin is Play, given up with the error of ctx when that ends.
func PlayWithin(ctx context.Context, g *record.Game, open func(game.Spec) (rules.Rules, error)) (*Line, error) {
	r, err := open(g.Spec)
	if err != nil {
		return nil, record.Errorf(g.Line, 0, "%v", err)
	}
	s, err := rules.Start(r, g.Start)
	if err != nil {
		return nil, record.Errorf(g.Line, 0, "start position: %v", err)
	}
	l := &Line{Rules: r, rec: g, state: s}
	l.Warnings = append(l.Warnings, g.Warnings...)
	n := len(g.Steps)
	l.Steps, l.Notices, l.ended = make([]record.Step, 0, n), make([][]game.Notice, 0, n), make([]bool, 0, n)
	l.told = make([]game.Notice, 0, n)
	l.kept = append(make([]rules.State, 0, 1+n/snapshot), s.Clone())
	for i := range g.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !l.step(i) {
			break
		}
	}
	l.legal = nil
	l.judge()
	return l, nil
}

func (l *Line) warn(s *record.Step, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s != nil && s.Line > 0 {
		text = fmt.Sprintf("line %d: %s", s.Line, text)
	}
	l.Warnings = append(l.Warnings, text)
}

// step plays the record's step number i and reports whether to go on.
func (l *Line) step(i int) bool {
	s := l.rec.Steps[i]
	if _, over := l.state.Result(); over {
		if n := len(l.rec.Steps) - i; s.Move.Op != game.Pass || n > 2 {
			l.warn(&s, "%d decisions after the end of the game are passed over, from %s on", n, l.Rules.FormatMove(s.Move))
		}
		return false
	}
	l.pass(&s)
	turn := l.state.Turn()
	if s.By != game.Nobody && s.By != turn.Seat {
		return l.refuse(i, &s, fmt.Errorf("it is %s's turn, not %s's", turn.Seat, s.By))
	}
	if turn.Seat == game.Dealer && s.Move.Op != game.Deal {
		return l.refuse(i, &s, fmt.Errorf("what was dealt is missing before it"))
	}
	s.By = turn.Seat
	if len(s.Variations) > 0 {
		s.Variations = l.variations(&s)
	}
	if err := l.apply(s); err != nil {
		return l.refuse(i, &s, err)
	}
	return true
}

// pass inserts the forced pass that stands before a step.
func (l *Line) pass(s *record.Step) {
	for s.Move.Op != game.Pass {
		l.legal = l.state.Legal(l.legal[:0])
		legal := l.legal
		if len(legal) != 1 || legal[0].Op != game.Pass {
			return
		}
		by := l.state.Turn().Seat
		if err := l.apply(record.Step{By: by, Move: legal[0], Forced: true, Line: s.Line, Column: s.Column}); err != nil {
			return // it was listed as legal: the step itself will show what is wrong
		}
	}
}

func (l *Line) apply(s record.Step) error {
	before := len(l.told)
	all, err := l.state.Apply(s.Move, l.told)
	if err != nil {
		return err
	}
	l.told = all
	n := all[before:len(all):len(all)]
	told := s.Refused
	s.Refused = refused(n)
	switch {
	case told && !s.Refused:
		l.warn(&s, "the record says that %s was refused; by the rules it stands", l.Rules.FormatMove(s.Move))
	case s.Refused && !told:
		l.warn(&s, "%s is refused by the rules and taken as an attempt", l.Rules.FormatMove(s.Move))
	}
	l.Steps = append(l.Steps, s)
	l.Notices = append(l.Notices, n)
	l.ended = append(l.ended, !s.Refused && TurnEnds(l.state))
	if len(l.Steps)%snapshot == 0 {
		l.kept = append(l.kept, l.state.Clone())
	}
	return nil
}

// refused reports whether a decision was an attempt that did not stand.
func refused(notices []game.Notice) bool {
	return slices.ContainsFunc(notices, func(n game.Notice) bool { return n.Kind == game.Refused })
}

func (l *Line) refuse(i int, s *record.Step, err error) bool {
	l.IllegalAt = i
	l.Illegal = record.Errorf(s.Line, s.Column, "decision %d, %s: %v", i+1, l.Rules.FormatMove(s.Move), err)
	return false
}

// variations keeps the other continuations that the rules allow, each as far as
// they do.
func (l *Line) variations(s *record.Step) [][]record.Step {
	var out [][]record.Step
	for _, v := range s.Variations {
		side := &Line{Rules: l.Rules, rec: &record.Game{Steps: v}, state: l.state.Clone()}
		for i := range v {
			if !side.step(i) {
				break
			}
		}
		l.Warnings = append(l.Warnings, side.Warnings...)
		if side.Illegal != nil {
			l.Warnings = append(l.Warnings, "variation cut short: "+side.Illegal.Error())
		}
		if len(side.Steps) > 0 {
			out = append(out, side.Steps)
		}
	}
	return out
}

func (l *Line) judge() {
	v := &l.Verdict
	v.Stored = l.rec.Result
	if r, over := l.state.Result(); over {
		v.Board = &r
	}
	if v.Stored == nil || l.Illegal != nil {
		return
	}
	issue := func(format string, args ...any) { v.Issues = append(v.Issues, fmt.Sprintf(format, args...)) }
	if v.Board == nil {
		if l.ownCode(v.Stored.Reason) {
			issue("the record says %s, but the game is not over on the board", l.describe(v.Stored))
		} else if v.Stored.Reason == "" {
			l.warn(nil, "the record breaks off before the end of the game; its result %s is taken as it is", l.describe(v.Stored))
		}
		return
	}
	b, s := v.Board, v.Stored
	switch {
	case s.Reason != "" && !l.ownCode(s.Reason):
		// Given up or forfeited at the very end: the record knows better.
		return
	case s.Winner() != b.Winner() || s.Draw() != b.Draw():
		issue("the record says %s, the board %s", l.describe(s), l.describe(b))
	case s.HasBoard && b.HasBoard && !same(s.Board, b.Board):
		issue("the record says %g-%g, the board %g-%g", s.Board[0], s.Board[1], b.Board[0], b.Board[1])
	case s.Reason != "" && s.Reason != b.Reason:
		issue("the record says %s, the board %s", s.Reason, b.Reason)
	}
}

func same(a, b [2]float64) bool {
	return math.Abs(a[0]-b[0]) < 1e-6 && math.Abs(a[1]-b[1]) < 1e-6
}

func (l *Line) ownCode(why game.Reason) bool {
	return slices.ContainsFunc(l.Rules.Doc().Reasons, func(c rules.Code) bool { return c.Word == string(why) })
}

// describe names a result in a few words.
func (l *Line) describe(r *game.Result) string {
	text := "no winner"
	switch {
	case r.Winner() != game.Nobody:
		text = r.Winner().String() + " wins"
	case r.Draw():
		text = "a draw"
	}
	if r.HasBoard {
		text += fmt.Sprintf(" %g-%g", r.Board[0], r.Board[1])
	}
	if r.Reason != "" {
		text += " (" + string(r.Reason) + ")"
	}
	return text
}
