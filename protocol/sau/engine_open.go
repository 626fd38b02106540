package sau

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/player"
)

// openBooks are those of the games without secrets: the whole position.
type openBooks struct {
	engine  *engine
	session player.Session
	seat    game.Seat
	opening bool        // no turn was played yet
	last    []game.Move // the own turn that the platform may still refuse
	tried   [][]game.Move
	given   []game.Move // what to answer without asking the player
	steps   []game.Move
}

func (b *openBooks) begin(ctx context.Context, seat game.Seat) (bool, error) {
	b.seat, b.opening, b.last, b.tried, b.given = seat, true, nil, nil, nil
	b.session.Clocks = b.engine.clocks()
	if err := b.session.NewGame(b.engine.srv.Game, ""); err != nil {
		return false, err
	}
	// At once, for players that cannot start after moves.
	if err := b.session.Ready(ctx, seat); err != nil {
		return false, err
	}
	return b.session.Position.Turn().Seat == seat, nil
}

// hear plays the opponent's turn.
func (b *openBooks) hear(c *command) (bool, error) {
	if c.word != wordMove {
		return false, errors.New("this game has no such command")
	}
	if turn := b.session.Position.Turn().Seat; turn != b.seat.Other() {
		return false, fmt.Errorf("it is not the opponent's turn but that of %s", turn)
	}
	e := b.engine
	var why string
	b.steps, why = e.form.Argument.read(reading{letters: &e.letters, opening: b.opening, loose: looseOf(e.srv.Game)}, c.arg, b.steps[:0])
	if why != "" {
		return false, errors.New(why)
	}
	if err := b.session.Play(b.steps...); err != nil {
		return false, err
	}
	b.opening, b.last, b.tried = false, nil, nil
	return b.session.Position.Turn().Seat == b.seat, nil
}

// maxAgain bounds how often one turn is answered anew.
const maxAgain = 50

// again takes the own turn back and looks for one that was not tried.
func (b *openBooks) again() (bool, error) {
	if len(b.last) == 0 {
		return false, errors.New("there is no move to take back")
	}
	if len(b.tried) >= maxAgain {
		return false, fmt.Errorf("%d moves were not accepted: no further one is tried", maxAgain)
	}
	b.tried = append(b.tried, b.last)
	if err := b.session.Undo(len(b.last)); err != nil {
		return false, err
	}
	b.last = nil
	given, err := b.other(nil)
	if err != nil {
		return false, err
	}
	if given == nil {
		return false, fmt.Errorf("none of the %d legal moves was accepted", len(b.tried))
	}
	b.given = given
	return true, nil
}

// other looks for a whole turn that was not tried and begins with the steps, which
// are played on the position; it leaves the position as it was.
func (b *openBooks) other(steps []game.Move) ([]game.Move, error) {
	pos := b.session.Position
	if t := pos.Turn(); len(steps) > 0 && (t.Seat != b.seat || t.Step == 0) {
		if slices.ContainsFunc(b.tried, func(t []game.Move) bool { return slices.Equal(t, steps) }) {
			return nil, nil
		}
		return slices.Clone(steps), nil
	}
	for _, m := range pos.Legal(nil) {
		if _, err := pos.Apply(m); err != nil {
			return nil, err
		}
		found, err := b.other(append(steps, m))
		if undo := pos.Undo(1); err == nil {
			err = undo
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

func (b *openBooks) think(ctx context.Context, dst []byte) ([]byte, error) {
	e := b.engine
	steps := b.given
	if b.given = nil; steps != nil {
		if err := b.session.Play(steps...); err != nil {
			return dst, err
		}
	} else {
		ans, err := b.session.PlayTurn(ctx, e.deadline())
		if err != nil {
			return dst, err
		}
		if steps = slices.Clone(ans.Steps); steps[0].Op == game.Resign {
			e.srv.Logf("the player resigns, and the protocol knows no resignation")
			if steps, err = b.other(nil); err != nil || steps == nil {
				return dst, errors.Join(errors.New("there is no legal move"), err)
			}
			if err := b.session.Play(steps...); err != nil {
				return dst, err
			}
		}
	}
	b.last, b.opening = steps, false
	return e.form.Argument.write(&e.letters, dst, steps), nil
}

func (b *openBooks) end(game.Seat) { b.session.Finish() }
