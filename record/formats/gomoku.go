package formats

import (
	"errors"
	"fmt"
	"io"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/pgn"
	"kibitz/record/pos"
	"kibitz/record/sgf"
)

// one adapts readers of formats that hold a single game.
func one(read func([]byte) (*record.Game, error)) func(string, []byte, game.Spec) ([]*record.Game, error) {
	return func(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
		g, err := read(data)
		if err != nil {
			return nil, err
		}
		return []*record.Game{withRule(g, spec)}, nil
	}
}

// withRule takes the rule that the user named where the format does not say one:
// the boards must agree, everything else is the user's word.
func withRule(g *record.Game, spec game.Spec) *record.Game {
	if spec.ID() != g.Spec.ID() || spec == game.Spec(spec.ID()) {
		return g
	}
	if _, says := g.Spec.Option("rule"); says {
		return g
	}
	g.Spec = spec
	return g
}

// alone writes formats that hold one game for each file.
func alone(write func(*record.Game) ([]byte, error)) func(io.Writer, []*record.Game) error {
	return func(w io.Writer, list []*record.Game) error {
		if len(list) != 1 {
			return fmt.Errorf("the format holds one game, not %d: convert them one by one", len(list))
		}
		b, err := write(list[0])
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	}
}

// gomokuSpec is what the user named, or 15x15 freestyle.
func (s *Set) gomokuSpec(spec game.Spec) (game.Spec, int, int, error) {
	if spec.ID() != "gomoku" {
		spec = "gomoku"
	}
	r, err := s.open(spec)
	if err != nil {
		return spec, 0, 0, err
	}
	d := r.Doc()
	return r.Spec(), d.Width, d.Height, nil
}

func placements(points []game.Point) []record.Step {
	steps := make([]record.Step, len(points))
	for i, p := range points {
		steps[i] = record.Step{By: game.Nobody, Move: game.PlaceAt(p)}
	}
	return steps
}

func stones(g *record.Game) ([]game.Point, error) {
	var out []game.Point
	if id := g.Spec.ID(); id != "gomoku" {
		return nil, fmt.Errorf("the format holds games of gomoku, not of %s", id)
	}
	for i, s := range g.Steps {
		switch s.Move.Op {
		case game.Place:
			out = append(out, s.Move.To)
		case game.Choose, game.Resign:
		case game.Pass:
			return nil, fmt.Errorf("decision %d: a pass cannot be written: the format holds stones only", i+1)
		default:
			return nil, fmt.Errorf("game %s: the decision %q is no stone", g.ID, s.Move)
		}
	}
	return out, nil
}

func recordErrors(list []*record.Error) error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// readPos reads pos strings, a line each, or the binary file of the same name.
func (s *Set) readPos(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
	spec, _, _, err := s.gomokuSpec(spec)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && int(data[0]) == len(data)-1 {
		moves, err := pos.ReadBinary(data)
		if err != nil {
			return nil, err
		}
		g := &record.Game{Spec: spec}
		for _, m := range moves {
			g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: m})
		}
		return []*record.Game{g}, nil
	}
	list, faults := pos.Read(data)
	var out []*record.Game
	for _, o := range list {
		out = append(out, &record.Game{Spec: spec, Steps: placements(o.Points), Line: o.Line})
	}
	return out, recordErrors(faults)
}

func writePos(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		points, err := stones(g)
		if err != nil {
			return err
		}
		b, err := pos.Append(nil, points)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// readOffset reads openings relative to the centre of the board.
func (s *Set) readOffset(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
	spec, width, height, err := s.gomokuSpec(spec)
	if err != nil {
		return nil, err
	}
	list, faults := pos.ReadOffsets(data)
	errs := []error{recordErrors(faults)}
	var out []*record.Game
	for _, o := range list {
		points, err := o.Place(width, height)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, &record.Game{Spec: spec, Steps: placements(points), Line: o.Line})
	}
	return out, errors.Join(errs...)
}

func (s *Set) writeOffset(w io.Writer, list []*record.Game) error {
	var out []pos.Offsets
	for _, g := range list {
		_, width, height, err := s.gomokuSpec(g.Spec)
		if err != nil {
			return err
		}
		points, err := stones(g)
		if err != nil {
			return err
		}
		out = append(out, pos.Offsets{Stones: pos.OffsetsOf(points, width, height)})
	}
	b, err := pos.WriteOffsets(out)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

func readSGF(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
	list, err := sgf.Read(data)
	for _, g := range list {
		asGame(g, spec)
	}
	return list, err
}

func writeSGF(w io.Writer, list []*record.Game) error { return sgf.Write(w, list...) }

func writePGN(w io.Writer, list []*record.Game) error { return pgn.Write(w, list...) }
