package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
	"kibitz/player"
)

// stopWait is how long the answer to a question may take that was to be answered at once:
// the engine's end may have gone.
const stopWait = time.Second

// awake is how long an engine's end may be silent before a late answer says so.
const awake = 5 * time.Second

// Options describe the referee's end.
type Options struct {
	// Session names the game and its attempt, so that frames of another one are told
	// apart.
	Session string
	// Send hands a frame to the connection. Frames may be lost; it must not block for
	// long, and may be called by any goroutine.
	Send func(frame []byte) error
	Now  func() time.Time
	// Grace is how long the engine's end may be silent without a clock of its own
	// running; then it has lost by disconnect. 0 is for ever.
	Grace time.Duration
	// Printed is told what passes between the player at the other end and its engine, as
	// Client.Print is. If it is nil the other end does not send that.
	Printed func(mark byte, text string)
}

// Player is an engine at the other end of a connection. Besides the methods of a
// Player, all of them are safe for any goroutine.
type Player struct {
	o Options

	mu       sync.Mutex
	changed  bell.Chime
	out      []frame          // of the running game, in order
	base     int              // number of the frame before out
	asked    int              // questions so far
	open     int              // the question that waits, 0 for none
	reply    *frame           // the answer to it
	report   func(*game.Info) // Prompt.Report of it
	desk     player.Desk      // of the latest game, which knows when that is over
	asks     int              // the Seq of what is asked
	acting   int              // the number of the act that is being done, 0 for none
	halted   time.Time        // when the question was to be answered at once, zero if it was not
	heard    time.Time
	hello    bool
	canAsk   bool
	start    player.Start
	name     string
	used     *player.Used
	lines    []string // evidence of the running game
	late     int
	closed   bool
	hold     player.Hold
	prints   bool // the other end tells what its engine prints
	whole    bool // and has told all of it
	decide   decider
	proposal proposal
}

// NewPlayer returns the referee's end of a connection.
func NewPlayer(o Options) *Player {
	return &Player{o: o, start: player.FromPosition, heard: o.Now()}
}

// tell numbers, keeps and sends a frame; p.mu is held. It returns why it could not.
func (p *Player) tell(f frame) error {
	f.S, f.N = p.o.Session, p.base+len(p.out)+1
	data, err := encode(&f)
	if err != nil {
		return err
	}
	p.out = append(p.out, f)
	_ = p.o.Send(data) // whoever missed it says so
	return nil
}

// again sends what the other end lacks; p.mu is held.
func (p *Player) again(last int) {
	for i := max(0, last-p.base); i < len(p.out); i++ {
		if data, err := encode(&p.out[i]); err == nil {
			_ = p.o.Send(data)
		}
	}
}

// Receive takes a frame from the other end. Its error says what is wrong with the
// frame; the game goes on.
func (p *Player) Receive(data []byte) error {
	f, err := decode(data)
	after := func() {} // called without the lock
	defer func() { after() }()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		return err
	}
	p.heard = p.o.Now()
	p.changed.Ring()
	if f.K == kindHello {
		last := f.Last
		if f.S != p.o.Session {
			last = 0
		}
		p.hello, p.start, p.canAsk = true, f.Start, f.Asked
		if f.Name != "" {
			p.name = f.Name
		}
		p.again(last)
		return nil
	}
	if f.S != p.o.Session {
		p.late++
		return nil
	}
	if f.K == kindAct {
		p.act(f)
		return nil
	}
	if f.K == kindPropose {
		p.propose(f)
		return nil
	}
	if f.K == kindLines || f.K == kindThink {
		after = p.aside(f)
		return nil
	}
	if f.Used != nil {
		p.used = f.Used
	}
	switch {
	case f.Q == 0:
		return nil
	case f.Q == p.open && p.reply == nil && (f.K == kindReady || f.K == kindFailed || f.K == kindAnswer):
		if f.K == kindAnswer && p.desk != nil {
			p.desk.Answering() // if it comes too late the referee knows, and makes nothing of it
		}
		p.reply = f
	case f.Q > p.asked:
		return fmt.Errorf("question %d was not asked", f.Q)
	case f.Q != p.open:
		p.late++
	}
	ack, err := encode(&frame{K: kindAck, S: p.o.Session, Q: f.Q})
	if err == nil {
		_ = p.o.Send(ack)
	}
	return nil
}

// aside is what is to be called for a frame that tells what goes on at the other end; p.mu is held.
func (p *Player) aside(f *frame) func() {
	switch {
	case f.K == kindLines && p.o.Printed != nil && !p.closed:
		p.prints = true
		return func() { p.hear(f) }
	case f.K == kindThink && p.report != nil && f.Q == p.open && p.reply == nil:
		report := p.report
		return func() { report(f.Think) }
	}
	return func() {}
}

// Late is how many answers came to questions that did not wait any more, or came twice.
func (p *Player) Late() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.late
}

// Await waits until the other end has said who it is.
func (p *Player) Await(ctx context.Context) error {
	for {
		p.mu.Lock()
		hello, wake := p.hello, p.changed.Next()
		p.mu.Unlock()
		if hello {
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// CanStart implements player.Positioner: as the other end has said, from anywhere
// before it has.
func (p *Player) CanStart(game.Spec) player.Start {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start
}

// EngineName implements player.Namer.
func (p *Player) EngineName() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.name
}

// Used implements player.Meter: what the other end said last.
func (p *Player) Used() (player.Used, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used == nil {
		return player.Used{}, false
	}
	return *p.used, true
}

// Begin implements player.Meter; the other end begins when a game does.
func (p *Player) Begin() (player.Used, bool) { return p.Used() }

// Evidence implements player.Witness.
func (p *Player) Evidence() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}

// NewGame implements player.Player.
func (p *Player) NewGame(ctx context.Context, s *player.Setup) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &wireSetup{Setup: *s, View: viewOf(s.View), Patience: time.Minute, Lines: p.o.Printed != nil}
	w.Setup.View, w.Setup.History = nil, nil
	for i := range s.History {
		w.Setup.History = append(w.Setup.History, *toldUpdate(&s.History[i]))
	}
	if d, ok := ctx.Deadline(); ok {
		w.Patience = max(0, d.Sub(p.o.Now()))
	}
	p.base += len(p.out)
	p.out, p.lines, p.used = nil, nil, nil
	f, err := p.ask(ctx, frame{K: kindNew, Setup: w}, time.Time{}, true)
	if err != nil {
		switch {
		case p.closed || !errors.Is(ctx.Err(), context.DeadlineExceeded):
			return err
		case !p.hello:
			return player.Fail(game.ByStart, err, "nobody connected in time")
		default:
			return player.Fail(game.ByStart, err, "not ready in time")
		}
	}
	if f.K == kindReady {
		if f.Name != "" {
			p.name = f.Name
		}
		return nil
	}
	return p.failure(f)
}

// failure turns a frame into the error that it tells; p.mu is held.
func (p *Player) failure(f *frame) error {
	if f.K != kindFailed {
		return player.Fail(game.ByProtocol, nil, "a frame of kind %q is no answer to this question", f.K)
	}
	w := f.Failure
	p.lines = w.Evidence
	reason := w.Reason
	if reason == game.ByAbort { // its own end's fault is no reason to end the game without a verdict
		reason = game.ByDisconnect
	}
	return &player.Failure{Reason: reason, Detail: w.Detail, Evidence: w.Evidence}
}

// ask sends a question and waits for its answer; p.mu is held but while it waits.
// timed tells that a clock runs, or another bound, so that nobody need count how long
// the other end is away.
func (p *Player) ask(ctx context.Context, f frame, deadline time.Time, timed bool) (*frame, error) {
	if p.closed {
		return nil, player.Fail(game.ByDisconnect, nil, "the seat is closed")
	}
	p.asked++
	f.Q = p.asked
	p.open, p.reply, p.halted = f.Q, nil, time.Time{}
	p.hold.Ask(p.o.Now())
	defer func() { p.open, p.reply = 0, nil }()
	if err := p.tell(f); err != nil {
		return nil, player.Fail(game.ByAbort, err, "%v", err)
	}
	at := len(p.out) - 1
	defer func() { // whoever comes back is not asked again
		gone := &p.out[at]
		*gone = frame{K: kindGone, S: gone.S, N: gone.N}
		if f.K == kindNew {
			gone.K, gone.Setup, gone.Q = f.K, f.Setup, f.Q
		}
	}()
	for p.reply == nil {
		if p.closed {
			return nil, player.Fail(game.ByDisconnect, nil, "the seat is closed")
		}
		until := p.until(deadline)
		if end := p.heard.Add(p.o.Grace); p.o.Grace > 0 && !timed && p.hold.Open(end) && (until.IsZero() || end.Before(until)) {
			until = end
		}
		if end := p.halted.Add(stopWait); !p.halted.IsZero() {
			if !p.o.Now().Before(end) {
				return nil, player.Fail(game.ByAbort, nil, "stopped, and no answer came")
			}
			if until.IsZero() || end.Before(until) {
				until = end
			}
		}
		if err := p.wait(ctx, until); err != nil && p.reply == nil {
			if !p.halted.IsZero() && errors.Is(err, errLate) {
				continue
			}
			until := p.until(deadline)
			if errors.Is(err, errLate) && (until.IsZero() || p.o.Now().Before(until)) {
				if end := p.heard.Add(p.o.Grace); !p.hold.Open(end) || p.o.Now().Before(end) {
					continue // heard in the meantime
				}
				return nil, player.Fail(game.ByDisconnect, nil, "not heard of for %s", p.o.Grace)
			}
			_ = p.tell(frame{K: kindStop, Q: f.Q})
			return nil, p.tooLate(err)
		}
	}
	return p.reply, nil
}

// errLate says that a point in time has passed.
var errLate = errors.New("late")

// tooLate says why no answer came; p.mu is held.
func (p *Player) tooLate(err error) error {
	if !errors.Is(err, errLate) {
		return player.Fail(game.ByAbort, err, "the game was abandoned")
	}
	if away := p.o.Now().Sub(p.heard); away > awake {
		return player.Fail(game.ByTime, nil, "no answer in time; the engine was not heard of for %s", away.Round(time.Second))
	}
	return player.Fail(game.ByTime, nil, "no answer in time")
}

// wait returns when something has changed, or an error; p.mu is held but meanwhile.
func (p *Player) wait(ctx context.Context, until time.Time) error {
	var late <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(until.Sub(p.o.Now()))
		defer timer.Stop()
		late = timer.C
	}
	wake := p.changed.Next()
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-wake:
		return nil
	case <-late:
		return errLate
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Tell implements player.Player.
func (p *Player) Tell(u *player.Update) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.tell(frame{K: kindUpdate, Update: toldUpdate(u)}) // an update has no more than was decided
}

// Choose implements player.Player.
func (p *Player) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	w := &wirePrompt{
		Seat: q.Seat, Turn: q.Turn, Clocks: q.Clocks, Colours: q.Colours, View: viewOf(q.View), Again: q.Again, Rejected: q.Rejected,
		Limits: q.Limits,
		Think:  q.Report != nil,
	}
	if q.Moves != nil {
		w.Legal = q.Moves.Legal(nil)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	began := p.o.Now()
	if !q.Deadline.IsZero() {
		w.Left, w.Timed = q.Deadline.Sub(began), true
	}
	seat := q.Seat
	p.report, p.proposal.prompt, w.Consult = q.Report, q, p.decide != nil
	defer p.undecided()
	defer func() { p.report = nil }()
	timed := seat.IsPlayer() && !q.Clocks[seat].Control.None()
	f, err := p.ask(ctx, frame{K: kindPrompt, Prompt: w}, q.Deadline, timed)
	if err != nil {
		return player.Answer{Late: p.hold.Lost(p.o.Now())}, err
	}
	if f.K != kindAnswer {
		return player.Answer{}, p.failure(f)
	}
	a := f.Answer
	return player.Answer{
		Steps: a.Steps, Whole: a.Whole, Unread: a.Unread, Info: a.Info, Lines: a.Lines, Raw: a.Raw, Claimed: a.Used + p.proposal.spent,
		Late: p.hold.Lost(p.o.Now()),
	}, nil
}

// Hold keeps deadlines from coming after last, and nobody is missed since, because frames may
// not arrive: certainly, or perhaps.
func (p *Player) Hold(last time.Time, certain bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hold.Set(last, certain) && !certain {
		p.changed.Ring()
	}
}

// Release lets time count again; what lies between last of Hold, if that was certain, and now
// is not the engine's.
func (p *Player) Release(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hold.Clear(now) {
		p.heard = now
		p.changed.Ring()
	}
}

// Stop implements player.Player.
func (p *Player) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open > 0 && p.halted.IsZero() {
		p.halted = p.o.Now()
		_ = p.tell(frame{K: kindStop, Q: p.open})
		if p.proposal.end != nil {
			p.proposal.end()
		}
		p.changed.Ring()
	}
}

// Over implements player.Player.
func (p *Player) Over(r game.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.tell(frame{K: kindOver, Result: &r})
}

// Close implements player.Player. It tells the other end once and waits for nobody.
func (p *Player) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		_ = p.tell(frame{K: kindBye})
		p.closed = true
		p.changed.Ring()
	}
	return nil
}

var (
	_ player.Player     = (*Player)(nil)
	_ player.Positioner = (*Player)(nil)
	_ player.Actor      = (*Player)(nil)
	_ player.Namer      = (*Player)(nil)
	_ player.Witness    = (*Player)(nil)
	_ player.Meter      = (*Player)(nil)
)
