package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/hall/records"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/paste"
	"kibitz/record/replay"
	"kibitz/rules"
)

var _ records.TextReader = Archive{}

// ReadText reads games of a text in whatever form it is, each up to the first decision that the rules
// refuse.
func (h Archive) ReadText(ctx context.Context, name string, data []byte, spec game.Spec) (*records.Pasted, error) {
	r := paste.Reader{Formats: h.Set, Games: h.Games, Consoles: h.Consoles}
	found, err := r.Read(name, data, spec)
	if u := (*paste.Unread)(nil); errors.As(err, &u) {
		if u.Games == nil {
			return nil, records.Unread(u, u.Legal)
		}
		found, err = paste.Found{Form: u.Form, Games: u.Games}, nil
	}
	if err != nil {
		return nil, records.Unread(err, 0)
	}
	out := &records.Pasted{Form: found.Form, Count: len(found.Games), Games: []records.TreeView{}}
	left := records.MaxTree
	for _, g := range found.Games {
		l, err := replay.PlayWithin(ctx, g, h.openSpec)
		if err != nil {
			return nil, err
		}
		full := l.Record()
		n := sizeOf(full.Steps)
		if n > left && len(out.Games) == 0 {
			return nil, fmt.Errorf("it has %s with all variations: at most %d are read", plain.Count(n, "decision"), left)
		}
		if left -= n; left < 0 {
			break
		}
		t := records.TreeView{Spec: string(full.Spec), Position: full.Start, Names: full.Names, Date: full.Date}
		if l.Illegal != nil {
			t.Illegal = &records.Illegal{N: l.IllegalAt + 1, Move: moveName(l.Rules, g.Steps[l.IllegalAt].Move), Text: l.Illegal.Error()}
		}
		s, err := rules.Start(l.Rules, full.Start)
		if err != nil {
			return nil, err
		}
		if t.Steps, err = treeOf(l.Rules, s, full.Steps); err != nil {
			return nil, err
		}
		out.Games = append(out.Games, t)
	}
	return out, nil
}

// sizeOf counts decisions with their variations.
func sizeOf(steps []record.Step) (n int) {
	for i := range steps {
		n++
		for _, v := range steps[i].Variations {
			n += sizeOf(v)
		}
	}
	return n
}

// treeOf shows decisions that were replayed, and what stands beside them. It plays them on s.
func treeOf(r rules.Rules, s rules.State, steps []record.Step) ([]records.TreeStepView, error) {
	out := []records.TreeStepView{}
	for i := range steps {
		var beside [][]records.TreeStepView
		for _, v := range steps[i].Variations {
			line, err := treeOf(r, s.Clone(), v)
			if err != nil {
				return nil, err
			}
			beside = append(beside, line)
		}
		if _, err := s.Apply(steps[i].Move, nil); err != nil {
			return nil, err
		}
		shown := shownStep(r, &steps[i], !steps[i].Refused && replay.TurnEnds(s))
		out = append(out, records.TreeStepView{ReplayStep: records.StepOf(&shown), Variations: beside})
	}
	return out, nil
}

// WriteTree writes a game with its variations in a format.
func (h Archive) WriteTree(ctx context.Context, t *records.TreeWish, data []byte, id string) ([]byte, error) {
	if id == "" {
		id = records.OwnFormat
	}
	f, err := h.Set.Find("", id)
	if err != nil {
		return nil, err
	}
	r, err := h.Open(t.Spec)
	if err != nil {
		return nil, err
	}
	if err := f.Check(r.Spec().ID()); err != nil {
		return nil, err
	}
	g := &record.Game{Spec: r.Spec(), Start: t.Position, Names: t.Names}
	s, err := rules.Start(r, t.Position)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	if g.Steps, err = stepsOf(r, s, t.Steps); err != nil {
		return nil, err
	}
	if data != nil {
		if err := h.beside(g, data); err != nil {
			return nil, err
		}
	}
	l, err := replay.PlayWithin(ctx, g, h.openSpec)
	if err == nil && l.Illegal != nil {
		err = l.Illegal
	}
	if err != nil {
		return nil, err
	}
	full := l.Record()
	if t.From > 0 {
		if err := cut(r, full, t.From); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err = f.Write(&b, []*record.Game{full})
	return b.Bytes(), err
}

// stepsOf reads the decisions of a tree, and plays those that are possible on s.
func stepsOf(r rules.Rules, s rules.State, list []records.TreeStepWish) ([]record.Step, error) {
	var out []record.Step
	for i := range list {
		m, err := readDecision(r, s, list[i].Move)
		if err != nil {
			return nil, fmt.Errorf("decision %d, %s: %w", i+1, game.Shown(list[i].Move, 40), err)
		}
		step := record.Step{By: game.Nobody, Move: m, Comment: list[i].Comment}
		for _, v := range list[i].Variations {
			line, err := stepsOf(r, s.Clone(), v)
			if err != nil {
				return nil, err
			}
			if len(line) > 0 {
				step.Variations = append(step.Variations, line)
			}
		}
		out = append(out, step)
		_, _ = s.Apply(m, nil) // what is not possible is told when all of it is played
	}
	return out, nil
}

// beside tells of a game what its record does, as far as its line is that of the record.
func (h Archive) beside(g *record.Game, data []byte) error {
	_, l, err := h.line(data)
	if err != nil {
		return err
	}
	full := l.Record()
	if full.Spec != g.Spec || full.Start != g.Start {
		return errors.New("the game began otherwise")
	}
	n := 0
	for n < len(full.Steps) && n < len(g.Steps) && journal.FormatMove(full.Steps[n].Move) == journal.FormatMove(g.Steps[n].Move) {
		s := full.Steps[n]
		s.Variations, s.Comment = g.Steps[n].Variations, g.Steps[n].Comment
		g.Steps[n] = s
		n++
	}
	steps := g.Steps
	*g = *full
	g.Steps = steps
	if n < len(full.Steps) || n < len(steps) {
		g.Result, g.Evidence = nil, nil
	}
	return nil
}

// cut lets a game begin with the position after so many decisions.
func cut(r rules.Rules, g *record.Game, n int) error {
	if n > len(g.Steps) {
		return fmt.Errorf("from: the game has %s", plain.Count(len(g.Steps), "decision"))
	}
	s, err := rules.Start(r, g.Start)
	for i := 0; i < n && err == nil; i++ {
		_, err = s.Apply(g.Steps[i].Move, nil)
	}
	if err != nil {
		return err
	}
	if t := s.Turn(); t.Seat == game.Dealer || t.Step > 0 {
		return fmt.Errorf("from: after decision %d a turn goes on: no file begins there", n)
	}
	g.Start, g.Steps = s.Text(), slices.Clone(g.Steps[n:])
	g.Commitment, g.Seed = "", "" // its shuffle is that of the beginning
	return nil
}
