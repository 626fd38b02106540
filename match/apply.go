package match

import (
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/rules"
)

// errTooMany is what a decision beyond the end of the turn is refused with,
// errTooFew the last one of an answer that was meant to be the whole turn.
var (
	errTooMany = errors.New("the turn was complete before this decision")
	errTooFew  = errors.New("the turn is not complete after this decision")
)

// apply makes all steps of an answer or none; steps after the one that ends the
// game are ignored with a warning, unless they pass. If the steps are to be the
// whole turn, it must be over after them. apply returns the step that was refused
// or not accepted. What was made and what it told are in r.steps and r.notices.
func (r *referee) apply(seat game.Seat, steps []game.Move, whole bool) (refused bool, bad game.Move, err error) {
	r.notices, r.steps = r.notices[:0], r.steps[:0]
	begun := len(r.moves)
	for i, m := range steps {
		if i > 0 {
			t := r.state.Turn()
			if t.Seat == game.Nobody {
				if n := idle(steps[i:]); n > 0 {
					r.warn(seat, "sent %d more decisions after the end of the game", n)
				}
				break
			}
			if t.Seat != seat || t.Step == 0 {
				r.rollback(begun)
				return false, m, errTooMany
			}
		}
		told := len(r.notices)
		if r.notices, err = r.state.Apply(m, r.notices); err != nil {
			r.rollback(begun)
			return false, m, err
		}
		if refusal(r.notices[told:]) {
			r.notices = append(r.notices[:0], r.notices[told:]...)
			r.steps = r.steps[:0]
			r.rollback(begun)
			return true, m, nil
		}
		r.moves = append(r.moves, m)
		r.steps = append(r.steps, m)
		if !r.deal() {
			return false, m, nil
		}
	}
	if t := r.state.Turn(); whole && t.Seat == seat && t.Step > 0 {
		r.rollback(begun)
		return false, steps[len(steps)-1], errTooFew
	}
	return false, game.Move{}, nil
}

// idle counts the decisions that came after the end of the game. A pass there says
// nothing.
func idle(steps []game.Move) int {
	n := 0
	for _, m := range steps {
		if m.Op != game.Pass {
			n++
		}
	}
	return n
}

// refusal reports whether a hidden fact forbids what was tried.
func refusal(list []game.Notice) bool {
	for i := range list {
		if list[i].Kind == game.Refused {
			return true
		}
	}
	return false
}

// rollback brings the position back to the first n moves. Answers that are not
// accepted are rare, so the way there is to play the game again.
func (r *referee) rollback(n int) {
	if len(r.moves) == n {
		return
	}
	s := r.start.Clone()
	var scratch []game.Notice
	for _, m := range r.moves[:n] {
		var err error
		if scratch, err = s.Apply(m, scratch[:0]); err != nil {
			r.abort(fmt.Sprintf("playing the game again: %s: %v", r.g.Rules.FormatMove(m), err))
			return
		}
	}
	r.moves = r.moves[:n]
	r.restore(s)
}

func (r *referee) restore(s rules.State) {
	r.state = s
	r.forcer, _ = s.(rules.Forcer)
	r.coloured, _ = s.(rules.Coloured)
}

// deal plays for chance as long as it is on turn. It reports whether it could; if
// not the game is over without a verdict.
func (r *referee) deal() bool {
	for r.state.Turn().Seat == game.Dealer {
		m, err := r.draw()
		if err == nil {
			r.notices, err = r.state.Apply(m, r.notices)
		}
		if err != nil {
			r.abort("dealer: " + err.Error())
			return false
		}
		r.moves = append(r.moves, m)
		r.steps = append(r.steps, m)
	}
	return true
}

// draw returns what chance does: what it did before in the same place, if that
// was taken back, else what the dealer says.
func (r *referee) draw() (game.Move, error) {
	if r.dealt != nil {
		if m, ok := r.dealt[r.state.Hash()]; ok && r.state.Check(m) == nil {
			return m, nil
		}
	}
	if r.g.Dealer == nil {
		return game.Move{}, errors.New("chance is to decide and the game has no dealer")
	}
	return r.g.Dealer.Deal(r.state)
}

// settle completes an accepted answer: clocks, updates to both seats, the journal,
// and the end of the game if it is one.
func (r *referee) settle(seat game.Seat, forced bool, used, late time.Duration) {
	next := r.state.Turn()
	ended := next.Seat != seat || next.Step == 0
	if ended && !forced {
		r.clocks[seat] = r.clocks[seat].EndTurn()
	}
	if ended {
		r.out.Turns++
	}
	r.again, r.refusals, r.rejected = 0, 0, 0
	refusedTime := r.refusedTime
	r.returnedTime, r.refusedTime = 0, 0
	result, over := r.state.Result()
	if over {
		r.result = r.overtime(result)
	}
	r.note(seat, forced, used)
	r.tell(seat, next, ended, forced, used, refusedTime, over)
	if r.desk != nil {
		r.desk.moved(seat, forced)
	}
	r.lastDecision = lastDecision{
		pending: true, at: r.lastDecision.at, by: seat, forced: forced, ended: ended, used: used,
		refusedTime: refusedTime, late: late, next: next,
	}
	if !forced {
		r.lastDecision.lost = r.transit
	}
	if over {
		r.end(r.result)
		return
	}
	r.adjudicate(seat, ended && !forced)
}

// overtime applies the penalty for having entered the grace period of the clock:
// at best a loss by the smallest margin.
func (r *referee) overtime(res game.Result) game.Result {
	a, b := r.clocks[0].Overtime, r.clocks[1].Overtime
	if a == b {
		return res
	}
	late := game.First
	if b {
		late = game.Second
	}
	if res.Points[late] < res.Points[late.Other()] {
		return res
	}
	out := game.Win(late.Other(), game.ByTime, fmt.Sprintf("%s needed overtime and can at best lose narrowly (%s on the board)",
		r.g.Sides[late].Name, res.Reason))
	if res.HasBoard {
		half := (res.Board[0] + res.Board[1]) / 2
		out.HasBoard = true
		out.Board[late], out.Board[late.Other()] = half-1, half+1
	}
	return out
}

// note keeps the steps for the outcome.
func (r *referee) note(seat game.Seat, forced bool, used time.Duration) {
	for i, m := range r.steps {
		s := Step{By: seat, Move: m, Forced: forced}
		if m.Op == game.Deal {
			s.By = game.Dealer
		} else {
			r.out.Plies++
		}
		if i == 0 {
			s.Used, s.Info = used, r.info
			if !forced {
				s.Error = r.transit
			}
		}
		r.out.Steps = append(r.out.Steps, s)
	}
}

// tell gives both seats their updates, the mover first. refusedTime is the time of the
// mover's refused attempts before, of which the other seat has not heard.
func (r *referee) tell(by game.Seat, next game.Turn, ended, forced bool, used, refusedTime time.Duration, over bool) {
	colours := r.colours()
	first := by
	if !first.IsPlayer() {
		first = game.First
	}
	for _, seat := range [2]game.Seat{first, first.Other()} {
		u := &r.updates[seat]
		u.Clear()
		u.By, u.Forced, u.Used, u.Clocks, u.Next, u.Ended, u.Colours = by, forced, used, r.clocks, next, ended, colours
		u.AddNotices(seat, r.notices)
		u.View = &r.views[seat]
		if seat != by {
			u.Used += refusedTime
		}
		if seat == by && !forced {
			u.Info = &r.info
		}
		if over {
			u.Result = &r.result
		}
		r.g.Sides[seat].Player.Tell(u)
	}
}
