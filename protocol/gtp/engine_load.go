package gtp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/sgf"
)

// loadSGF sets the board to the game of a file, up to the position before the move with
// a number, counted in turns from 1, or to its end.
func (g *runningGame) loadSGF(_ context.Context, args []string) (string, error) {
	moves := -1
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 1 {
			return "", errSyntax
		}
		moves = n - 1
	}
	if err := g.load(args[0], moves); err != nil {
		g.s.Logf("loadsgf %s: %v", args[0], err)
		return "", errors.New("cannot load file")
	}
	return "", nil
}

// load reads a file and plays so many turns of it, all if moves is negative. A game that
// cannot be played leaves an empty board behind, what is no game of the form leaves all
// as it was.
func (g *runningGame) load(file string, moves int) error {
	data, err := g.s.ReadFile(file)
	if err != nil {
		return err
	}
	list, err := sgf.Read(data)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("there is no game in the file")
	}
	rec := list[0]
	if id := rec.Spec.ID(); id != g.form.Game && (id != "go" || !g.form.LikeGo) {
		return fmt.Errorf("the file holds a game of %s, not of %s", id, g.form.Game)
	}
	old := g.spec
	if err := g.replay(rec, moves); err != nil {
		return errors.Join(err, g.setGame(old))
	}
	return nil
}

// replay begins a game of the record's size, from its set-up, and plays its turns. The
// rules stay those that the engine was started for: GTP does not name them.
func (g *runningGame) replay(rec *record.Game, moves int) error {
	w, h, err := g.form.sizeOf(rec.Spec)
	if err != nil {
		return err
	}
	spec := g.spec
	if haveW, haveH := g.s.Position.Size(); w != haveW || h != haveH {
		spec = withSize(spec, w, h)
	}
	if err := g.setGame(spec); err != nil {
		return err
	}
	if rec.Start != "" {
		if p, ok := g.s.Player.(player.Positioner); !ok || p.CanStart(spec) < player.FromPosition {
			return errors.New("the player cannot begin from a position")
		}
		if err := g.session.NewGame(spec, rec.Start); err != nil {
			return err
		}
	}
	steps := rec.Steps
	for ; len(steps) > 0 && moves != 0; moves-- {
		end := g.begin()
		for more := true; more && len(steps) > 0; more = g.s.Position.Turn().Step > 0 {
			if err := g.replayStep(&steps[0]); err != nil {
				return err
			}
			steps = steps[1:]
		}
		end()
	}
	return nil
}

func (g *runningGame) replayStep(s *record.Step) error {
	if s.By.IsPlayer() {
		if err := g.turnTo(s.By); err != nil {
			return err
		}
	}
	return g.session.Play(s.Move)
}

// sizeOf returns the size of the board that a record tells, the game's usual one where
// it tells none.
func (f *Form) sizeOf(spec game.Spec) (w, h int, err error) {
	size, _ := spec.Option("size")
	width, _ := spec.Option("width")
	height, _ := spec.Option("height")
	usual := strconv.Itoa(f.Size)
	w, err1 := strconv.Atoi(cmp.Or(width, size, usual))
	h, err2 := strconv.Atoi(cmp.Or(height, size, usual))
	return w, h, errors.Join(err1, err2)
}
