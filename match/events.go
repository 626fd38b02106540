package match

import (
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/rules"
)

func (r *referee) recordStart() {
	if r.g.Sink == nil {
		return
	}
	g := r.g
	r.event.Start = &journal.Start{
		Spec: g.Rules.Spec(), Names: [2]string{g.Sides[0].Name, g.Sides[1].Name}, Position: g.Position, Opening: g.OpeningName,
		OpeningSteps: g.Opening, Commitment: g.Commitment, Round: g.Round, Pair: g.Pair,
	}
	r.event.Start.Controls[0], r.event.Start.Controls[1] = g.Sides[0].Clock, g.Sides[1].Clock
	to := game.Public
	if r.private() {
		to = game.Arbiter
	}
	r.emit(journal.GameStarted, to)
}

// private reports whether decisions are no public facts.
func (r *referee) private() bool { return r.g.Rules.Doc().Info == rules.Private }

// record writes a decision and what else was told, after it was handed on.
func (r *referee) record(by game.Seat, forced bool, used, late time.Duration) {
	if r.g.Sink == nil {
		return
	}
	r.decided = journal.Decision{
		By: by, Steps: r.steps, Forced: forced, Used: used, Late: late, Left: r.clocks[by].Remaining(), Info: r.info,
	}
	r.event.Decision = &r.decided
	if r.private() {
		r.emit(journal.Decided, game.Arbiter)
		r.recordNotices()
		return
	}
	r.emit(journal.Decided, game.Public)
	for i := range r.notices {
		if r.notices[i].Kind != game.Played {
			r.recordNotice(&r.notices[i])
		}
	}
}

func (r *referee) recordNotices() {
	for i := range r.notices {
		r.recordNotice(&r.notices[i])
	}
}

func (r *referee) recordNotice(n *game.Notice) {
	if r.g.Sink == nil {
		return
	}
	r.event.Notice = n
	r.emit(journal.Told, n.To)
}

func (r *referee) recordWarning(text string) {
	if r.g.Sink == nil {
		return
	}
	r.event.Text = text
	r.emit(journal.Warned, game.Arbiter)
}

func (r *referee) recordEnd() {
	if r.g.Sink == nil {
		return
	}
	r.event.Result = &r.out.Result
	r.emit(journal.Ended, game.Public)
}
