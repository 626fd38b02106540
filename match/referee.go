package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// referee is the running game. Nothing of it is seen by anybody else.
type referee struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	g      *Game
	doc    *rules.Doc
	state  rules.State
	// forcer and coloured are the state, if it can do that.
	forcer   rules.Forcer
	coloured rules.Coloured
	start    rules.State // the position before the opening, to play through again
	moves    []game.Move // all that was applied to it, the dealer's included
	dealt    map[uint64]game.Move
	clocks   [2]clock.Clock
	out      Outcome
	over     bool

	// again counts the refusals and illegal answers of the running turn, refusals
	// the former alone, retries the illegal answers of the game.
	again    int
	refusals int
	rejected player.Rejection
	bad      string // what was illegal, and why
	retries  int
	// returnedTime is the time of answers that were given back, which counts with the
	// next one; refusedTime that of refused attempts, which the opponent must not be
	// able to tell from thinking.
	returnedTime, refusedTime time.Duration

	prompt          player.Prompt
	updates         [2]player.Update
	views           [2]seatView
	notices         []game.Notice
	steps           []game.Move
	info            game.Info
	lines           []game.Info
	result          game.Result // what the board says
	judge           adjudicator
	idle            [2]bool // suspended
	droppedWarnings int     // warnings beyond those kept

	lastDecision  lastDecision
	boardsHidden  bool // boards are not shown yet
	unadjudicated unadjudicated
	reportsSent   [2]bool // the player calls Prompt.Sent
	sent          func()
	reports       [2]func(*game.Info) // Prompt.Report of each seat
	desk          *desk               // nil where nobody acts beside his moves
	meters        meters
	sched         [2]scheduled
	// queueing is the wait for a processor.
	queueing queueing
	transit  time.Duration // transmission error of the answer
}

// seatView shows the position to one seat, and what it may decide, and nothing
// else of it.
type seatView struct {
	r    *referee
	seat game.Seat
}

// View builds what the seat may know now.
func (v *seatView) View() game.View { return v.r.state.View(game.To(v.seat)) }

// Legal appends what the seat on turn may decide.
func (v *seatView) Legal(dst []game.Move) []game.Move { return v.r.state.Legal(dst) }

// usualSteps is how many decisions most games have.
const usualSteps = 80

func newReferee(ctx context.Context, cancel context.CancelCauseFunc, g *Game) *referee {
	r := &referee{ctx: ctx, cancel: cancel, g: g, doc: g.Rules.Doc()}
	r.out.Steps = make([]Step, 0, usualSteps)
	r.moves = make([]game.Move, 0, usualSteps)
	for s := range r.clocks {
		r.clocks[s] = clock.New(g.Sides[s].Clock)
		r.views[s] = seatView{r, game.Seat(s)}
		if g.Report != nil {
			r.reports[s] = func(i *game.Info) { g.Report(game.Seat(s), i) }
		}
	}
	r.sent = r.wasSent
	return r
}

// turn asks the seat on turn for one answer and applies it.
func (r *referee) turn() {
	turn := r.state.Turn()
	if !turn.Seat.IsPlayer() {
		r.abort(fmt.Sprintf("the rules name %s to decide", turn.Seat))
		return
	}
	if r.stopped() {
		return
	}
	if r.forcer != nil && turn.Step == 0 {
		if m, ok := r.forcer.Forced(); ok {
			r.forced(turn.Seat, m)
			return
		}
	}
	r.resume(turn.Seat)
	before, idle := r.meters.readIdle(turn.Seat, r.out.Used[turn.Seat])
	if r.desk != nil {
		r.desk.open()
	}
	ans, used, late, err := r.ask(turn)
	if idle {
		r.meters.addIdle(turn.Seat, before, used)
	}
	r.suspend(turn.Seat)
	if r.acted() || !ans.Taken && r.stopped() {
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

// ask prompts the seat and measures its time: that of its host if it measured,
// else the referee's own. late is what of it was our own doing.
//
// A host waits for its engine until the deadline; when it brings an answer after
// that, it was itself woken late, and what is beyond the deadline is not the
// engine's. A player that thinks in this process has no such excuse.
func (r *referee) ask(turn game.Turn) (ans player.Answer, used, late time.Duration, err error) {
	seat := turn.Seat
	side := &r.g.Sides[seat]
	p := &r.prompt
	*p = player.Prompt{
		Seat: seat, Turn: turn, Moves: &r.views[seat], Clocks: r.clocks, Colours: r.colours(), View: &r.views[seat],
		Again: r.again, Rejected: r.rejected, Limits: side.Limits, Sent: r.sent, Report: r.reports[seat],
	}
	if !r.reportsSent[seat] {
		r.release()
	}
	limit := r.clocks[seat].Limit()
	free, ok := r.processor(seat)
	if !ok {
		return ans, 0, 0, errUnasked
	}
	r.sched[seat].watch(limit)
	began := r.g.Now()
	switch {
	case limit != clock.Unlimited:
		p.Deadline = began.Add(limit + side.Margin)
	case r.g.Policy.Stall > 0:
		p.Deadline = began.Add(r.g.Policy.Stall)
	}
	r.reportsSent[seat] = false
	ans, err = side.Player.Choose(r.ctx, p)
	ended := r.g.Now()
	free()
	r.lastDecision.at = ended
	r.release()
	used = ended.Sub(began)
	late = ans.Late
	r.transit = 0
	if err == nil && !ans.Measured && ans.Claimed > 0 {
		r.transit = max(0, used-ans.Claimed) / 2
	}
	if err == nil && ans.Measured {
		r.transit = max(0, used-ans.Used) / 2
		used = ans.Used
		if !p.Deadline.IsZero() {
			// What the host needed to make the engine ready is in neither: it
			// moved its deadline by that.
			late = max(late, min(ended.Sub(p.Deadline), used-p.Deadline.Sub(began)))
		}
	}
	if err == nil {
		late = max(late, r.slept(began, ended, ans.Measured))
	}
	used = max(0, used)
	return ans, used, min(max(0, late), used), err
}

// slept is for how much of a turn this process was stopped, by whatever, and the
// player cannot have needed it: one that thinks in here was stopped too; of another's
// answer, if it was there on waking up, nobody knows when it came.
func (r *referee) slept(began, ended time.Time, outside bool) time.Duration {
	if r.g.Slept == nil {
		return 0
	}
	all, last := r.g.Slept(began, ended)
	if outside {
		return last
	}
	return all
}

// charge puts the time on the seat's clock and reports whether the flag still
// stands. The margin and the referee's own lateness are not charged.
func (r *referee) charge(seat game.Seat, used, late time.Duration, raw string) bool {
	margin := r.g.Sides[seat].Margin
	used -= late
	r.out.Late = max(r.out.Late, late)
	if late > margin {
		r.warn(seat, "the referee noticed the answer %s late, which is not charged", late.Round(time.Millisecond))
	}
	r.out.Used[seat] += used
	limit := r.clocks[seat].Limit()
	if over := used - limit; limit != clock.Unlimited && over > 0 {
		if over > margin {
			r.clocks[seat] = r.clocks[seat].Spend(used)
			r.evidence("late answer: ", raw)
			r.forfeit(seat, game.ByTime, r.overText(seat, used, limit)+r.starved(seat, used, limit))
			return false
		}
		r.warn(seat, "overstepped the time by %s, within the margin", over.Round(time.Microsecond))
		used = limit
	}
	r.spend(seat, used)
	r.sched[seat].add(used)
	return true
}

// spend runs the seat's clock.
func (r *referee) spend(seat game.Seat, used time.Duration) {
	r.clocks[seat] = r.clocks[seat].Spend(used)
	r.clocks[seat.Other()] = r.clocks[seat.Other()].Gain(used)
}

func (r *referee) overText(seat game.Seat, used, limit time.Duration) string {
	return fmt.Sprintf("used %s of %s (margin %s)", used.Round(time.Microsecond), limit.Round(time.Microsecond), r.g.Sides[seat].Margin)
}

// answer judges and applies what the seat decided.
func (r *referee) answer(turn game.Turn, ans *player.Answer, used, late time.Duration) {
	if ans.Unread != "" {
		r.returnedTime += used
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
	refused, bad, err := r.apply(turn.Seat, ans.Steps, ans.Whole)
	switch {
	case r.over: // the dealer failed
	case err != nil:
		r.returnedTime += used
		r.illegal(turn.Seat, r.g.Rules.FormatMove(bad), err.Error()+r.explained(turn.Seat, ans.Raw), ans.Raw)
	case refused:
		r.refuse(turn.Seat, r.returnedTime+used, late)
	default:
		r.info, r.lines = ans.Info, ans.Lines
		r.settle(turn.Seat, false, r.returnedTime+used, late)
	}
}

// errActed ends a game by an act of a seat.
var errActed = errors.New("a seat has ended the game")

// acted does what the seats have brought about while one of them was asked, and
// reports whether its answer is void for that.
func (r *referee) acted() bool {
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
	default:
		r.rewind(e.by, e.keep)
		r.desk.rewound()
	}
	return true
}

// forced plays a forced pass for the seat, without its clock.
func (r *referee) forced(seat game.Seat, m game.Move) {
	r.release()
	var one [1]game.Move
	one[0] = m
	if _, _, err := r.apply(seat, one[:], false); err != nil {
		r.abort("forced pass: " + err.Error())
	}
	if r.over {
		return
	}
	r.info, r.lines = game.Info{}, nil
	r.lastDecision.at = r.g.Now()
	r.settle(seat, true, 0, 0)
}

// colours returns what the seats play with now.
func (r *referee) colours() [2]game.Colour {
	if r.coloured != nil {
		return r.coloured.Colours()
	}
	return r.doc.Colours
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
