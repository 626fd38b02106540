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

// beginning plays what comes before the first question of an attempt: the events of an
// earlier one, and the opening.
type beginning struct {
	r *referee
	// told is what each seat knows of it, at how many moves came before each.
	told [2][]player.Update
	at   [2][]int
	// given is how much of the opening was played, begun tells that a seat has
	// decided since.
	given         int
	begun         bool
	unadjudicated unadjudicated
}

func (b *beginning) play() error {
	if len(b.r.g.Resume) > 0 {
		if err := b.resume(); err != nil {
			return fmt.Errorf("taking the game up: %w", err)
		}
	}
	if b.begun {
		return nil
	}
	return b.playOpening(b.given)
}

// playOpening applies the opening from decision number i on, and what chance does
// before the first decision.
func (b *beginning) playOpening(i int) error {
	r, list := b.r, b.r.g.Opening
	for i < len(list) || r.pos.state.Turn().Seat == game.Dealer {
		by := r.pos.state.Turn().Seat
		_, forced := r.pos.forced()
		r.pos.clear()
		// A decision is told together with what was dealt for it.
		for first := true; first || r.pos.state.Turn().Seat == game.Dealer; first = false {
			if r.pos.state.Turn().Seat == game.Dealer && (i == len(list) || list[i].Op != game.Deal) {
				if err := r.pos.deal(); err != nil {
					return err
				}
				continue
			}
			m := list[i]
			i++
			if err := r.pos.make(m); err != nil {
				return fmt.Errorf("opening %s, decision %d, %s: %w", r.g.OpeningName, i, r.g.Rules.FormatMove(m), err)
			}
		}
		b.tellOpening(by, forced)
	}
	return nil
}

// tellOpening keeps what the steps just made mean to each seat.
func (b *beginning) tellOpening(by game.Seat, forced bool) {
	r := b.r
	next := r.pos.state.Turn()
	ended := next.Seat != by || next.Step == 0
	for _, m := range r.pos.steps {
		who := by
		if m.Op == game.Deal {
			who = game.Dealer
		}
		r.out.Steps = append(r.out.Steps, Step{By: who, Move: m, Opening: true})
	}
	for seat := range b.told {
		u := player.Update{By: by, Forced: forced, Clocks: r.time.clocks, Next: next, Ended: ended, Colours: r.pos.colours()}
		u.AddNotices(game.Seat(seat), r.pos.notices)
		b.told[seat] = append(b.told[seat], u.Clone())
	}
	r.rec.last = lastDecision{pending: true, at: r.rec.last.at, by: by, opening: true, ended: ended, next: next}
	r.rec.release()
}

// resume plays the game to where an earlier attempt was broken off, from its events,
// and passes them on anew. Boards are shown once, when it is there.
func (b *beginning) resume() error {
	list, r := b.r.g.Resume, b.r
	if err := b.check(&list[0]); err != nil {
		return err
	}
	r.rec.boardsHidden = true
	list = settled(list)
	for i := range list {
		ev := &list[i]
		r.rec.last.at = ev.Time
		var err error
		switch {
		case i > 0 && ev.Kind == journal.KindStart:
			err = errors.New("the game begins a second time")
		case ev.Decision != nil && ev.Decision.Refused:
			err = b.refused(ev.Decision)
		case ev.Decision != nil:
			err = b.decision(ev.Decision, saidWith(list[i+1:]))
		case ev.Rewind != nil:
			err = b.rewind(ev.Rewind)
		case ev.Warning != nil:
			b.warning(ev.Warning)
		case ev.Result != nil:
			err = fmt.Errorf("the game was over: %s", ev.Result.Result.Reason)
		}
		if err != nil {
			return fmt.Errorf("event %d (%s): %w", i+1, ev.Kind, err)
		}
	}
	r.rec.boardsHidden = false
	if r.g.Sink != nil && r.g.Views && len(r.pos.moves) > 0 {
		r.rec.last.refused = false
		r.rec.emitViews()
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
func (b *beginning) check(first *journal.Event) error {
	g, s := b.r.g, first.Start
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
func (b *beginning) decision(d *journal.Decision, said *journal.Said) error {
	r := b.r
	by := r.pos.state.Turn().Seat
	if by != d.By {
		return fmt.Errorf("%s decides and %s is on turn", d.By, by)
	}
	chosen, err := b.opening(d, by)
	if err != nil {
		return err
	}
	before := len(r.pos.moves)
	_, forced := r.pos.forced()
	r.pos.clear()
	for _, m := range d.Steps {
		if m.Op == game.Deal && !chosen {
			if err := b.sameDraw(m); err != nil {
				return err
			}
		}
		if err := r.pos.make(m); err != nil {
			return fmt.Errorf("%s: %w", r.g.Rules.FormatMove(m), err)
		}
	}
	next := r.pos.state.Turn()
	ended := next.Seat != by || next.Step == 0
	b.clocks(&d.Clocks, by, ended && !d.Forced)
	for s := range b.at {
		b.at[s] = append(b.at[s], before)
	}
	if d.Opening {
		b.tellOpening(by, forced)
		return nil
	}
	b.stands(d, said, next, ended)
	return nil
}

// opening places a decision in the opening, and tells whether it was given there.
func (b *beginning) opening(d *journal.Decision, by game.Seat) (given bool, err error) {
	list := b.r.g.Opening
	if !d.Opening {
		if !b.begun && b.given < len(list) {
			return false, fmt.Errorf("the opening has %d decisions, of which %d were made", len(list), b.given)
		}
		b.begun = true
		return false, nil
	}
	if b.begun || len(d.Steps) == 0 {
		return false, errors.New("a decision of the opening is out of place")
	}
	if b.given == len(list) || by == game.Dealer && list[b.given].Op != game.Deal {
		return false, nil
	}
	if d.Steps[0] != list[b.given] {
		return false, fmt.Errorf("decision %d of the opening is %s, the game was begun with %s", b.given+1,
			b.r.g.Rules.FormatMove(list[b.given]), b.r.g.Rules.FormatMove(d.Steps[0]))
	}
	b.given++
	return true, nil
}

// sameDraw lets the dealer come along: what chance decided must come out again.
func (b *beginning) sameDraw(m game.Move) error {
	drawn, err := b.r.pos.draw()
	if err == nil && drawn != m {
		err = errors.New("the dealer is another one: what was dealt does not come out again")
	}
	return err
}

// clocks sets both clocks to what they were after a decision of a seat.
func (b *beginning) clocks(list *[2]journal.Clock, by game.Seat, ended bool) {
	for s := range list {
		k, c := &b.r.time.clocks[s], &list[s]
		k.Used += c.Total - k.Total
		if ended && game.Seat(s) == by {
			k.Used = 0
		}
		k.Left, k.Total, k.Moves, k.Periods, k.Stage = c.Left, c.Total, c.Moves, c.Periods, c.Stage
		k.Overtime = c.Stage == clock.InOvertime
	}
}

// stands does with a decision of a seat what is done when it is made.
func (b *beginning) stands(d *journal.Decision, said *journal.Said, next game.Turn, ended bool) {
	r := b.r
	b.heard()
	r.rec.info, r.rec.lines, r.time.transit = game.Info{}, nil, d.Error
	if said != nil {
		r.rec.info, r.rec.lines = said.Info, said.Lines
	}
	if ended {
		r.out.Turns++
	}
	r.time.used[d.By] += d.Used
	r.time.late = max(r.time.late, d.Late)
	r.rec.last = lastDecision{
		at: r.rec.last.at, by: d.By, forced: d.Forced, ended: ended, used: d.Used, refusedTime: r.tries.refusedTime, late: d.Late,
		lost: d.Error, next: next,
	}
	r.tries = tries{}
	r.note()
	b.tell(game.First)
	b.tell(game.Second)
	b.unadjudicated = unadjudicated{pending: true, by: d.By, judged: ended && !d.Forced}
	r.rec.last.pending = true
	r.rec.release()
}

// tell keeps what the seat is told of the latest decision.
func (b *beginning) tell(seat game.Seat) {
	var u player.Update
	b.r.fill(&u, seat)
	b.told[seat] = append(b.told[seat], u.Clone())
}

// refused makes an attempt that did not stand. It is told to whoever made it.
func (b *beginning) refused(d *journal.Decision) error {
	r := b.r
	if by := r.pos.state.Turn().Seat; by != d.By || len(d.Steps) != 1 {
		return fmt.Errorf("%s tries and %s is on turn", d.By, by)
	}
	b.heard()
	b.begun = true
	m := d.Steps[0]
	r.pos.steps = r.pos.steps[:0]
	if told, err := r.pos.state.Clone().Apply(m, nil); err == nil && refusal(told) {
		if r.pos.notices, err = r.pos.state.Apply(m, r.pos.notices[:0]); err != nil {
			return err
		}
	} else { // a later step of an answer, of which nothing stood
		r.pos.notices = append(r.pos.notices[:0], game.Notice{To: game.To(d.By), Kind: game.Refused, By: d.By, Move: m})
	}
	b.clocks(&d.Clocks, d.By, false)
	r.time.used[d.By] += d.Used
	r.time.late = max(r.time.late, d.Late)
	r.noteRefusal(d.By, d.Used, d.Late)
	b.tell(d.By)
	b.at[d.By] = append(b.at[d.By], len(r.pos.moves))
	r.rec.last.pending = true
	r.rec.release()
	return nil
}

// rewind takes back what was taken back.
func (b *beginning) rewind(w *journal.Rewind) error {
	r := b.r
	keep := len(r.pos.moves) - w.Steps
	if keep < 0 || w.Steps < 1 {
		return fmt.Errorf("%d of %d steps are taken back", w.Steps, len(r.pos.moves))
	}
	b.unadjudicated = unadjudicated{}
	if _, err := r.unwind(keep); err != nil {
		return err
	}
	for s := range b.told {
		n, _ := slices.BinarySearch(b.at[s], keep)
		b.told[s], b.at[s] = b.told[s][:n], b.at[s][:n]
	}
	b.clocks(&w.Clocks, game.Nobody, false)
	for s := range r.time.clocks {
		r.time.clocks[s].Used = 0
	}
	if r.g.Sink != nil {
		r.rec.emit(&journal.Event{Rewind: w}, journal.KindRewind, game.Public)
	}
	return nil
}

// warning keeps one that was given, and counts an answer that was given back.
func (b *beginning) warning(w *journal.Warning) {
	r := b.r
	if w.Retry {
		r.retries++
		r.tries.again++
		r.tries.rejected = player.AnswerIllegal
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
func (b *beginning) heard() {
	if u := b.unadjudicated; u.pending && u.judged {
		b.r.judge.hear(u.by, b.r.rec.info.Eval, &b.r.g.Policy)
	}
	b.unadjudicated = unadjudicated{}
}

// judge does what was to follow the last decision before the game was broken off.
func (b *beginning) judge() {
	r := b.r
	switch {
	case r.over:
	case r.tries.refusals >= MaxAttempts:
		r.tooOften(r.pos.state.Turn().Seat)
	case b.unadjudicated.pending:
		r.adjudicate(b.unadjudicated.by, b.unadjudicated.judged)
	}
}
