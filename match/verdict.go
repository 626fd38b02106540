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
)

// maxWarnings is how many warnings an outcome holds.
const maxWarnings = 100

// mostText is how long, in bytes, the detail of a result or a warning may be: both may
// hold an engine's words.
const mostText = 1000

// end fixes the result. The first verdict counts.
func (r *referee) end(res game.Result) {
	if r.over {
		return
	}
	r.over = true
	res.Detail = game.Shown(res.Detail, mostText)
	r.out.Result = res
}

// lose ends the game against a seat.
func (r *referee) lose(seat game.Seat, why game.Reason, detail string) {
	r.end(r.g.loss(seat, why, detail))
}

// loss is a game lost by a seat.
func (g *Game) loss(seat game.Seat, why game.Reason, detail string) game.Result {
	return game.Win(seat.Other(), why, g.Sides[seat].Name+": "+detail)
}

// forfeit is lose for a breach after which the player must be started anew.
func (r *referee) forfeit(seat game.Seat, why game.Reason, detail string) {
	r.out.Faulty[seat] = true
	r.lose(seat, why, detail)
}

// abort ends the game without a verdict.
func (r *referee) abort(detail string) { r.end(game.Result{Reason: game.ByAbort, Detail: detail}) }

// causeOf turns the end of a context into a result.
func causeOf(ctx context.Context) game.Result {
	cause := context.Cause(ctx)
	if v, ok := errors.AsType[*Verdict](cause); ok {
		return v.Result
	}
	if cause == nil || errors.Is(cause, context.Canceled) {
		return game.Result{Reason: game.ByAbort, Detail: "stopped"}
	}
	return game.Result{Reason: game.ByAbort, Detail: "stopped: " + cause.Error()}
}

// quoted is an answer as words in brackets behind others.
func quoted(raw string) string {
	if raw == "" {
		return ""
	}
	return " (" + answered(raw) + ")"
}

// answered is an answer as it came, in words.
func answered(raw string) string {
	if len(raw) > 120 {
		raw = raw[:120] + "…"
	}
	return fmt.Sprintf("answer %q", raw)
}

// fail turns a player's failure into a verdict.
func (r *referee) fail(seat game.Seat, used time.Duration, err error) {
	var f *player.Failure
	if !errors.As(err, &f) {
		f = player.Fail(game.ByCrash, err, "%v", err)
	}
	r.out.Evidence = append(r.out.Evidence, f.Evidence...)
	if f.Reason == game.ByAbort {
		r.out.Fault = f
		r.abort(r.g.Sides[seat].Name + ": " + f.Detail)
		return
	}
	why, detail := f.Reason, f.Detail
	limit := r.time.clocks[seat].Limit()
	if why != game.ByStall || limit == clock.Unlimited { // else what was not answered is on no clock
		r.time.used[seat] += used
	}
	switch {
	case why == game.ByTime && limit == clock.Unlimited:
		why, detail = game.ByStall, fmt.Sprintf("silent for %s: %s", used.Round(time.Millisecond), detail)
	case why == game.ByTime:
		detail = r.time.overrun(seat, used, limit) + ": " + detail
		r.time.clocks[seat] = r.time.clocks[seat].Spend(max(used, limit+1))
	case !why.Forfeit() && why != game.ByResign:
		why, detail = game.ByProtocol, fmt.Sprintf("failed with the unknown reason %q: %s", why, detail)
	}
	if r.tries.rejected == player.AnswerIllegal {
		detail += "; the answer before was illegal: " + r.tries.bad
	}
	r.forfeit(seat, why, detail)
}

// illegal deals with an answer that the rules forbid, what, for the reason why:
// another try where the policy allows one, else the loss of the game. The clock has
// been charged.
func (r *referee) illegal(seat game.Seat, what, why, raw string) {
	if raw != "" && raw == r.said[seat] {
		why += "; its last answer was the same: was it printed twice, or not kept?"
	}
	if r.retries < max(r.g.Policy.Retries, r.g.Sides[seat].Retries) {
		r.retries++
		r.tries.again++
		r.tries.rejected = player.AnswerIllegal
		r.tries.bad = what + ": " + why
		if raw != "" {
			why += "; " + answered(raw)
		}
		r.warnOf(&journal.Warning{Seat: seat, Text: fmt.Sprintf("illegal %s (%s), asked again", what, why), Retry: true})
		return
	}
	r.evidence("answer: ", raw)
	r.forfeit(seat, game.ByIllegal, fmt.Sprintf("%s: %s%s", what, why, quoted(raw)))
}

// explained is what the seat's player knows about its answer that is not legal, as words
// behind the reason.
func (r *referee) explained(seat game.Seat, raw string) string {
	e, ok := r.g.Sides[seat].Player.(player.Explainer)
	if !ok {
		return ""
	}
	why := e.Explain(raw, func(steps []game.Move) bool {
		s := r.pos.state.Clone()
		for _, m := range steps {
			if _, err := s.Apply(m, nil); err != nil {
				return false
			}
		}
		return true
	})
	if why == "" {
		return ""
	}
	return "; " + why
}

// refuse tells the mover, and nobody else, that its attempt is not possible.
func (r *referee) refuse(seat game.Seat, used, late time.Duration) {
	r.noteRefusal(seat, used, late)
	u := &r.updates[seat]
	u.Clear()
	r.fill(u, seat)
	u.View = &r.views[seat]
	r.g.Sides[seat].Player.Tell(u)
	r.rec.last.pending = true
	if r.tries.refusals >= MaxAttempts {
		r.tooOften(seat)
	}
}

// noteRefusal keeps an attempt for the outcome, and counts it.
func (r *referee) noteRefusal(seat game.Seat, used, late time.Duration) {
	r.tries.again++
	r.tries.refusals++
	r.tries.rejected, r.tries.returnedTime = player.AttemptRefused, 0
	r.tries.refusedTime += used
	for _, m := range r.pos.refusedStep() {
		r.out.Attempts = append(r.out.Attempts, Attempt{Before: len(r.out.Steps), By: seat, Move: m, Used: used})
	}
	r.rec.last = lastDecision{at: r.rec.last.at, by: seat, refused: true, used: used, late: late, next: r.pos.state.Turn()}
}

// tooOften ends a game of which nobody has more patience.
func (r *referee) tooOften(seat game.Seat) {
	for _, m := range r.pos.refusedStep() {
		r.evidence("the last attempt: ", r.g.Rules.FormatMove(m))
	}
	r.forfeit(seat, game.ByIllegal, fmt.Sprintf("%d refused attempts in one turn", r.tries.refusals))
}

// warn keeps a remark about a seat.
func (r *referee) warn(seat game.Seat, format string, args ...any) {
	r.warnOf(&journal.Warning{Seat: seat, Text: fmt.Sprintf(format, args...)})
}

func (r *referee) warnOf(w *journal.Warning) {
	if w.Seat.IsPlayer() {
		w.Text = r.g.Sides[w.Seat].Name + ": " + w.Text
	}
	w.Text = game.Shown(w.Text, mostText)
	r.keepWarning(w)
}

// keepWarning keeps a remark that is ready to be told.
func (r *referee) keepWarning(w *journal.Warning) {
	if len(r.out.Warnings) < maxWarnings {
		r.out.Warnings = append(r.out.Warnings, w.Text)
	} else {
		r.droppedWarnings++
	}
	r.rec.warning(w)
}

// evidence keeps what a player said.
func (r *referee) evidence(label, raw string) {
	if raw != "" {
		r.out.Evidence = append(r.out.Evidence, label+raw)
	}
}

// witness asks a player that lost by a breach what there is to show, unless its
// failure has told already.
func (r *referee) witness() {
	seat := r.out.loser()
	if !seat.IsPlayer() || !r.out.Faulty[seat] {
		return
	}
	w, ok := r.g.Sides[seat].Player.(player.Witness)
	if !ok {
		return
	}
	have := map[string]bool{}
	for _, line := range r.out.Evidence {
		have[line] = true
	}
	for _, line := range w.Evidence() {
		if !have[line] {
			r.out.Evidence = append(r.out.Evidence, line)
		}
	}
}
