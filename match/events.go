package match

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/rules"
)

// lastDecision is what was decided and is not yet in the journal. The steps and notices
// stand in the referee until the next answer is applied, which is later.
type lastDecision struct {
	pending                       bool
	at                            time.Time
	by                            game.Seat
	forced, refused, opening      bool
	ended                         bool
	used, refusedTime, late, lost time.Duration // lost is the transmission error
	next                          game.Turn
	event                         journal.Event
	decided                       journal.Decision
}

// wasSent is called by the player that has passed the question on.
func (r *referee) wasSent() {
	r.reportsSent[r.prompt.Seat] = true
	r.release()
}

// release puts what was decided into the journal.
func (r *referee) release() {
	n := &r.lastDecision
	if !n.pending {
		return
	}
	n.pending = false
	if r.g.Sink == nil {
		return
	}
	clocks := r.journalClocks()
	n.decided = journal.Decision{
		By: n.by, Steps: r.steps, Refused: n.refused, Forced: n.forced, Opening: n.opening,
		Used: n.used, Late: n.late, Error: n.lost, Clocks: clocks, Next: n.next, Ended: n.ended,
	}
	if n.refused {
		n.decided.Steps = r.refusedStep()
	}
	n.event = journal.Event{Decision: &n.decided}
	r.emit(&n.event, journal.KindDecision, r.public())
	if r.private() {
		r.emitNotices(clocks)
	}
	if r.said() {
		r.emit(&journal.Event{Said: &journal.Said{By: n.by, Info: r.info, Lines: r.lines}}, journal.KindSaid, game.Arbiter)
	}
	if r.g.Views && !r.boardsHidden {
		r.emitViews()
	}
}

// said reports whether the player told anything with its decision.
func (r *referee) said() bool {
	if r.lastDecision.forced || r.lastDecision.refused || r.lastDecision.opening || !r.lastDecision.by.IsPlayer() {
		return false
	}
	v := &r.info
	return v.Eval.Unit != game.NoUnit || v.Depth > 0 || v.Nodes > 0 || v.Time > 0 || v.Book || v.Text != "" || len(v.PV) > 0 ||
		len(r.lines) > 0
}

// refusedStep finds the attempt in the notice that refused it.
func (r *referee) refusedStep() []game.Move {
	for i := range r.notices {
		if r.notices[i].Kind == game.Refused {
			return append(r.steps[:0], r.notices[i].Move)
		}
	}
	return nil
}

// emit hands an event on, dated with the decision.
func (r *referee) emit(ev *journal.Event, kind journal.Kind, to game.Audience) {
	ev.Kind, ev.Game, ev.Time, ev.To = kind, r.g.ID, r.lastDecision.at, to
	r.g.Sink(ev)
}

// private reports whether decisions are no public facts.
func (r *referee) private() bool { return r.doc.Info == rules.Private }

// public is the audience of what everybody sees, unless the game hides it.
func (r *referee) public() game.Audience {
	if r.private() {
		return game.Arbiter
	}
	return game.Public
}

// emitNotices tells each audience that may not see everything what it learned.
// A refused attempt is nobody's business but the mover's, not even its time.
func (r *referee) emitNotices(clocks [2]journal.Clock) {
	n := &r.lastDecision
	for _, to := range [...]game.Audience{game.ToFirst, game.ToSecond, game.Public} {
		if n.refused && to != game.To(n.by) {
			continue
		}
		var list []game.Notice
		for i := range r.notices {
			if r.notices[i].To == to {
				list = append(list, r.notices[i])
			}
		}
		if len(list) == 0 {
			continue
		}
		used := n.used
		if to != game.To(n.by) {
			used += n.refusedTime
		}
		r.emit(&journal.Event{Notices: &journal.Notices{By: n.by, Notices: list, Used: used, Clocks: clocks, Next: n.next}}, journal.KindNotices,
			to)
	}
}

// emitViews shows the board to each audience that sees another one.
func (r *referee) emitViews() {
	to := []game.Audience{game.Public}
	if r.private() {
		to = []game.Audience{game.ToFirst, game.ToSecond, game.Public}
		if r.lastDecision.refused {
			to = []game.Audience{game.To(r.lastDecision.by)}
		}
	}
	for _, a := range to {
		v := r.state.View(a)
		r.emit(&journal.Event{View: &v}, journal.KindView, a)
	}
}

func (r *referee) journalClocks() [2]journal.Clock {
	return [2]journal.Clock{journal.ClockOf(r.clocks[0]), journal.ClockOf(r.clocks[1])}
}

func (r *referee) recordStart(toMove game.Seat) {
	g := r.g
	if g.Sink == nil {
		return
	}
	r.lastDecision.at = g.Now()
	if len(g.Resume) > 0 {
		r.lastDecision.at = g.Resume[0].Time
	}
	start := &journal.Start{
		Spec: g.Rules.Spec(), Names: [2]string{g.Sides[0].Name, g.Sides[1].Name}, Controls: [2]clock.Control{g.Sides[0].Clock, g.Sides[1].Clock},
		Position: g.Position, ToMove: toMove, Opening: g.OpeningName, Commitment: g.Commitment,
		Round: g.Round, Pair: g.Pair, Attempt: max(1, g.Attempt), Rated: g.Rated,
	}
	to := game.Public
	if r.private() && g.Position != "" { // the text of a position may hold what a seat must not see
		to = game.Arbiter
	}
	r.emit(&journal.Event{Start: start}, journal.KindStart, to)
	if g.Views {
		r.emitViews()
	}
}

func (r *referee) recordWarning(w *journal.Warning) {
	if r.g.Sink == nil {
		return
	}
	r.release()
	r.emit(&journal.Event{Warning: w}, journal.KindWarning, game.Arbiter)
}

func (r *referee) recordEnd() {
	if r.g.Sink == nil {
		return
	}
	r.release()
	r.lastDecision.at = r.g.Now()
	o := &r.out
	r.emit(&journal.Event{Evidence: &journal.Evidence{Seat: r.out.loser(), Lines: o.Evidence, Final: o.Final}}, journal.KindEvidence, game.Arbiter)
	r.emit(&journal.Event{Result: &journal.Result{
		Result: o.Result, Plies: o.Plies, Used: o.Used, Late: o.Late, Warnings: r.warned(),
		Resources: o.Resources,
	}}, journal.KindResult, game.Public)
}
