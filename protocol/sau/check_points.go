package sau

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/protocol"
)

// What is tried to see the board from all sides: a game may be over soon.
const (
	pointGames = 10
	pointTurns = 20
)

// checkPoints answers moves of the engine by moves to where these lie for who sees the
// board from another side, one side after the other. An engine that reads or writes points
// from there finds its own stone on the point, and complains, or has nothing more to say.
func (c checker) checkPoints(p *probe) error {
	width, height := p.board.Size()
	v := views{probe: p, sides: grid.Symmetries(width, height)}
	var wrong *protocol.Impossible
	for games := 1; ; games++ {
		err := v.game()
		switch {
		case v.asked == len(v.sides)-1 || games == pointGames, err != nil && !errors.As(err, &wrong):
			return err
		}
		if err := p.Again(); err != nil { // in which it may do better
			return err
		}
	}
}

// views is a search for the side from which an engine sees the board.
type views struct {
	*probe
	sides []func(game.Point) game.Point
	done  [8]bool // sides that were asked for
	asked int     // how many of them
}

// game plays a game, and says what the engine does not understand.
func (v *views) game() error {
	if err := v.begin(game.First); err != nil {
		return protocol.Untested(err)
	}
	var own []game.Move
	side, told := 0, ""
	for turns := range pointTurns {
		if err := v.move(); err != nil {
			return v.named(side, turns, told, err)
		}
		if v.over() {
			return nil
		}
		own = append(own, v.steps...)
		var m []game.Move
		if side = 0; turns > 0 { // the first answer is to come in any case
			side, m = v.seen(own)
		}
		steps, err := v.harmless(m, v.images(own)...)
		if err != nil || steps == nil {
			return err
		}
		told = v.written(steps)
		if err := v.send(told); err != nil {
			return err
		}
	}
	return nil
}

// named says what it means that an engine has no answer to what it was told in a turn,
// which its own move is from a side.
func (v *views) named(side, turns int, told string, err error) error {
	var wrong *protocol.Impossible
	if side == 0 || errors.As(err, &wrong) {
		return protocol.Untested(err)
	}
	if plain := v.plain(turns); plain != nil {
		return protocol.Untested(plain) // it is not the points
	}
	return fmt.Errorf("it reads or writes moves with %s: %q is what its own move is from there, and alone is not answered: %w",
		grid.Side(side, true), told, err)
}

// images are the engine's moves as they are from the other sides.
func (v *views) images(own []game.Move) (list []game.Move) {
	for _, side := range v.sides[1:] {
		for _, m := range own {
			list = append(list, m.Through(side))
		}
	}
	return list
}

// seen finds a move that is the engine's own from just one of the sides that were not
// asked for, and which of them; 0 if there is none.
func (v *views) seen(own []game.Move) (int, []game.Move) {
	all := v.images(own)
	for k, m := range all {
		side := 1 + k/len(own)
		if v.done[side] || slices.Contains(own, m) || slices.Contains(all[:k], m) || slices.Contains(all[k+1:], m) || v.ends(m) {
			continue
		}
		v.done[side] = true
		v.asked++
		return side, []game.Move{m}
	}
	return 0, nil
}

// plain plays so many turns in a new process, none of them where the engine's moves are
// from any side, and wants all of them answered.
func (v *views) plain(turns int) error {
	if err := v.Again(); err != nil {
		return err
	}
	if err := v.begin(game.First); err != nil {
		return err
	}
	var own []game.Move
	for range turns + 1 {
		if err := v.move(); err != nil || v.over() {
			return err
		}
		own = append(own, v.steps...)
		steps, err := v.harmless(nil, v.images(own)...)
		if err != nil || steps == nil {
			return err
		}
		if err := v.send(v.written(steps)); err != nil {
			return err
		}
	}
	return nil
}
