package match

import (
	"errors"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// end fixes the result. The first verdict counts.
func (r *referee) end(res game.Result) {
	if r.over {
		return
	}
	r.over = true
	r.out.Result = res
}

// lose ends the game against a seat.
func (r *referee) lose(seat game.Seat, why game.Reason, detail string) {
	if detail != "" {
		detail = r.g.Sides[seat].Name + ": " + detail
	}
	r.end(game.Win(seat.Other(), why, detail))
}

func quoted(raw string) string {
	if raw == "" {
		return ""
	}
	if len(raw) > 120 {
		raw = raw[:120] + "…"
	}
	return fmt.Sprintf(" (answer %q)", raw)
}

// fail turns a player's failure into a verdict.
func (r *referee) fail(seat game.Seat, used, late time.Duration, err error) {
	var f *player.Failure
	if !errors.As(err, &f) {
		f = player.Fail(game.ByCrash, err, "%v", err)
	}
	if r.ctx.Err() != nil || f.Reason == game.ByAbort {
		r.end(game.Result{Reason: game.ByAbort, Detail: r.g.Sides[seat].Name + ": " + f.Detail})
		return
	}
	r.out.Faulty[seat] = true
	r.out.Used[seat] += used
	r.out.Evidence = append(r.out.Evidence, f.Evidence...)
	why, detail := f.Reason, f.Detail
	if why == game.ByTime {
		limit := r.clocks[seat].Limit()
		if limit == clock.Unlimited {
			why, detail = game.ByStall, fmt.Sprintf("silent for %s: %s", used.Round(time.Millisecond), detail)
		} else {
			r.clocks[seat] = r.clocks[seat].Spend(used - late)
			detail = r.overText(seat, used-late, limit) + ": " + detail
		}
	}
	r.lose(seat, why, detail)
}

// illegal deals with a decision that the rules forbid: another try where the
// policy allows one, else the loss of the game. The clock has been charged.
func (r *referee) illegal(seat game.Seat, m game.Move, err error, raw string) {
	text := r.g.Rules.FormatMove(m)
	if r.retries < r.g.Policy.Retries {
		r.retries++
		r.attempts++
		r.rejected = player.AnswerIllegal
		r.warn("%s: illegal %s (%v), asked again", r.g.Sides[seat].Name, text, err)
		return
	}
	if raw != "" {
		r.out.Evidence = append(r.out.Evidence, "answer: "+raw)
	}
	r.lose(seat, game.ByIllegal, fmt.Sprintf("%s: %v%s", text, err, quoted(raw)))
}

// refuse tells the mover, and nobody else, that its attempt is not possible.
func (r *referee) refuse(seat game.Seat, used, late time.Duration) {
	r.attempts++
	r.rejected = player.AttemptRefused
	u := &r.updates[seat]
	u.Clear()
	u.By, u.Used, u.Clocks, u.Next, u.Colours, u.View = seat, used-late, r.clocks, r.state.Turn(), r.colours(), &r.views[seat]
	u.AddNotices(seat, r.notices)
	r.g.Sides[seat].Player.Tell(u)
	r.record(seat, false, true, false, used-late, late)
	if r.attempts >= MaxAttempts {
		r.lose(seat, game.ByIllegal, fmt.Sprintf("%d refused attempts in one turn", r.attempts))
	}
}

func (r *referee) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(r.out.Warnings) < 100 {
		r.out.Warnings = append(r.out.Warnings, text)
	}
	r.recordWarning(game.Nobody, text)
}
