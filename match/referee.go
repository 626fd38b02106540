package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/rules"
)

// referee is the running game. Nothing of it is seen by anybody else.
type referee struct {
	ctx    context.Context
	g      *Game
	state  rules.State
	forcer rules.Forcer
	clocks [2]clock.Clock
	out    Outcome
	over   bool

	// attempts counts the refusals and illegal answers of the running turn,
	// retries the illegal answers of the game.
	attempts int
	rejected player.Rejection
	retries  int

	prompt  player.Prompt
	updates [2]player.Update
	views   [2]seatView
	notices []game.Notice
	steps   []game.Move
	info    game.Info
	legal   []game.Move
	ended   game.Result
	judge   adjudicator
	event   journal.Event
	decided journal.Decision
	said    journal.Said
	told    []game.Notice
	idle    [2]bool // suspended
}

// seatView shows the position to one seat.
type seatView struct {
	r    *referee
	seat game.Seat
}

// View builds what the seat may know now.
func (v *seatView) View() game.View { return v.r.state.View(game.To(v.seat)) }

func newReferee(ctx context.Context, g *Game) *referee {
	r := &referee{ctx: ctx, g: g}
	r.out.Steps = make([]Step, 0, 128)
	for s := range r.clocks {
		r.clocks[s] = clock.New(g.Sides[s].Clock)
		r.views[s] = seatView{r, game.Seat(s)}
	}
	return r
}

// turn asks the seat on turn for one answer and applies it.
func (r *referee) turn() {
	turn := r.state.Turn()
	if !turn.Seat.IsPlayer() {
		r.end(game.Result{Reason: game.ByAbort, Detail: fmt.Sprintf("the rules name %s to decide", turn.Seat)})
		return
	}
	if r.ctx.Err() != nil {
		r.end(game.Result{Reason: game.ByAbort, Detail: "stopped"})
		return
	}
	if r.forcer != nil && turn.Step == 0 {
		if m, ok := r.forcer.Forced(); ok {
			r.forced(turn.Seat, m)
			return
		}
	}
	r.resume(turn.Seat)
	ans, used, late, err := r.ask(turn)
	r.suspend(turn.Seat)
	if err != nil {
		r.fail(turn.Seat, used, late, err)
		return
	}
	if !r.charge(turn.Seat, used, late, ans.Raw) {
		return
	}
	r.answer(turn, &ans, used, late)
}

// ask prompts the seat and measures its time: that of its host if it measured,
// else the referee's own. late is what of it was our own doing.
func (r *referee) ask(turn game.Turn) (ans player.Answer, used, late time.Duration, err error) {
	side := &r.g.Sides[turn.Seat]
	p := &r.prompt
	*p = player.Prompt{
		Seat: turn.Seat, Turn: turn, Moves: r.state, Clocks: r.clocks, Colours: r.colours(), View: &r.views[turn.Seat],
		Again: r.attempts, Rejected: r.rejected, Limits: side.Limits,
	}
	limit := r.clocks[turn.Seat].Limit()
	wait := r.g.Policy.Stall
	if limit != clock.Unlimited {
		wait = limit + side.Margin
	}
	began := r.g.Now()
	p.Deadline = began.Add(wait)
	ans, err = side.Player.Choose(r.ctx, p)
	ended := r.g.Now()
	used = ended.Sub(began)
	if over := ended.Sub(p.Deadline); over > 0 && err == nil {
		// The player was to return by the deadline: what is beyond is not its own.
		late = over
	}
	if err == nil && ans.Measured {
		used = ans.Used
	}
	late = min(max(late, ans.Late), max(0, used))
	return ans, used, late, err
}

// charge puts the time on the seat's clock and reports whether the flag still
// stands. The margin and the referee's own lateness are not charged.
func (r *referee) charge(seat game.Seat, used, late time.Duration, raw string) bool {
	used -= late
	r.out.Late = max(r.out.Late, late)
	if late > r.g.Sides[seat].Margin {
		r.warn("the referee noticed an answer of %s %s late; that time is not charged", r.g.Sides[seat].Name, late.Round(time.Millisecond))
	}
	r.out.Used[seat] += used
	limit := r.clocks[seat].Limit()
	if over := used - limit; limit != clock.Unlimited && over > 0 {
		if over > r.g.Sides[seat].Margin {
			r.clocks[seat] = r.clocks[seat].Spend(used)
			r.lose(seat, game.ByTime, r.overText(seat, used, limit))
			if raw != "" {
				r.out.Evidence = append(r.out.Evidence, "late answer: "+raw)
			}
			return false
		}
		r.warn("%s overstepped its time by %s, within the margin", r.g.Sides[seat].Name, over.Round(time.Millisecond))
		used = limit
	}
	r.clocks[seat] = r.clocks[seat].Spend(used)
	r.clocks[seat.Other()] = r.clocks[seat.Other()].Gain(used)
	return true
}

func (r *referee) overText(seat game.Seat, used, limit time.Duration) string {
	return fmt.Sprintf("used %s with %s left (margin %s)", used.Round(time.Millisecond), limit.Round(time.Millisecond), r.g.Sides[seat].Margin)
}

// answer judges and applies what the seat decided.
func (r *referee) answer(turn game.Turn, ans *player.Answer, used, late time.Duration) {
	if len(ans.Steps) == 0 {
		r.lose(turn.Seat, game.ByProtocol, "answered without a decision"+quoted(ans.Raw))
		return
	}
	if ans.Steps[0].Op == game.Resign {
		r.lose(turn.Seat, game.ByResign, "")
		return
	}
	if bad, err := r.apply(turn.Seat, ans.Steps); err != nil {
		r.illegal(turn.Seat, bad, err, ans.Raw)
		return
	}
	if r.refused() {
		r.refuse(turn.Seat, used, late)
		return
	}
	r.info = ans.Info
	r.rejected = player.NotRejected
	r.settle(turn.Seat, false, used, late)
}

// apply makes all steps of an answer or none; steps after the one that ends the
// game are ignored with a warning. It returns the step that was not accepted.
func (r *referee) apply(seat game.Seat, steps []game.Move) (game.Move, error) {
	r.notices, r.steps = r.notices[:0], r.steps[:0]
	var before rules.State
	if len(steps) > 1 {
		before = r.state.Clone()
	}
	for i, m := range steps {
		var err error
		if i > 0 {
			if t := r.state.Turn(); t.Seat != seat || t.Step == 0 {
				if _, over := r.state.Result(); over {
					r.warn("%s sent %d more decisions after the end of the game", r.g.Sides[seat].Name, len(steps)-i)
					return game.Move{}, nil
				}
				err = errors.New("the turn was complete before this decision")
			}
		}
		if err == nil {
			if r.notices, err = r.state.Apply(m, r.notices); err == nil {
				r.steps = append(r.steps, m)
				err = r.deal()
			}
		}
		if err != nil {
			if before != nil {
				r.restore(before)
			}
			return m, err
		}
	}
	return game.Move{}, nil
}

func (r *referee) restore(s rules.State) {
	r.state = s
	r.forcer, _ = s.(rules.Forcer)
}

// deal plays for chance as long as it is on turn.
func (r *referee) deal() error {
	for r.state.Turn().Seat == game.Dealer {
		if r.g.Dealer == nil {
			return errors.New("chance is to decide and the game has no dealer")
		}
		m, err := r.g.Dealer.Deal(r.state)
		if err != nil {
			return fmt.Errorf("dealer: %w", err)
		}
		if r.notices, err = r.state.Apply(m, r.notices); err != nil {
			return fmt.Errorf("dealer: %w", err)
		}
		r.steps = append(r.steps, m)
	}
	return nil
}

// refused reports whether the answer was an attempt that hidden facts forbid.
func (r *referee) refused() bool {
	for i := range r.notices {
		if r.notices[i].Kind == game.Refused {
			return true
		}
	}
	return false
}

// forced plays a forced pass for the seat, without its clock.
func (r *referee) forced(seat game.Seat, m game.Move) {
	if _, err := r.apply(seat, append(r.legal[:0], m)); err != nil {
		r.end(game.Result{Reason: game.ByAbort, Detail: "forced pass: " + err.Error()})
		return
	}
	r.info = game.Info{}
	r.settle(seat, true, 0, 0)
}

// settle completes an accepted answer: clocks, news to both seats, the journal,
// and the end of the game if it is one.
func (r *referee) settle(seat game.Seat, forced bool, used, late time.Duration) {
	next := r.state.Turn()
	ended := next.Seat != seat || next.Step == 0
	if ended {
		if !forced {
			r.clocks[seat] = r.clocks[seat].EndTurn()
		}
		r.attempts = 0
		r.out.Turns++
	}
	result, over := r.state.Result()
	if over {
		r.ended = result
	}
	r.note(seat, forced, used-late)
	r.tell(seat, next, ended, forced, used-late, over)
	r.record(seat, forced, false, ended, used-late, late)
	if over {
		r.end(result)
		return
	}
	if ended {
		r.adjudicate(seat)
	}
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
		}
		r.out.Steps = append(r.out.Steps, s)
	}
}

// tell gives both seats their news, the mover first.
func (r *referee) tell(by game.Seat, next game.Turn, ended, forced bool, used time.Duration, over bool) {
	colours := r.colours()
	for _, seat := range [2]game.Seat{by, by.Other()} {
		u := &r.updates[seat]
		u.Clear()
		u.By, u.Forced, u.Used, u.Clocks, u.Next, u.Ended, u.Colours = by, forced, used, r.clocks, next, ended, colours
		u.AddNotices(seat, r.notices)
		u.View = &r.views[seat]
		if seat == by && !forced {
			u.Info = &r.info
		}
		if over {
			u.Result = &r.ended
		}
		r.g.Sides[seat].Player.Tell(u)
	}
}

func (r *referee) colours() [2]game.Colour { return rules.ColoursOf(r.g.Rules, r.state) }
