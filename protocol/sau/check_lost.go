package sau

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/protocol"
)

// What is played to learn which of its stones an engine takes for lost.
const (
	lostStones = 24
	lostTries  = 60
)

// checkLost lets an engine place stones where its opponent is hidden, takes those of them
// that lie elsewhere for who sees the board from another side, and refuses what it tries
// then: it may try what it has lost, and not what it has.
func (c checker) checkLost(p *probe) error {
	protocol.Must(protocol.Untested(p.begin(game.First)))
	var own []game.Point
	for range lostStones {
		at, err := p.attempted()
		if err != nil {
			return p.fromOne(err)
		}
		own = append(own, at)
		protocol.Must(p.accept())
		if len(own) < lostStones {
			protocol.Must(p.send(wordMove + " " + argGo))
		}
	}
	width, height := p.board.Size()
	lost := lostOf(own, grid.Symmetries(width, height))
	if len(lost) == 0 {
		return fmt.Errorf("%w: its stones do not look different from other sides", protocol.ErrSkipped)
	}
	own = slices.DeleteFunc(own, func(at game.Point) bool { return slices.Contains(lost, at) })
	protocol.Must(p.board.Reset(p.board.Spec(), ""))
	for _, at := range own {
		protocol.Must(p.stands(at))
	}
	letters := Plain
	list := string(letters.appendList(nil, wordTaked, lost))
	protocol.Must(p.send(list[:len(list)-1], wordMove+" "+argGo))
	return p.mistaken(own, lost, views(width, height, false))
}

// attempted waits for a point that the engine tries.
func (p *probe) attempted() (game.Point, error) {
	steps, err := p.read()
	if err == nil {
		err = p.attempt(steps[0])
	}
	if err != nil {
		return game.NoPoint, err
	}
	if steps[0].Op == game.Pass {
		return game.NoPoint, fmt.Errorf("%w: the engine passes", protocol.ErrSkipped)
	}
	return steps[0].To, nil
}

// fromOne names the likely cause of an attempt just off the board.
func (p *probe) fromOne(err error) error {
	width, height := p.board.Size()
	at := p.at()
	if less := game.Pt(int(at.X)-1, int(at.Y)-1); !at.On(width, height) && less.On(width, height) {
		return fmt.Errorf("it writes moves with points counted from 1 instead of 0: %w", err)
	}
	return protocol.Untested(err)
}

// lostOf chooses of the points of each orbit the first, if there are others.
func lostOf(own []game.Point, sides []func(game.Point) game.Point) (list []game.Point) {
	for i, at := range own {
		others := false
		for _, side := range sides {
			k := slices.Index(own, side(at))
			if k >= 0 && k < i {
				others = false
				break
			}
			others = others || k > i
		}
		if others {
			list = append(list, at)
		}
	}
	return list
}

// mistaken refuses all attempts, until one shows what the engine takes for lost.
func (p *probe) mistaken(own, lost []game.Point, likely []*view) error {
	until := p.Config.Now().Add(4 * p.Thought())
	for range lostTries {
		at, err := p.attempted()
		from := func(v *view) bool { // whether that point is one of those lost in a view
			return slices.ContainsFunc(lost, func(l game.Point) bool { return v.to(game.PlaceAt(l)).To == p.at() })
		}
		switch {
		case err != nil && slices.Contains(own, p.at()):
			if i := slices.IndexFunc(likely, from); i >= 0 {
				return fmt.Errorf("it reads or writes moves with %s: %w, and was not among those that it lost, which it is from there",
					likely[i].name, err)
			}
			return protocol.Untested(err)
		case err != nil:
			return protocol.Untested(err)
		case slices.Contains(lost, at):
			likely = slices.DeleteFunc(likely, func(v *view) bool { return !from(v) })
		}
		if len(likely) == 0 || p.Config.Now().After(until) {
			return nil
		}
		if err := p.send(wordRefuse); err != nil {
			return err
		}
	}
	return nil
}

// at is the point of the engine's latest attempt.
func (p *probe) at() game.Point {
	if at, ok := Plain.point([]byte(p.arg)); ok {
		return at
	}
	return game.NoPoint
}
