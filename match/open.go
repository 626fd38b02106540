package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/player"
)

const (
	defaultStart = player.StartLimit + 5*time.Second // hosts say in better words what they waited for
	defaultStall = 10 * time.Minute
)

// open sets up the position, plays the opening and prepares both players. It
// returns false if the game is over before it began.
func (r *referee) open() bool {
	g := r.g
	if g.Policy.Start <= 0 {
		g.Policy.Start = defaultStart
	}
	g.Policy.Stall = cmp.Or(g.Policy.Stall, defaultStall)
	if err := r.pos.setUp(g.Position); err != nil {
		r.abort(err.Error())
		return false
	}
	toMove := r.pos.state.Turn().Seat
	r.rec.start(toMove)
	before := beginning{r: r}
	if err := before.play(); err != nil {
		r.abort(err.Error())
		return false
	}
	if err := g.checkStart(len(r.pos.moves), len(r.out.Attempts)); err != nil {
		r.abort(err.Error())
		return false
	}
	if !r.prepare(toMove, &before.told) {
		return false
	}
	r.meters.start(&g.Sides)
	for s := range g.Sides {
		r.time.sched[s].from, _ = g.Sides[s].Player.(player.Scheduled)
	}
	if res, over := r.pos.state.Result(); over {
		r.end(r.time.overtime(res))
	}
	before.judge()
	return !r.over
}

// checkStart refuses a game that a player cannot begin after so many moves. Whoever plans games asks
// before; this keeps a mistake from becoming a lost game.
func (g *Game) checkStart(moves, attempts int) error {
	need, what := player.FromNothing, ""
	switch {
	case g.Position != "":
		need, what = player.FromPosition, "a set-up position"
	case len(g.Resume) > 0 && moves+attempts > 0:
		need, what = player.FromHistory, "where the game was broken off"
	case moves > 0:
		need, what = player.FromHistory, "an opening"
	}
	for s := range g.Sides {
		can := player.FromNothing
		if p, ok := g.Sides[s].Player.(player.Positioner); ok {
			can = p.CanStart(g.Rules.Spec())
		}
		if can < need {
			return fmt.Errorf("%s cannot start from %s", g.Sides[s].Name, what)
		}
	}
	return nil
}

// prepare starts the game for both players: side by side, for engines take long, but for
// those that do not.
func (r *referee) prepare(toMove game.Seat, history *[2][]player.Update) bool {
	free, ok := r.processor(game.Nobody)
	if !ok {
		r.stopped()
		return false
	}
	defer free()
	var setups [2]player.Setup
	for s := range setups {
		setups[s] = player.Setup{
			ID: r.g.ID, Spec: r.g.Rules.Spec(), Width: r.pos.doc.Width, Height: r.pos.doc.Height, Seat: game.Seat(s),
			Names: [2]string{r.g.Sides[0].Name, r.g.Sides[1].Name}, Start: r.g.Position, ToMove: toMove,
			Colours: r.pos.colours(), History: history[s], View: &r.views[s], Clocks: r.time.clocks, Limits: r.g.Sides[s].Limits,
			Against: r.g.against(game.Seat(s)),
		}
	}
	var errs [2]error
	var late [2]bool
	ready := func(s int) {
		ctx, stop := within(r.ctx, r.g.Now(), r.g.Policy.Start)
		defer stop()
		errs[s] = r.g.Sides[s].Player.NewGame(ctx, &setups[s])
		late[s] = errors.Is(ctx.Err(), context.DeadlineExceeded)
	}
	began := r.g.Now()
	if r.g.Sides[0].Quick && r.g.Sides[1].Quick {
		ready(0)
		ready(1)
	} else {
		var other sync.WaitGroup
		other.Go(func() { ready(1) })
		ready(0)
		other.Wait()
	}
	r.out.Ready = r.g.Now().Sub(began)
	if late != [2]bool{} && r.time.slept(began, r.g.Now(), false) > 0 && !r.stopped() {
		r.abort("the referee was stopped while the players were made ready")
		return false
	}
	return r.started(errs, late)
}

// limited is a context with a deadline.
type limited struct {
	context.Context
	until time.Time
}

// within returns a context that ends after a limit, unless stop is called before, and else
// with ctx alone: whoever watches it is not woken as soon as all are ready.
func within(ctx context.Context, now time.Time, limit time.Duration) (l context.Context, stop func() bool) {
	ctx, cancel := context.WithCancelCause(ctx)
	return limited{ctx, now.Add(limit)}, time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) }).Stop
}

// Deadline tells when the time is over.
func (l limited) Deadline() (time.Time, bool) {
	if d, ok := l.Context.Deadline(); ok && d.Before(l.until) {
		return d, true
	}
	return l.until, true
}

// Err tells whether the time was over, or else why the context has ended.
func (l limited) Err() error {
	err := l.Context.Err()
	if err != nil && errors.Is(context.Cause(l.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

// against says whom the seat meets.
func (g *Game) against(seat game.Seat) player.Against {
	if _, person := g.Sides[seat.Other()].Player.(player.Person); person {
		return player.AgainstPerson
	}
	if g.Tournament {
		return player.InTournament
	}
	return player.AgainstEngine
}

// started judges what came of making the players ready; late are those whose time for it was over.
func (r *referee) started(errs [2]error, late [2]bool) bool {
	if r.stopped() {
		return false
	}
	var why [2]string
	var reason [2]game.Reason
	for s, err := range errs {
		if err == nil {
			continue
		}
		r.out.Faulty[s] = true
		why[s], reason[s] = err.Error(), game.ByStart
		if f, ok := errors.AsType[*player.Failure](err); ok {
			why[s] = f.Detail
			if f.Reason == game.ByResource {
				reason[s] = f.Reason
			}
			r.out.Evidence = append(r.out.Evidence, f.Evidence...)
			if f.Reason == game.ByAbort && late[s] {
				why[s] = fmt.Sprintf("not ready in %s: %s", r.g.Policy.Start, f.Detail)
			} else if f.Reason == game.ByAbort {
				r.out.Fault = f
				r.abort(r.g.Sides[s].Name + ": " + f.Detail)
			}
		}
	}
	switch {
	case r.over:
	case errs[0] != nil && errs[1] != nil:
		r.end(game.Result{Reason: game.ByStart, Detail: fmt.Sprintf("neither player became ready: %s: %s; %s: %s",
			r.g.Sides[0].Name, why[0], r.g.Sides[1].Name, why[1])})
	case errs[0] != nil:
		r.lose(game.First, reason[0], why[0])
	case errs[1] != nil:
		r.lose(game.Second, reason[1], why[1])
	default:
		return true
	}
	return false
}

// resume and suspend stop the idle player's process where the run asks for it.
func (r *referee) resume(seat game.Seat) {
	if s, ok := r.g.Sides[seat].suspender(); ok && r.idle[seat] {
		if err := s.Resume(); err != nil {
			r.warn(seat, "could not be resumed: %v", err)
		}
		r.idle[seat] = false
	}
}

func (r *referee) suspend(seat game.Seat) {
	if s, ok := r.g.Sides[seat].suspender(); ok && !r.idle[seat] {
		if err := s.Suspend(); err != nil {
			r.warn(seat, "could not be suspended: %v", err)
			return
		}
		r.idle[seat] = true
	}
}

func (s *Side) suspender() (player.Suspender, bool) {
	if !s.Suspend {
		return nil, false
	}
	p, ok := s.Player.(player.Suspender)
	return p, ok
}

// close ends the game for both players and the journal.
func (r *referee) close() {
	if r.pos.state != nil {
		r.out.Final = r.pos.state.Text()
	}
	for s := range r.g.Sides {
		r.resume(game.Seat(s))
	}
	r.witness()
	r.out.Used, r.out.Clocks, r.out.Late, r.out.Starved = r.time.used, r.time.journal(), r.time.late, r.time.starved
	for s := range r.g.Sides {
		if text := r.meters.flooded(game.Seat(s)); text != "" {
			r.warn(game.Seat(s), "%s", text)
		}
	}
	for s := range r.g.Sides {
		r.out.Resources[s] = r.meters.total(game.Seat(s))
		if text := r.meters.busy(game.Seat(s)); text != "" && r.out.Resources[s].Known {
			r.warn(game.Seat(s), "%s", text)
		}
	}
	for s := range r.g.Sides {
		r.g.Sides[s].Player.Over(r.out.Result)
	}
	r.rec.end(&r.out, len(r.out.Warnings)+r.droppedWarnings)
}

// learn has players learn from a game that came to a verdict. Its end was told before: learning
// may take minutes.
func (r *referee) learn(ctx context.Context) {
	if r.out.Result.Reason == game.ByAbort {
		return
	}
	for s := range r.g.Sides {
		side := &r.g.Sides[s]
		p, ok := side.Player.(player.Learner)
		if !side.Learn || !ok {
			continue
		}
		if err := p.Learn(ctx); err != nil {
			r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("%s did not learn the game: %v", side.Name, err))
		}
	}
}

func (o *Outcome) loser() game.Seat { return o.Result.Winner().Other() }
