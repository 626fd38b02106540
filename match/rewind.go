package match

import (
	"kibitz/game"
	"kibitz/journal"
)

// rewind takes back all but the first decisions, as the seat wanted. What chance had
// decided is remembered and comes out the same when it is asked again in the same place.
// The clocks stay as they are.
func (r *referee) rewind(by game.Seat, keep int) {
	total := len(r.moves) - keep
	back := r.unwind(keep)
	if r.over {
		return
	}
	next, colours := r.state.Turn(), r.colours()
	for s := range r.clocks {
		r.clocks[s].Used = 0
	}
	for s := range r.g.Sides {
		u := &r.updates[s]
		u.Clear()
		u.Rewind, u.Clocks, u.Next, u.Colours, u.View = back[s], r.clocks, next, colours, &r.views[s]
		r.g.Sides[s].Player.Tell(u)
	}
	if r.g.Sink != nil {
		r.emit(&journal.Event{Rewind: &journal.Rewind{Steps: total, By: by, Clocks: r.journalClocks(), Next: next}}, journal.KindRewind,
			game.Public)
		if r.g.Views {
			r.emitViews()
		}
	}
}

// unwind takes back all but the first moves, and returns how many of the others each
// seat was told.
func (r *referee) unwind(keep int) [2]int {
	back, turns, plies := r.replay(keep)
	r.rollback(keep)
	if r.over {
		return back
	}
	r.out.Steps = r.out.Steps[:keep]
	for n := len(r.out.Attempts); n > 0 && r.out.Attempts[n-1].Before >= keep; n-- {
		r.out.Attempts = r.out.Attempts[:n-1]
	}
	r.out.Turns, r.out.Plies = turns, plies
	r.again, r.refusals, r.rejected = 0, 0, 0
	r.returnedTime, r.refusedTime = 0, 0
	r.judge = adjudicator{}
	return back
}

// turnStart returns how many steps came before the latest turn in which the seat
// itself decided, -1 if there is none since the opening.
func turnStart(steps []Step, by game.Seat) int {
	i := len(steps) - 1
	mine := func(s *Step) bool { return s.By == by && !s.Forced && !s.Opening }
	for i >= 0 && !mine(&steps[i]) {
		i--
	}
	start := -1
	for ; i >= 0 && (mine(&steps[i]) || steps[i].By == game.Dealer); i-- {
		if steps[i].By == by {
			start = i
		}
	}
	return start
}

// turnBegins reports whether a seat begins a turn after so many decisions.
func (r *referee) turnBegins(ply int) bool {
	s := r.start.Clone()
	var list []game.Notice
	for _, m := range r.moves[:ply] {
		var err error
		if list, err = s.Apply(m, list[:0]); err != nil {
			return false
		}
	}
	t := s.Turn()
	return t.Seat.IsPlayer() && t.Step == 0
}

// replay plays the game through once more to find how many of the steps from keep
// on each seat was told, how many turns and plies come before, and what chance
// decided after.
func (r *referee) replay(keep int) (back [2]int, turns, plies int) {
	s := r.start.Clone()
	if r.dealt == nil {
		r.dealt = map[uint64]game.Move{}
	}
	var list []game.Notice
	for i, m := range r.moves {
		by := s.Turn().Seat
		if i >= keep && m.Op == game.Deal {
			r.dealt[s.Hash()] = m
		}
		var err error
		if list, err = s.Apply(m, list[:0]); err != nil {
			return back, turns, plies // rollback reports it
		}
		for n := range list {
			for seat := range back {
				if i >= keep && list[n].Kind == game.Played && list[n].To.Includes(game.To(game.Seat(seat))) {
					back[seat]++
				}
			}
		}
		if i < keep && by.IsPlayer() && !r.out.Steps[i].Opening {
			plies++
			if t := s.Turn(); t.Seat != by || t.Step == 0 {
				turns++
			}
		}
	}
	return back, turns, plies
}
