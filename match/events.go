package match

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/rules"
)

// emit hands an event on, dated; the rest of r.event is filled by the caller.
func (r *referee) emit(kind journal.Kind, to game.Audience) {
	r.event.Kind, r.event.Game, r.event.Time, r.event.To = kind, r.g.ID, r.g.Now(), to
	r.g.Sink(&r.event)
	r.event = journal.Event{}
}

// private reports whether decisions are no public facts.
func (r *referee) private() bool { return r.g.Rules.Doc().Info == rules.Private }

// public is the audience of what everybody sees, unless the game hides it.
func (r *referee) public() game.Audience {
	if r.private() {
		return game.Arbiter
	}
	return game.Public
}

func (r *referee) recordStart(toMove game.Seat) {
	g := r.g
	if g.Sink == nil {
		return
	}
	r.event.Start = &journal.Start{
		Spec: g.Rules.Spec(), Names: [2]string{g.Sides[0].Name, g.Sides[1].Name}, Controls: [2]clock.Control{g.Sides[0].Clock, g.Sides[1].Clock},
		Position: g.Position, ToMove: toMove, Opening: g.OpeningName, Commitment: g.Commitment, Round: g.Round, Pair: g.Pair, Attempt: 1, Rated: g.Rated,
	}
	r.emit(journal.KindStart, game.Public)
	for i := range r.out.Steps {
		s := &r.out.Steps[i]
		r.decided = journal.Decision{By: s.By, Steps: []game.Move{s.Move}, Opening: true, Clocks: r.journalClocks(), Next: r.state.Turn()}
		r.event.Decision = &r.decided
		r.emit(journal.KindDecision, r.public())
	}
}

func (r *referee) journalClocks() [2]journal.Clock {
	return [2]journal.Clock{journal.ClockOf(r.clocks[0]), journal.ClockOf(r.clocks[1])}
}

// record writes a decision and what was told of it, after it was handed on.
func (r *referee) record(by game.Seat, forced, refused, ended bool, used, late time.Duration) {
	if r.g.Sink == nil {
		return
	}
	r.decided = journal.Decision{
		By: by, Steps: r.steps, Refused: refused, Forced: forced, Used: used, Late: late, Clocks: r.journalClocks(), Next: r.state.Turn(), Ended: ended,
	}
	r.event.Decision = &r.decided
	r.emit(journal.KindDecision, r.public())
	if r.private() {
		r.recordNotices(by, used)
	}
	if v := &r.info; !forced && !refused && (v.Eval.Known() || v.Depth > 0 || v.Nodes > 0 || len(v.PV) > 0 || v.Text != "") {
		r.said = journal.Said{By: by, Info: r.info}
		r.event.Said = &r.said
		r.emit(journal.KindSaid, game.Arbiter)
	}
}

// recordNotices writes, for each audience that may not see everything, what it
// was told.
func (r *referee) recordNotices(by game.Seat, used time.Duration) {
	for _, to := range [...]game.Audience{game.ToFirst, game.ToSecond, game.Public} {
		list := r.told[:0]
		for i := range r.notices {
			if r.notices[i].To == to {
				list = append(list, r.notices[i])
			}
		}
		r.told = list
		if len(list) == 0 {
			continue
		}
		r.event.Notices = &journal.Notices{By: by, Notices: list, Used: used, Clocks: r.journalClocks(), Next: r.state.Turn()}
		r.emit(journal.KindNotices, to)
	}
}

func (r *referee) recordWarning(seat game.Seat, text string) {
	if r.g.Sink == nil {
		return
	}
	r.event.Warning = &journal.Warning{Seat: seat, Text: text}
	r.emit(journal.KindWarning, game.Arbiter)
}

func (r *referee) recordEnd() {
	if r.g.Sink == nil {
		return
	}
	if len(r.out.Evidence) > 0 {
		r.event.Evidence = &journal.Evidence{Seat: r.loser(), Lines: r.out.Evidence, Final: r.out.Final}
		r.emit(journal.KindEvidence, game.Arbiter)
	}
	r.event.Result = &journal.Result{Result: r.out.Result, Plies: r.out.Plies, Used: r.out.Used, Late: r.out.Late, Warnings: len(r.out.Warnings)}
	r.emit(journal.KindResult, game.Public)
}
