package match

import (
	"time"

	"kibitz/game"
	"kibitz/player"
)

// settle completes an accepted answer: clocks, updates to both seats, the journal,
// and the end of the game if it is one.
func (r *referee) settle(seat game.Seat, forced bool, used, late time.Duration) {
	next := r.pos.state.Turn()
	ended := next.Seat != seat || next.Step == 0
	if ended && !forced {
		r.time.clocks[seat] = r.time.clocks[seat].EndTurn()
	}
	if ended {
		r.out.Turns++
	}
	r.rec.last = lastDecision{
		at: r.rec.last.at, by: seat, forced: forced, ended: ended, used: used, refusedTime: r.tries.refusedTime, late: late, next: next,
	}
	if !forced {
		r.rec.last.lost = r.time.transit
	}
	r.tries = tries{}
	result, over := r.pos.state.Result()
	if over {
		r.result = r.time.overtime(result)
	}
	r.note()
	r.tell(over)
	if r.desk != nil {
		r.desk.moved(seat, forced)
	}
	r.rec.last.pending = true
	if over {
		r.end(r.result)
		return
	}
	r.adjudicate(seat, ended && !forced)
}

// note keeps the steps of the latest decision for the outcome.
func (r *referee) note() {
	d := &r.rec.last
	for i, m := range r.pos.steps {
		s := Step{By: d.by, Move: m, Forced: d.forced}
		if m.Op == game.Deal {
			s.By = game.Dealer
		} else {
			r.out.Plies++
		}
		if i == 0 {
			s.Used, s.Error = d.used, d.lost
			if r.rec.info.Judges() {
				said := r.rec.info
				s.Info = &said
			}
		}
		r.out.Steps = append(r.out.Steps, s)
	}
}

// tell gives both seats their updates of the latest decision, the mover first.
func (r *referee) tell(over bool) {
	first := r.rec.last.by
	for _, seat := range [2]game.Seat{first, first.Other()} {
		u := &r.updates[seat]
		u.Clear()
		r.fill(u, seat)
		u.View = &r.views[seat]
		if over {
			u.Result = &r.result
		}
		r.g.Sides[seat].Player.Tell(u)
	}
}

// fill puts into an update what the seat may know of the latest decision. Of the other's
// refused attempts it has not heard: their time is as if it had been thought.
func (r *referee) fill(u *player.Update, seat game.Seat) {
	d := &r.rec.last
	u.By, u.Forced, u.Used, u.Clocks, u.Next, u.Ended, u.Colours = d.by, d.forced, d.used, r.time.clocks, d.next, d.ended, r.pos.colours()
	u.AddNotices(seat, r.pos.notices)
	if seat != d.by {
		u.Used += d.refusedTime
	} else if !d.forced && !d.refused {
		u.Info = &r.rec.info
	}
}
