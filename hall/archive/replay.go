package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/records"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
)

var (
	_ records.Replays    = Archive{}
	_ records.LineReader = Archive{}
)

// Replay shows a finished game, decision by decision, as all who know it whole see it.
func (h Archive) Replay(_ context.Context, data []byte) (*records.Replayed, error) {
	g, l, err := h.line(data)
	if err != nil {
		return nil, err
	}
	out := &records.Replayed{Clocks: g.Clocks, Final: final(g), Start: g.Start}
	for s, name := range g.Engines {
		out.Engines[s] = game.Shown(name, mostName)
	}
	for n := range l.Len() + 1 {
		v, err := l.View(n, game.Arbiter)
		if err != nil {
			return nil, err
		}
		out.Views = append(out.Views, &v)
	}
	for i := range l.Steps {
		out.Steps = append(out.Steps, shownStep(l.Rules, &l.Steps[i], l.Ended(i+1)))
	}
	return out, nil
}

// final is how the clocks stood at the end; that of a seat without one says nothing.
func final(g *record.Game) *[2]journal.Clock {
	if g.Final == [2]*record.Clock{} {
		return nil
	}
	var out [2]journal.Clock
	for s, k := range g.Final {
		if k != nil {
			out[s] = journal.Clock{Left: k.Left, Total: k.Total, Moves: k.Moves, Periods: k.Periods, Stage: clock.Stage(k.Stage)}
		}
	}
	return &out
}

// mostName is how much is shown of what an engine called itself.
const mostName = 60

func shownStep(r rules.Rules, s *record.Step, ended bool) records.Step {
	return records.Step{
		By: s.By, Text: journal.FormatMove(s.Move), Name: moveName(r, s.Move), Used: s.Used, Error: s.Error, Forced: s.Forced,
		Opening: s.Opening, Refused: s.Refused, Ended: ended, Info: s.Info, Comment: s.Comment,
	}
}

// moveName is what pages call a decision, on boards and beside them: as its game writes it, but for a dash
// between two points in every game.
func moveName(r rules.Rules, m game.Move) string {
	if m.Op != game.Shift {
		return r.FormatMove(m)
	}
	v := r.New().View(game.Public)
	return (&wire.View{Columns: v.Columns, Rows: v.Rows}).MoveName(m)
}

// maxCells bounds the boards of one answer about an analysis board.
const maxCells = 400_000

// Line plays decisions on an analysis board. Where facts are hidden in play, only what
// would stand is offered: on such a board everything is known.
func (h Archive) Line(_ context.Context, spec game.Spec, position string, moves []string, from int) (*records.Line, error) {
	r, err := h.Open(string(spec))
	if err != nil {
		return nil, err
	}
	if d := r.Doc(); (len(moves)-from+1)*d.Width*d.Height > maxCells {
		return nil, errors.New("that are more boards than one answer holds: ask for the last ones alone")
	}
	s, err := rules.Start(r, position)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	out := &records.Line{Spec: r.Spec()}
	show := func() {
		v := s.View(game.Arbiter)
		out.Views = append(out.Views, &v)
	}
	if from == 0 {
		show()
	}
	var told []game.Notice
	for i, text := range moves {
		step := record.Step{By: s.Turn().Seat}
		if step.Move, err = readDecision(r, s, text); err == nil {
			told, err = s.Apply(step.Move, told[:0])
		}
		if err != nil {
			return nil, fmt.Errorf("decision %d, %s: %w", i+1, game.Shown(text, 40), err)
		}
		step.Refused = slices.ContainsFunc(told, func(n game.Notice) bool { return n.Kind == game.Refused })
		if i >= from {
			out.Steps = append(out.Steps, shownStep(r, &step, !step.Refused && replay.TurnEnds(s)))
		}
		if i+1 >= from {
			show()
		}
	}
	if res, over := s.Result(); over {
		out.Result = &res
		return out, nil
	}
	out.Legal, out.Deals = continuations(s)
	return out, nil
}

// continuations are what may be decided in a position by whoever knows all of it.
func continuations(s rules.State) (legal []string, deals []records.Deal) {
	if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
		for _, o := range c.Outcomes(nil) {
			next := s.Clone()
			if _, err := next.Apply(o.Move, nil); err != nil {
				continue
			}
			v := next.View(game.Arbiter)
			d := records.Deal{Step: journal.FormatMove(o.Move), Count: o.Weight}
			if i := int(o.Move.To.Y)*v.Width + int(o.Move.To.X); i >= 0 && i < len(v.Cells) {
				d.Piece = string(rune(v.Cells[i].Piece))
			}
			deals = append(deals, d)
		}
		return nil, deals
	}
	permits := func(game.Move) bool { return true }
	if p, ok := s.(rules.Permitter); ok {
		permits = p.Permits
	}
	for _, m := range s.Legal(nil) {
		if permits(m) {
			legal = append(legal, journal.FormatMove(m))
		}
	}
	return legal, nil
}
