package protocol

import (
	"errors"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
)

// Impossible says why a turn cannot be played.
type Impossible struct {
	Why error
	// Sides are those of the board from which it could be, by their numbers in
	// grid.Symmetries.
	Sides []int
	// FromTop tells that the first row is the highest.
	FromTop bool
}

// Error implements error. It names the side if there is one.
func (e *Impossible) Error() string {
	if len(e.Sides) != 1 {
		return e.Why.Error()
	}
	return e.Why.Error() + "; with " + grid.Side(e.Sides[0], e.FromTop) + " it would be"
}

// Unwrap returns what the rules say.
func (e *Impossible) Unwrap() error { return e.Why }

// Try returns why a whole turn of the seat on turn cannot be played, nil if it can. The
// board stays as it is. fromTop tells that the protocol counts rows from the top. A
// resignation is always possible.
func Try(board player.Position, fromTop bool, steps ...game.Move) error {
	if len(steps) == 1 && steps[0].Op == game.Resign {
		return nil
	}
	err := try(board, steps)
	if err == nil {
		return nil
	}
	e := &Impossible{Why: err, FromTop: fromTop}
	width, height := board.Size()
	turned := make([]game.Move, len(steps))
	for i, side := range grid.Symmetries(width, height)[1:] {
		for k, m := range steps {
			turned[k] = m.Through(side)
		}
		if try(board, turned) == nil {
			e.Sides = append(e.Sides, i+1)
		}
	}
	return e
}

// Play makes the decisions of a whole turn of the seat on turn, all of them or none.
// Those after one that ends the game are left out.
func Play(board player.Position, steps ...game.Move) error {
	before, by := board.Len(), board.Turn().Seat
	err := play(board, by, steps)
	if err != nil {
		return errors.Join(err, board.Undo(board.Len()-before))
	}
	return nil
}

func play(board player.Position, by game.Seat, steps []game.Move) error {
	more := true
	for _, m := range steps {
		if !more {
			if _, over := board.Result(); over {
				return nil
			}
			return errors.New(board.FormatMove(m) + " is beyond the end of the turn")
		}
		if _, err := board.Apply(m); err != nil {
			return err
		}
		t := board.Turn()
		_, over := board.Result()
		more = !over && (t.Seat == game.Dealer || t.Seat == by && t.Step > 0)
	}
	if more && board.Turn().Seat != game.Dealer {
		return errors.New("the turn is not complete")
	}
	return nil
}

func try(board player.Position, steps []game.Move) error {
	before := board.Len()
	if err := Play(board, steps...); err != nil {
		return err
	}
	return board.Undo(board.Len() - before)
}
