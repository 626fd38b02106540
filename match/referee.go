package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// referee is the running game. Nothing of it is seen by anybody else.
type referee struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	g      *Game
	pos    position
	time   timekeeper
	rec    recorder
	judge  adjudicator
	meters meters
	desk   *desk // nil where nobody acts beside his moves
	// queueing is the wait for a processor.
	queueing queueing
	out      Outcome
	over     bool

	tries           tries
	retries         int       // illegal answers of the game that were given back
	said            [2]string // the latest answers that stood, as they came
	droppedWarnings int       // warnings beyond those kept

	prompt      player.Prompt
	updates     [2]player.Update
	views       [2]seatView
	result      game.Result // what the board says
	idle        [2]bool     // suspended
	reportsSent [2]bool     // the player calls Prompt.Sent
	sent        func()
	reports     [2]func(*game.Info) // Prompt.Report of each seat
}

// tries are the answers of the running turn that did not stand.
type tries struct {
	again    int // how many, refusals those that a hidden fact forbade
	refusals int
	rejected player.Rejection
	bad      string // what was illegal, and why
	// returnedTime is the time of answers that were given back, which counts with the
	// next one; refusedTime that of refused attempts, which the opponent must not be
	// able to tell from thinking.
	returnedTime, refusedTime time.Duration
}

// seatView shows the position to one seat, and what it may decide, and nothing
// else of it.
type seatView struct {
	pos  *position
	seat game.Seat
}

// View builds what the seat may know now.
func (v *seatView) View() game.View { return v.pos.state.View(game.To(v.seat)) }

// Legal appends what the seat on turn may decide.
func (v *seatView) Legal(dst []game.Move) []game.Move { return v.pos.state.Legal(dst) }

// usualSteps is how many decisions most games have.
const usualSteps = 80

func newReferee(ctx context.Context, cancel context.CancelCauseFunc, g *Game) *referee {
	r := &referee{ctx: ctx, cancel: cancel, g: g, time: timekeeper{g: g}}
	r.pos = position{rules: g.Rules, dealer: g.Dealer, doc: g.Rules.Doc(), moves: make([]game.Move, 0, usualSteps)}
	r.rec = recorder{g: g, pos: &r.pos, time: &r.time}
	r.out.Steps = make([]Step, 0, usualSteps)
	for s := range r.time.clocks {
		r.time.clocks[s] = clock.New(g.Sides[s].Clock)
		r.views[s] = seatView{&r.pos, game.Seat(s)}
		if g.Report != nil {
			r.reports[s] = func(i *game.Info) { g.Report(game.Seat(s), i) }
		}
	}
	r.sent = r.wasSent
	return r
}

// turn asks the seat on turn for one answer and applies it.
func (r *referee) turn() {
	turn := r.pos.state.Turn()
	if !turn.Seat.IsPlayer() {
		r.abort(fmt.Sprintf("the rules name %s to decide", turn.Seat))
		return
	}
	if r.stopped() {
		return
	}
	if turn.Step == 0 {
		if m, ok := r.pos.forced(); ok {
			r.forced(turn.Seat, m)
			return
		}
	}
	r.resume(turn.Seat)
	before, idle := r.meters.readIdle(turn.Seat, r.time.used[turn.Seat])
	if r.desk != nil {
		r.desk.open()
	}
	ans, used, late, err := r.ask(turn)
	if idle {
		r.meters.addIdle(turn.Seat, before, used)
	}
	r.suspend(turn.Seat)
	if r.acted(turn.Seat, used, late) {
		return
	}
	if !ans.Taken && r.stopped() {
		r.time.unfinished(turn.Seat, used-late)
		return
	}
	if errors.Is(err, errUnasked) {
		return
	}
	if err != nil {
		r.fail(turn.Seat, used-late, err)
		return
	}
	if !r.charge(turn.Seat, used, late, ans.Raw) {
		return
	}
	r.answer(turn, &ans, used-late, late)
}

// ask prompts the seat and measures its time. late is what of it was our own doing.
func (r *referee) ask(turn game.Turn) (ans player.Answer, used, late time.Duration, err error) {
	seat := turn.Seat
	side := &r.g.Sides[seat]
	p := &r.prompt
	*p = player.Prompt{
		Seat: seat, Turn: turn, Ply: len(r.pos.moves), Moves: &r.views[seat], Clocks: r.time.clocks, Colours: r.pos.colours(),
		View: &r.views[seat], Again: r.tries.again, Rejected: r.tries.rejected, Limits: side.Limits, Sent: r.sent, Report: r.reports[seat],
	}
	if !r.reportsSent[seat] {
		r.rec.release()
	}
	limit := r.time.clocks[seat].Limit()
	free, ok := r.processor(seat)
	if !ok {
		return ans, 0, 0, errUnasked
	}
	r.time.sched[seat].watch(limit)
	began := r.g.Now()
	switch {
	case limit != clock.Unlimited:
		p.Deadline = began.Add(limit + side.Margin)
	case r.g.Policy.Stall > 0:
		p.Deadline = began.Add(r.g.Policy.Stall)
	}
	r.reportsSent[seat] = false
	if r.desk != nil {
		r.desk.thinks(seat, began)
	}
	_, person := side.Player.(player.Person)
	r.g.Brake.asks(!person)
	ans, err = side.Player.Choose(r.ctx, p)
	r.g.Brake.asks(false)
	ended := r.g.Now()
	free()
	r.rec.last.at = ended
	r.rec.release()
	used, late = r.time.measure(began, ended, p.Deadline, &ans, err == nil)
	return ans, used, late, err
}

// charge puts the time on the seat's clock and reports whether the flag still
// stands. The margin and the referee's own lateness are not charged.
func (r *referee) charge(seat game.Seat, used, late time.Duration, raw string) bool {
	margin := r.g.Sides[seat].Margin
	used -= late
	r.time.late = max(r.time.late, late)
	if late > margin {
		r.warn(seat, "the referee noticed the answer %s late, which is not charged", late.Round(time.Millisecond))
	}
	r.time.used[seat] += used
	limit := r.time.clocks[seat].Limit()
	if over := used - limit; limit != clock.Unlimited && over > 0 {
		if over > margin {
			r.time.clocks[seat] = r.time.clocks[seat].Spend(used)
			r.evidence("late answer: ", raw)
			r.forfeit(seat, game.ByTime, r.time.overrun(seat, used, limit))
			return false
		}
		r.warn(seat, "overstepped the time by %s, within the margin", over.Round(time.Microsecond))
		used = limit
	}
	r.time.spend(seat, used)
	r.time.sched[seat].add(used)
	return true
}

// answer judges and applies what the seat decided.
func (r *referee) answer(turn game.Turn, ans *player.Answer, used, late time.Duration) {
	if ans.Unread != "" {
		r.tries.returnedTime += used
		r.illegal(turn.Seat, "answer", ans.Unread, ans.Raw)
		return
	}
	if len(ans.Steps) == 0 {
		r.evidence("answer: ", ans.Raw)
		r.forfeit(turn.Seat, game.ByProtocol, "answered without a decision"+quoted(ans.Raw))
		return
	}
	if ans.Steps[0].Op == game.Resign {
		r.lose(turn.Seat, game.ByResign, "resigned")
		return
	}
	done := r.pos.apply(turn.Seat, ans.Steps, ans.Whole)
	switch {
	case done.broken != nil:
		r.abort(done.broken.Error())
	case done.why != nil:
		r.tries.returnedTime += used
		r.illegal(turn.Seat, r.g.Rules.FormatMove(done.bad), done.why.Error()+r.explained(turn.Seat, ans.Raw), ans.Raw)
	case done.refused:
		r.refuse(turn.Seat, r.tries.returnedTime+used, late)
	default:
		if done.extra > 0 {
			r.warn(turn.Seat, "sent %d more decisions after the end of the game", done.extra)
		}
		r.rec.info, r.rec.lines, r.said[turn.Seat] = ans.Info, ans.Lines, ans.Raw
		r.settle(turn.Seat, false, r.tries.returnedTime+used, late)
	}
}

// errActed ends a game by an act of a seat.
var errActed = errors.New("a seat has ended the game")

// acted does what was brought about beside the moves while a seat was asked, and reports whether its
// answer is void for that: it has used time without one.
func (r *referee) acted(seat game.Seat, used, late time.Duration) bool {
	if r.desk == nil {
		return false
	}
	e := r.desk.shut()
	switch {
	case e == nil:
		return false
	case e.end != nil:
		r.out.Aborted = e.aborted
		r.end(*e.end)
		r.time.unfinished(seat, used-late)
	case e.pause:
		if r.charge(seat, used, late, "") {
			r.tries.returnedTime += used - late
		}
	default:
		r.rewind(e.by, e.keep)
		r.desk.rewound()
	}
	return true
}

// forced plays a forced pass for the seat, without its clock.
func (r *referee) forced(seat game.Seat, m game.Move) {
	r.rec.release()
	var one [1]game.Move
	one[0] = m
	done := r.pos.apply(seat, one[:], false)
	switch {
	case done.broken != nil:
		r.abort(done.broken.Error())
		return
	case done.why != nil:
		r.abort("forced pass: " + done.why.Error())
		return
	}
	r.rec.info, r.rec.lines = game.Info{}, nil
	r.rec.last.at = r.g.Now()
	r.settle(seat, true, 0, 0)
}

// stopped ends the game if it was cancelled from outside.
func (r *referee) stopped() bool {
	if r.ctx.Err() == nil {
		return r.over
	}
	r.end(causeOf(r.ctx))
	return true
}

// stopBoth asks whoever thinks to come to an end.
func (r *referee) stopBoth() {
	r.queueing.stop()
	for s := range r.g.Sides {
		r.g.Sides[s].Player.Stop()
	}
}

// wasSent is called by the player that has passed the question on.
func (r *referee) wasSent() {
	r.reportsSent[r.prompt.Seat] = true
	r.rec.release()
}
