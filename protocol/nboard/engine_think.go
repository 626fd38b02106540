package nboard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// now returns the time of the server, or zero time without one.
func (e *engine) now() time.Time {
	if e.srv.Now == nil {
		return time.Time{}
	}
	return e.srv.Now()
}

// noDeadline: how long a manager waits beyond the clocks is not known here.
var noDeadline time.Time

// goes answers go with exactly one === line.
func (e *engine) goes(ctx context.Context) error {
	pos := e.session.Position
	turn := pos.Turn().Seat
	_, forced := e.session.ForcedPass()
	if forced || !turn.IsPlayer() {
		return e.send(AppendChosen(e.buf[:0], &Answer{Move: game.PassMove(), Timed: true}))
	}
	if err := e.send(AppendStatus(e.buf[:0], "Thinking")); err != nil {
		return err
	}
	began := e.now()
	a, err := e.session.Choose(ctx, noDeadline)
	if err != nil {
		e.session.Forget()
		return err
	}
	out := Answer{Move: e.first(&a), Valid: true, Eval: inDiscs(a.Info.Eval), Time: e.now().Sub(began), Timed: !began.IsZero()}
	b := e.buf[:0]
	if a.Info.Nodes > 0 && e.version != 1 {
		b = AppendNodeStats(b, a.Info.Nodes, out.Time)
	}
	if in := a.Info; in.Eval.Known() || len(in.PV) > 0 {
		if len(in.PV) == 0 || in.PV[0] != out.Move {
			in.PV = []game.Move{out.Move}
		}
		in.Eval = out.Eval
		b = AppendInfo(b, &in)
	}
	b = AppendStatus(b, "")
	return e.send(AppendChosen(b, &out))
}

// first returns the move of an answer. The protocol cannot resign: then it is any
// legal move.
func (e *engine) first(a *player.Answer) game.Move {
	if len(a.Steps) > 0 && (a.Steps[0].Op == game.Place || a.Steps[0].Op == game.Pass) {
		return a.Steps[0]
	}
	e.srv.Logf("the player does not want to move, and the protocol knows no resignation")
	var buf [64]game.Move
	if legal := e.session.Position.Legal(buf[:0]); len(legal) > 0 {
		return legal[0]
	}
	return game.PassMove()
}

// inDiscs drops evaluations in other units, which the protocol cannot say.
func inDiscs(v game.Eval) game.Eval {
	if v.Unit != game.Discs {
		return game.Eval{}
	}
	return v
}

// hint streams evaluations of the best n moves.
func (e *engine) hint(ctx context.Context, n int) error {
	turn := e.session.Position.Turn().Seat
	b := AppendStatus(e.buf[:0], "Analyzing")
	if _, forced := e.session.ForcedPass(); forced {
		b = AppendInfo(b, &game.Info{PV: []game.Move{game.PassMove()}, Depth: max(1, e.session.Limits.Depth)})
		turn = game.Nobody
	}
	if err := e.send(b); err != nil {
		return err
	}
	if turn.IsPlayer() {
		if err := e.evaluate(ctx, n); err != nil {
			return err
		}
	}
	return e.send(AppendStatus(e.buf[:0], ""))
}

func (e *engine) evaluate(ctx context.Context, n int) error {
	if err := e.session.Ready(ctx, e.session.Position.Turn().Seat); err != nil {
		return err
	}
	p, ok := e.srv.Player.(player.Analyst)
	if !ok {
		return e.evaluateByChoice(ctx)
	}
	began := e.now()
	var failed error
	err := p.Analyse(ctx, player.Question{Lines: n, Depth: e.session.Limits.Depth}, func(in game.Info) bool {
		if len(in.PV) == 0 {
			return true
		}
		in.Eval = inDiscs(in.Eval)
		b := AppendInfo(e.buf[:0], &in)
		if in.Nodes > 0 && e.version != 1 {
			b = AppendNodeStats(b, in.Nodes, e.now().Sub(began))
		}
		failed = e.send(b)
		return failed == nil
	})
	if errors.Is(err, player.ErrUnsupported) {
		return e.evaluateByChoice(ctx)
	}
	return errors.Join(failed, err)
}

// evaluateByChoice answers hint for a player that can only choose.
func (e *engine) evaluateByChoice(ctx context.Context) error {
	a, err := e.session.Choose(ctx, time.Time{})
	if err != nil || len(a.Steps) == 0 {
		e.session.Forget()
		return err
	}
	in := a.Info
	in.Eval = inDiscs(in.Eval)
	if m := e.first(&a); len(in.PV) == 0 || in.PV[0] != m {
		in.PV = []game.Move{m}
	}
	return e.send(AppendInfo(e.buf[:0], &in))
}

// learn lets the player learn the game, if it can, and says so when that is stored. A
// player that learns nothing says so at once: a reply is due.
func (e *engine) learn(ctx context.Context) error {
	if l, ok := e.srv.Player.(player.Learner); ok {
		if err := e.send(AppendStatus(e.buf[:0], "Learning")); err != nil {
			return err
		}
		err := e.ready(ctx)
		if err == nil {
			err = l.Learn(ctx)
		}
		if ctx.Err() != nil { // broken off
			return ctx.Err()
		}
		if err != nil {
			return e.refused(fmt.Errorf("the game is not learned: %w", err))
		}
		if err := e.send(AppendStatus(e.buf[:0], "")); err != nil {
			return err
		}
	}
	return e.send(AppendLearned(e.buf[:0]))
}

// ready gives the player the position, also that of a finished game.
func (e *engine) ready(ctx context.Context) error {
	seat := e.session.Position.Turn().Seat
	if !seat.IsPlayer() {
		seat = game.First
	}
	return e.session.Ready(ctx, seat)
}

// analyze sends an evaluation for every position of the game, from the end
// backwards.
func (e *engine) analyze(ctx context.Context) error {
	if err := e.send(AppendStatus(e.buf[:0], "Analyzing the game")); err != nil {
		return err
	}
	moves := e.moves()
	r := retro{e: e, known: make([]game.Eval, len(moves)+1), sent: make([]bool, len(moves)+1)}
	r.finished()
	err := player.ErrUnsupported
	if p, ok := e.srv.Player.(player.Analyst); ok {
		if err := e.ready(ctx); err != nil {
			return err
		}
		err = p.Analyse(ctx, player.Question{Lines: 1, Depth: e.session.Limits.Depth, WholeGame: true}, func(in game.Info) bool {
			return r.take(in.Rank, in.Eval)
		})
		if errors.Is(err, player.ErrUnsupported) {
			err = r.each(ctx, p, moves)
		}
	}
	switch {
	case errors.Is(err, player.ErrUnsupported):
		return e.send(AppendStatus(e.buf[:0], e.srv.Name+" cannot evaluate positions"))
	case err != nil:
		return err
	case r.err != nil:
		return r.err
	}
	if ctx.Err() == nil {
		r.rest()
	}
	return errors.Join(r.err, e.send(AppendStatus(e.buf[:0], "")))
}

// moves returns all decisions of the game, each with who made it.
func (e *engine) moves() []played {
	var list []played
	for i := range e.session.History() {
		u := &e.session.History()[i]
		for _, m := range u.Steps {
			list = append(list, played{m, u.By})
		}
	}
	return list
}

type played struct {
	move game.Move
	by   game.Seat
}

// retro collects evaluations by the number of moves made.
type retro struct {
	e     *engine
	known []game.Eval
	sent  []bool
	err   error
}

// take sends one evaluation; false ends the analysis.
func (r *retro) take(n int, v game.Eval) bool {
	if n < 0 || n >= len(r.sent) || r.sent[n] || r.err != nil {
		return r.err == nil
	}
	r.known[n], r.sent[n] = inDiscs(v), true
	r.err = r.e.send(AppendAnalysis(r.e.buf[:0], n, r.known[n]))
	return r.err == nil
}

// finished evaluates the last position of a finished game by its score, from the
// view of the side that did not move last.
func (r *retro) finished() {
	res, over := r.e.session.Position.Result()
	n := len(r.sent) - 1
	if !over || !res.HasBoard {
		return
	}
	d := res.Board[0] - res.Board[1]
	if h := r.e.session.History(); len(h) > 0 && h[len(h)-1].By == game.First {
		d = -d
	}
	r.take(n, game.Eval{Unit: game.Discs, Lo: d, Hi: d})
}

// rest fills positions that the player passed over: before a forced pass the
// value is that of the next position with its sign turned.
func (r *retro) rest() {
	for n := len(r.sent) - 2; n >= 0; n-- {
		if v := r.known[n+1]; !r.sent[n] && v.Known() {
			r.take(n, game.Eval{Unit: game.Discs, Lo: -v.Hi, Hi: -v.Lo})
		}
	}
}

// each evaluates position after position for a player that cannot do a whole
// game, and plays the game again afterwards.
func (r *retro) each(ctx context.Context, p player.Analyst, moves []played) error {
	s := &r.e.session
	defer func() {
		for i := s.Position.Len(); i < len(moves); i++ {
			if err := s.Play(moves[i].move); err != nil {
				r.err = errors.Join(r.err, err)
				return
			}
		}
	}()
	for n := len(moves); n >= 0 && ctx.Err() == nil && r.err == nil; n-- {
		if n < len(moves) {
			if err := s.Undo(1); err != nil {
				return err
			}
		}
		seat := s.Position.Turn().Seat
		if _, forced := s.ForcedPass(); forced || !seat.IsPlayer() {
			continue
		}
		if err := s.Ready(ctx, seat); err != nil {
			return err
		}
		var best game.Eval
		err := p.Analyse(ctx, player.Question{Lines: 1, Depth: s.Limits.Depth}, func(in game.Info) bool {
			if in.Rank <= 1 {
				best = in.Eval
			}
			return true
		})
		if err != nil {
			return err
		}
		if ctx.Err() == nil {
			r.take(n, best)
		}
	}
	return nil
}
