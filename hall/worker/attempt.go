package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

// Why an attempt is broken off.
var (
	errStale    = errors.New("the game has been begun elsewhere")
	errShutdown = errors.New("the worker is shut down")
	errParked   = errors.New("parked by the hall")
	errAborted  = errors.New("aborted by the hall")
)

// attempt is one game as this worker plays it.
type attempt struct {
	w      *Worker
	d      Delivery
	p      *bus.Play
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelCauseFunc
	begun  time.Time
	// resumed is set until somebody is asked in a game that was taken up.
	resumed bool

	live   *live
	events *attemptLog
	// consoles are what passes between engines and their hosts; nil where it is not kept.
	consoles [2]*console
	// hashes are those of the programs in the seats.
	hashes [2]string
	// engines are what those in the seats called themselves, known at the end.
	engines [2]string
	// kibitzer is nil where there is none.
	kibitzer *kibitzer
	thoughts *thoughts // nil where nobody may hear them
	// hinted is how many hints the seats were given in earlier attempts.
	hinted [2]int
	seats  [2]*person
	remote [2]*remoteEngine
	// last are the closing events, which are told when it is known that the game is
	// not to go on elsewhere. The referee's goroutine adds, then run reads.
	last []*journal.Event
	ends []func()
	// free gives the processor back that the game was given last; nil before that.
	free func()

	brake *match.Brake
	// stand is what was heard last of the brake; pausing guards it, and is held while it is told.
	pausing sync.Mutex
	stand   match.Stand
	// counts is from when, at the earliest, it counts that somebody is away: from the end of a pause, or,
	// in one, from when all had left.
	counts time.Time

	mu sync.Mutex
	// why is why the game ends without a verdict, the zero Why as long as nobody knows.
	why game.Why
	// people are those of seats that can be asked whether they are there.
	people []*person
	// missed counts the signs of life since a hall has answered one.
	missed int
}

func newAttempt(w *Worker, d Delivery, p *bus.Play, log *slog.Logger) *attempt {
	a := &attempt{w: w, d: d, p: p, log: log.With("attempt", p.Attempt), begun: w.Now()}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	return a
}

// run plays the attempt and tells the hall.
func (a *attempt) run() {
	defer a.cancel(nil)
	if !a.w.enter(a) {
		a.back(0)
		return
	}
	defer a.w.leave(a)
	defer a.disconnect()
	over := make(chan struct{})
	var beat sync.WaitGroup
	beat.Go(func() { a.pulse(over) })
	defer beat.Wait()
	defer close(over)
	defer func() { // before the others: they wait for goroutines
		if v := recover(); v != nil {
			a.log.Error("the game broke down", "panic", fmt.Sprint(v))
			if a.free != nil {
				a.free()
			}
			a.fault(fmt.Errorf("worker %s broke down while it played", a.w.Name))
		}
	}()
	g, setup, err := a.build()
	if err != nil {
		a.fault(err)
		return
	}
	o := a.play(g, setup)
	a.settle(g, &o)
}

func (a *attempt) build() (*match.Game, *Setup, error) {
	p := a.p
	g := &match.Game{
		ID: p.Game, Position: p.Position, OpeningName: p.OpeningName, Round: p.Round, Pair: p.Pair,
		Attempt: p.Attempt, Rated: p.Rated, Tournament: p.Round > 0, Views: p.Show, Now: a.w.Now, Slept: a.w.Slept, Load: a.w.Load, Sink: a.sink,
		Processor: a.processor, Asked: a.asked,
	}
	for i, text := range p.Opening {
		m, err := journal.ParseMove(text)
		if err != nil {
			return nil, nil, fmt.Errorf("opening, decision %d: %w", i+1, err)
		}
		g.Opening = append(g.Opening, m)
	}
	var pause *match.Pause
	for i, line := range p.Resume {
		ev, err := journal.ParseEvent(line)
		if err != nil { // what a crash has torn
			a.log.Warn(fmt.Sprintf("the log of the earlier attempt ends at event %d: %v", i+1, err))
			break
		}
		if ev.Hints != nil && ev.Hints.By.IsPlayer() {
			a.hinted[ev.Hints.By] = ev.Hints.Count
			continue
		}
		if ev.Wait != nil {
			pause = nil
			if ev.Wait.For == journal.ForPause && !ev.Wait.Ruled { // a ruled one is in what the hall says
				pause = &match.Pause{By: ev.Wait.By}
			}
			continue
		}
		g.Resume = append(g.Resume, ev)
	}
	if p.Paused != "" {
		pause = &match.Pause{By: p.Paused, Ruled: true}
	}
	a.brake = match.NewBrake(pause, a.stands)
	g.Brake = a.brake
	if len(g.Resume) > 0 {
		a.begun, a.resumed = g.Resume[0].Time, true
	}
	setup, err := a.w.Build(a.ctx, p)
	if err != nil {
		return nil, nil, err
	}
	g.Rules, g.Sides, g.Dealer, g.Policy = setup.Rules, setup.Sides, setup.Dealer, setup.Policy
	g.Policy.Hurry = p.Round == 0
	a.hashes = setup.Hashes
	if _, shuffled := g.Rules.(rules.Shuffler); shuffled {
		g.Commitment = p.Commitment
	}
	for s := range g.Sides {
		g.Sides[s].Name = cmp.Or(g.Sides[s].Name, p.Seats[s].Name)
		switch p.Seats[s].Kind {
		case bus.PersonSeat:
			a.seats[s] = newPerson(a, game.Seat(s), g.Resume)
			a.seats[s].timed = g.Sides[s].Clock.Timed()
			g.Sides[s].Player = a.seats[s].box
			g.Views = true
			if g.Policy.Stall == 0 {
				g.Policy.Stall = -1 // people take as long as their clock allows
			}
		case bus.RemoteSeat:
			a.remote[s] = newRemoteEngine(a, game.Seat(s))
			a.remote[s].timed = g.Sides[s].Clock.Timed()
			g.Sides[s].Player = a.remote[s].player
		}
		if g.Sides[s].Player == nil {
			a.close(setup)
			return nil, nil, &SeatError{game.Seat(s), fmt.Errorf("nobody plays a seat of kind %q", p.Seats[s].Kind)}
		}
	}
	a.advise(setup)
	return g, setup, nil
}

func (a *attempt) close(setup *Setup) {
	for s := range a.seats {
		if a.seats[s] != nil {
			a.w.reach.remove(a.seats[s].box)
			a.seats[s].close()
		}
		if a.remote[s] != nil {
			a.w.reach.remove(a.remote[s].player)
			a.remote[s].close()
		}
	}
	if setup.Close != nil {
		setup.Close()
	}
}

// play lets the referee play, with everybody connected.
func (a *attempt) play(g *match.Game, setup *Setup) match.Outcome {
	defer a.close(setup)
	a.live = newLive(a, g.Rules.Doc().Info == rules.Private)
	if a.p.Keep {
		a.events = newAttemptLog(a)
	}
	a.listen(g, setup)
	if a.live.lines {
		a.thoughts = &thoughts{a: a}
		for s := range setup.Sides {
			a.thoughts.players[s] = setup.Sides[s].Player
		}
		g.Report = a.thoughts.report
		a.ends = append(a.ends, a.thoughts.end)
	}
	a.connect(a.w.Bus.ServeSync(a.p.Game, a.live.sync))
	a.connect(a.w.Bus.SubscribeOrders(a.p.Game, a.order))
	for s := range a.seats {
		if a.seats[s] != nil {
			a.seats[s].begin()
			a.w.reach.add(a.seats[s].box)
			a.connect(a.w.Bus.ServeSeatInput(a.p.Game, game.Seat(s), a.seats[s].input))
			a.mu.Lock()
			a.people = append(a.people, a.seats[s])
			a.mu.Unlock()
		}
		if a.remote[s] != nil {
			a.remote[s].begin()
			a.w.reach.add(a.remote[s].player)
			a.connect(a.w.Bus.ServeSeat(a.p.Game, game.Seat(s), a.remote[s].receive))
		}
	}
	a.await(g)
	silence := a.kibitz(g)
	o := match.Play(a.ctx, g)
	silence()
	for s := range g.Sides {
		a.engines[s] = player.OwnName(g.Sides[s].Player)
	}
	if a.interrupted(&o) {
		defer a.disconnect() // whoever goes on with the game answers now
	} else {
		for _, ev := range a.last {
			a.tell(ev)
		}
		a.awaitPrinted()
	}
	for s := range a.seats {
		if a.seats[s] != nil {
			a.seats[s].last()
		}
	}
	if a.events != nil {
		a.noteHints()
		a.events.close()
	}
	return o
}

// await gives remote engines time to say who they are, before the referee asks from
// where they can begin.
func (a *attempt) await(g *match.Game) {
	limit := g.Policy.Start
	if limit <= 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(a.ctx, limit)
	defer cancel()
	for s := range a.remote {
		if a.remote[s] != nil && a.remote[s].player.Await(ctx) != nil {
			return // the referee finds the same
		}
	}
}

// connect keeps what ends a subscription.
func (a *attempt) connect(stop func(), err error) {
	if err != nil {
		a.log.Warn("not connected: " + err.Error())
		return
	}
	a.ends = append(a.ends, stop)
}

// disconnect ends the subscriptions. Of a game that is over they last until its result is
// out, so that nobody who is late hears that nobody plays it.
func (a *attempt) disconnect() {
	for _, stop := range a.ends {
		stop()
	}
	a.ends = nil
}

// sink takes the events of the referee.
func (a *attempt) sink(ev *journal.Event) {
	if ev.Kind == journal.KindEvidence || ev.Kind == journal.KindResult {
		c := *ev
		a.last = append(a.last, &c)
		return
	}
	a.tell(ev)
}

func (a *attempt) tell(ev *journal.Event) {
	if a.thoughts != nil && ev.Decision != nil {
		a.thoughts.forget(ev.Decision.By)
	}
	if a.events != nil && ev.Kind != journal.KindView {
		a.events.add(ev)
		a.noteHints()
	}
	a.live.add(ev)
	if a.kibitzer != nil {
		a.kibitzer.event(ev)
	}
	for _, c := range a.consoles {
		if c != nil {
			c.event(ev)
		}
	}
}

// asked tells all who watch what the seats ask of each other: nothing of that is hidden.
func (a *attempt) asked(x player.Asks) {
	a.live.add(&journal.Event{
		Time: a.w.Now(), Game: a.p.Game, To: game.Public, Kind: journal.KindAsks, Asks: &journal.Asks{Num: x.Seq, List: asksOf(x.List)},
	})
}

// pulse keeps the job and hears what the hall wants.
func (a *attempt) pulse(over <-chan struct{}) {
	tick := time.NewTimer(a.w.rhythm())
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			tick.Reset(a.w.rhythm())
		case <-over:
			return
		}
		a.call()
		ctx, cancel := context.WithTimeout(context.Background(), a.w.Pulse)
		if err := a.d.Progress(ctx); err != nil {
			a.log.Debug("the lease: " + err.Error())
		}
		alive, err := a.w.Bus.AskAlive(ctx, bus.Pulse{Game: a.p.Game, Attempt: a.p.Attempt, Worker: a.w.ID})
		cancel()
		a.mu.Lock()
		if a.missed++; err == nil && !alive.Stale {
			a.missed = 0
		}
		a.mu.Unlock()
		switch {
		case err != nil:
			a.log.Debug("no hall hears: " + err.Error())
		case alive.Stale:
			a.cancel(errStale)
		case alive.Order != nil:
			a.order(*alive.Order)
		}
	}
}

// call asks for the people who are away.
func (a *attempt) call() {
	a.mu.Lock()
	people := a.people
	a.mu.Unlock()
	for _, s := range people {
		s.call()
	}
}

func (a *attempt) order(o bus.Order) {
	if o.Game != "" && o.Game != a.p.Game {
		return
	}
	switch {
	case o.Kind == bus.OrderAbort:
		a.cancel(errAborted)
	case o.Kind == bus.OrderPark:
		a.cancel(errParked)
	case o.Kind == bus.OrderPause:
		a.brake.Set(&match.Pause{By: o.By, Ruled: true})
	case o.Kind == bus.OrderResume:
		if p := a.brake.Paused(); p != nil && p.Ruled {
			a.brake.Set(nil)
		}
	case o.Kind == bus.OrderVerdict && o.Result != nil:
		a.cancel(&match.Verdict{Result: *o.Result})
	default:
		a.log.Warn(fmt.Sprintf("an order of the unknown kind %q", o.Kind))
	}
}

// stopped reports whether nothing more may be said.
func (a *attempt) stopped() bool { return errors.Is(context.Cause(a.ctx), errStale) }

// alone reports whether no hall has answered for a while: the game may have been
// begun elsewhere.
func (a *attempt) alone() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.missed > 1
}
