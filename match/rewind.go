package match

import (
	"kibitz/game"
	"kibitz/journal"
)

// rewind takes back all but the first decisions, as the seat wanted. What chance had
// decided is remembered and comes out the same when it is asked again in the same place.
// The clocks stay as they are.
func (r *referee) rewind(by game.Seat, keep int) {
	total := len(r.pos.moves) - keep
	back, err := r.unwind(keep)
	if err != nil {
		r.abort(err.Error())
		return
	}
	next, colours := r.pos.state.Turn(), r.pos.colours()
	for s := range r.time.clocks {
		r.time.clocks[s].Used = 0
	}
	for s := range r.g.Sides {
		u := &r.updates[s]
		u.Clear()
		u.Rewind, u.Clocks, u.Next, u.Colours, u.View = back[s], r.time.clocks, next, colours, &r.views[s]
		r.g.Sides[s].Player.Tell(u)
	}
	if r.g.Sink != nil {
		r.rec.emit(&journal.Event{Rewind: &journal.Rewind{Steps: total, By: by, Clocks: r.time.journal(), Next: next}}, journal.KindRewind,
			game.Public)
		if r.g.Views {
			r.rec.emitViews()
		}
	}
}

// unwind takes back all but the first moves, and returns how many of the others each
// seat was told.
func (r *referee) unwind(keep int) ([2]int, error) {
	back, turns, plies := r.pos.replay(keep, r.out.Steps)
	if err := r.pos.rollback(keep); err != nil {
		return back, err
	}
	r.out.Steps = r.out.Steps[:keep]
	for n := len(r.out.Attempts); n > 0 && r.out.Attempts[n-1].Before >= keep; n-- {
		r.out.Attempts = r.out.Attempts[:n-1]
	}
	r.out.Turns, r.out.Plies = turns, plies
	r.tries = tries{}
	r.judge = adjudicator{}
	return back, nil
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
