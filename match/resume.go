package match

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// again plays a game to where an earlier attempt was broken off, from its events,
// and passes them on anew. Boards are shown once, when it is there.
type again struct {
	r *referee
	// history is what each seat knows of it, at how many moves came before each.
	history [2][]player.Update
	at      [2][]int
	// given is how much of the opening was played, begun tells that a seat has
	// decided since.
	given int
	begun bool
}

// play does all that the events tell.
func (a *again) play() error {
	list, r := a.r.g.Resume, a.r
	if err := a.check(&list[0]); err != nil {
		return err
	}
	r.boardsHidden = true
	list = settled(list)
	for i := range list {
		ev := &list[i]
		r.lastDecision.at = ev.Time
		var err error
		switch {
		case i > 0 && ev.Kind == journal.KindStart:
			err = errors.New("the game begins a second time")
		case ev.Decision != nil && ev.Decision.Refused:
			err = a.refused(ev.Decision)
		case ev.Decision != nil:
			err = a.decision(ev.Decision, saidWith(list[i+1:]))
		case ev.Rewind != nil:
			err = a.rewind(ev.Rewind)
		case ev.Warning != nil:
			a.warning(ev.Warning)
		case ev.Result != nil:
			err = fmt.Errorf("the game was over: %s", ev.Result.Result.Reason)
		}
		if err != nil {
			return fmt.Errorf("event %d (%s): %w", i+1, ev.Kind, err)
		}
	}
	r.boardsHidden = false
	if r.g.Sink != nil && r.g.Views && len(r.moves) > 0 {
		r.lastDecision.refused = false
		r.emitViews()
	}
	return nil
}

// settled leaves out warnings at the end, which come before the decision that they are
// about and are given again with it. An answer that was given back stays given back.
func settled(list []journal.Event) []journal.Event {
	n := len(list)
	for n > 0 && list[n-1].Kind == journal.KindWarning {
		n--
	}
	return append(list[:n:n], slices.DeleteFunc(slices.Clone(list[n:]), func(ev journal.Event) bool { return !ev.Warning.Retry })...)
}

// check looks whether the events are of this game.
func (a *again) check(first *journal.Event) error {
	g, s := a.r.g, first.Start
	switch {
	case s == nil:
		return fmt.Errorf("the first event is of kind %q and not the start of a game", first.Kind)
	case s.Spec != g.Rules.Spec():
		return fmt.Errorf("the events are of %s, the game is %s", s.Spec, g.Rules.Spec())
	case s.Position != g.Position:
		return errors.New("the events are of a game from another position")
	}
	return nil
}

// saidWith returns what a player said with the decision before the events.
func saidWith(list []journal.Event) *journal.Said {
	for i := range list {
		switch list[i].Kind {
		case journal.KindSaid:
			return list[i].Said
		case journal.KindNotices, journal.KindView:
		default:
			return nil
		}
	}
	return nil
}

// decision makes one that stood.
func (a *again) decision(d *journal.Decision, said *journal.Said) error {
	r := a.r
	by := r.state.Turn().Seat
	if by != d.By {
		return fmt.Errorf("%s decides and %s is on turn", d.By, by)
	}
	chosen, err := a.opening(d, by)
	if err != nil {
		return err
	}
	before := len(r.moves)
	r.notices, r.steps = r.notices[:0], r.steps[:0]
	for _, m := range d.Steps {
		if m.Op == game.Deal && !chosen {
			if err := a.sameDraw(m); err != nil {
				return err
			}
		}
		if r.notices, err = r.state.Apply(m, r.notices); err != nil {
			return fmt.Errorf("%s: %w", r.g.Rules.FormatMove(m), err)
		}
		r.moves, r.steps = append(r.moves, m), append(r.steps, m)
	}
	next := r.state.Turn()
	ended := next.Seat != by || next.Step == 0
	a.clocks(&d.Clocks, by, ended && !d.Forced)
	for s := range a.at {
		a.at[s] = append(a.at[s], before)
	}
	if d.Opening {
		r.openingTold(by, &a.history)
		return nil
	}
	a.stands(d, said, next, ended)
	return nil
}

// opening places a decision in the opening, and tells whether it was given there.
func (a *again) opening(d *journal.Decision, by game.Seat) (given bool, err error) {
	list := a.r.g.Opening
	if !d.Opening {
		if !a.begun && a.given < len(list) {
			return false, fmt.Errorf("the opening has %d decisions, of which %d were made", len(list), a.given)
		}
		a.begun = true
		return false, nil
	}
	if a.begun || len(d.Steps) == 0 {
		return false, errors.New("a decision of the opening is out of place")
	}
	if a.given == len(list) || by == game.Dealer && list[a.given].Op != game.Deal {
		return false, nil
	}
	if d.Steps[0] != list[a.given] {
		return false, fmt.Errorf("decision %d of the opening is %s, the game was begun with %s", a.given+1,
			a.r.g.Rules.FormatMove(list[a.given]), a.r.g.Rules.FormatMove(d.Steps[0]))
	}
	a.given++
	return true, nil
}

// sameDraw lets the dealer come along: what chance decided must come out again.
func (a *again) sameDraw(m game.Move) error {
	drawn, err := a.r.draw()
	if err == nil && drawn != m {
		err = errors.New("the dealer is another one: what was dealt does not come out again")
	}
	return err
}

// clocks sets both clocks to what they were after a decision of a seat.
func (a *again) clocks(list *[2]journal.Clock, by game.Seat, ended bool) {
	for s := range list {
		k, c := &a.r.clocks[s], &list[s]
		k.Used += c.Total - k.Total
		if ended && game.Seat(s) == by {
			k.Used = 0
		}
		k.Left, k.Total, k.Moves, k.Periods, k.Stage = c.Left, c.Total, c.Moves, c.Periods, c.Stage
		k.Overtime = c.Stage == clock.InOvertime
	}
}

// stands does with a decision of a seat what is done when it is made.
func (a *again) stands(d *journal.Decision, said *journal.Said, next game.Turn, ended bool) {
	r := a.r
	r.heard()
	r.info, r.lines, r.transit = game.Info{}, nil, d.Error
	if said != nil {
		r.info, r.lines = said.Info, said.Lines
	}
	if ended {
		r.out.Turns++
	}
	r.out.Used[d.By] += d.Used
	r.out.Late = max(r.out.Late, d.Late)
	refusedTime := r.refusedTime
	r.again, r.refusals, r.rejected = 0, 0, 0
	r.returnedTime, r.refusedTime = 0, 0
	r.note(d.By, d.Forced, d.Used)
	for s := range a.history {
		u := player.Update{By: d.By, Forced: d.Forced, Used: d.Used, Clocks: r.clocks, Next: next, Ended: ended, Colours: r.colours()}
		u.AddNotices(game.Seat(s), r.notices)
		if game.Seat(s) != d.By {
			u.Used += refusedTime
		} else if !d.Forced {
			u.Info = &r.info
		}
		a.history[s] = append(a.history[s], u.Clone())
	}
	r.unadjudicated = unadjudicated{pending: true, by: d.By, judged: ended && !d.Forced}
	r.lastDecision = lastDecision{
		pending: true, at: r.lastDecision.at, by: d.By, forced: d.Forced, ended: ended, used: d.Used, refusedTime: refusedTime, late: d.Late,
		lost: d.Error, next: next,
	}
	r.release()
}

// refused makes an attempt that did not stand. It is told to whoever made it.
func (a *again) refused(d *journal.Decision) error {
	r := a.r
	if by := r.state.Turn().Seat; by != d.By || len(d.Steps) != 1 {
		return fmt.Errorf("%s tries and %s is on turn", d.By, by)
	}
	r.heard()
	a.begun = true
	m := d.Steps[0]
	r.steps = r.steps[:0]
	if told, err := r.state.Clone().Apply(m, nil); err == nil && refusal(told) {
		if r.notices, err = r.state.Apply(m, r.notices[:0]); err != nil {
			return err
		}
	} else { // a later step of an answer, of which nothing stood
		r.notices = append(r.notices[:0], game.Notice{To: game.To(d.By), Kind: game.Refused, By: d.By, Move: m})
	}
	a.clocks(&d.Clocks, d.By, false)
	r.again++
	r.refusals++
	r.rejected, r.returnedTime = player.AttemptRefused, 0
	r.refusedTime += d.Used
	r.out.Used[d.By] += d.Used
	r.out.Late = max(r.out.Late, d.Late)
	r.out.Attempts = append(r.out.Attempts, Attempt{Before: len(r.out.Steps), By: d.By, Move: m, Used: d.Used})
	next := r.state.Turn()
	u := player.Update{By: d.By, Used: d.Used, Clocks: r.clocks, Next: next, Colours: r.colours()}
	u.AddNotices(d.By, r.notices)
	a.history[d.By] = append(a.history[d.By], u.Clone())
	a.at[d.By] = append(a.at[d.By], len(r.moves))
	r.lastDecision = lastDecision{pending: true, at: r.lastDecision.at, by: d.By, refused: true, used: d.Used, late: d.Late, next: next}
	r.release()
	return nil
}

// rewind takes back what was taken back.
func (a *again) rewind(w *journal.Rewind) error {
	r := a.r
	keep := len(r.moves) - w.Steps
	if keep < 0 || w.Steps < 1 {
		return fmt.Errorf("%d of %d steps are taken back", w.Steps, len(r.moves))
	}
	r.unadjudicated = unadjudicated{}
	r.unwind(keep)
	if r.over {
		return errors.New(r.out.Result.Detail)
	}
	for s := range a.history {
		n, _ := slices.BinarySearch(a.at[s], keep)
		a.history[s], a.at[s] = a.history[s][:n], a.at[s][:n]
	}
	a.clocks(&w.Clocks, game.Nobody, false)
	for s := range r.clocks {
		r.clocks[s].Used = 0
	}
	if r.g.Sink != nil {
		r.emit(&journal.Event{Rewind: w}, journal.KindRewind, game.Public)
	}
	return nil
}

// warning keeps one that was given, and counts an answer that was given back.
func (a *again) warning(w *journal.Warning) {
	r := a.r
	if w.Retry {
		r.retries++
		r.again++
		r.rejected = player.AnswerIllegal
	}
	r.keepWarning(w)
}

// unadjudicated is a decision of an earlier attempt of which the adjudicator has not
// heard yet: of the last one nobody knows whether it did.
type unadjudicated struct {
	pending bool
	by      game.Seat
	judged  bool
}

// heard lets the adjudicator hear of a decision after which the game went on.
func (r *referee) heard() {
	if u := r.unadjudicated; u.pending && u.judged {
		r.judge.hear(u.by, r.info.Eval, &r.g.Policy)
	}
	r.unadjudicated = unadjudicated{}
}

// judgeAgain does what was to follow the last decision before the game was broken
// off.
func (r *referee) judgeAgain() {
	u := r.unadjudicated
	r.unadjudicated = unadjudicated{}
	if r.over {
		return
	}
	if r.refusals >= MaxAttempts {
		r.tooOften(r.state.Turn().Seat)
		return
	}
	if u.pending {
		r.adjudicate(u.by, u.judged)
	}
}
