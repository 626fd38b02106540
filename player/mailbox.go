package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
)

// Mailbox is a person as a Player: the referee asks, whoever owns the mailbox (a
// terminal, a browser's connection) reads what was asked and submits decisions.
// The owner's methods are safe for any goroutine and never block, but for Wait
// and the referee's own Choose.
type Mailbox struct {
	now func() time.Time

	mu      sync.Mutex
	changed bell.Chime
	state   Mail
	running bool   // a Choose waits
	stopped bool   // Stop was called during it
	answer  Answer // what was submitted for the running Choose
	ready   bool   // answer is set
	desk    Desk   // of the latest game, which knows when that is over
	asks    int    // the Seq of what is asked
	// deadline is that of the running Choose, as it was asked; hold moves it.
	deadline time.Time
	hold     Hold
}

// Mail is what the owner of a mailbox may know, as one copy that does not change.
type Mail struct {
	// Seq counts the changes; Wait takes it.
	Seq int
	// Setup is the running game; its History and View are empty, what they hold
	// is in Updates and View.
	Setup Setup
	// Updates are what the seat was told so far, the history included; undone
	// ones are taken away. Callers must not change them.
	Updates []Update
	// View is the position as the seat may see it, nil if the caller of the
	// player shows none.
	View    *game.View
	Colours [2]game.Colour
	Turn    game.Turn
	// Prompt is the number of the question that waits for an answer, from 1 on
	// within a game; 0 when none does. Legal, Deadline, Again and Rejected
	// belong to it.
	Prompt int
	// Ply is how many decisions were made before the question, those of the opening and of
	// chance included.
	Ply   int
	Legal []game.Move
	// Proposed is what the engine of the other seat would play, whose decision is asked for; nil
	// where the seat is asked for its own.
	Proposed *game.Move
	Deadline time.Time
	Again    int
	Rejected Rejection
	// Held is from when time does not count, because answers cannot arrive (Hold); zero
	// while it does.
	Held time.Time
	// Asks is what both seats ask of each other. Callers must not change it.
	Asks []Ask
	// DrawFrom is how many turns of its own the seat must have made before it may offer a draw.
	DrawFrom int
	// Asked counts the questions of the game so far.
	Asked int
	// Result is set once the game is over.
	Result *game.Result
	Closed bool
}

// Errors of a submission.
var (
	// ErrNotAsked: the seat is not on turn, or the question was answered before.
	ErrNotAsked = errors.New("it is not your turn")
	// ErrNotLegal: the decision is not among those that the seat may make.
	ErrNotLegal = errors.New("not a legal move")
)

// NewMailbox returns an empty mailbox.
func NewMailbox(now func() time.Time) *Mailbox {
	return &Mailbox{now: now}
}

// change marks a change of the state; m.mu is held.
func (m *Mailbox) change() {
	m.state.Seq++
	m.changed.Ring()
}

// NewGame implements Player.
func (m *Mailbox) NewGame(_ context.Context, s *Setup) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Closed {
		return Fail(game.ByDisconnect, nil, "the seat is gone")
	}
	seq := m.state.Seq
	m.state = Mail{Seq: seq, Held: m.hold.Since(), Setup: *s, Colours: s.Colours, Turn: game.Turn{Seat: s.ToMove}}
	m.state.Setup.History, m.state.Setup.View = nil, nil
	for i := range s.History {
		m.state.Updates = append(m.state.Updates, s.History[i].Clone())
		m.state.Turn = s.History[i].Next
	}
	m.look(s.View)
	m.ready = false
	m.change()
	return nil
}

func (m *Mailbox) look(v Viewer) {
	if v == nil {
		return
	}
	view := v.View()
	m.state.View = &view
}

// Tell implements Player.
func (m *Mailbox) Tell(u *Update) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if u.Rewind > 0 {
		m.rewind(u.Rewind)
	} else {
		m.state.Updates = append(m.state.Updates, u.Clone())
	}
	m.state.Turn, m.state.Colours = u.Next, u.Colours
	if u.Result != nil {
		r := *u.Result
		m.state.Result = &r
	}
	m.look(u.View)
	m.change()
}

// rewind forgets n steps. Older copies of the list stay as they are.
func (m *Mailbox) rewind(n int) {
	list := m.state.Updates
	for n > 0 && len(list) > 0 {
		last := list[len(list)-1]
		list = list[: len(list)-1 : len(list)-1]
		if k := len(last.Steps); k > n {
			last.Steps = last.Steps[: k-n : k-n]
			last.Notices, last.Result, last.Ended = nil, nil, false
			list = append(list, last)
			break
		}
		n -= len(last.Steps)
	}
	m.state.Updates = list
}

// Choose implements Player: it waits for Submit. Stop ends it with a
// failure of reason abort, because a person has nothing in hand.
func (m *Mailbox) Choose(ctx context.Context, p *Prompt) (Answer, error) {
	return m.choose(ctx, p, nil)
}

// Decide implements Decider.
func (m *Mailbox) Decide(ctx context.Context, p *Prompt, proposed game.Move) game.Move {
	q := *p
	q.View, q.Deadline = nil, time.Time{} // they are the other seat's
	a, err := m.choose(ctx, &q, &proposed)
	if err != nil {
		return proposed
	}
	return a.Steps[0]
}

func (m *Mailbox) choose(ctx context.Context, p *Prompt, proposed *game.Move) (Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Closed {
		return Answer{}, Fail(game.ByDisconnect, nil, "the seat is gone")
	}
	m.state.Asked++
	m.state.Prompt = m.state.Asked
	m.state.Legal, m.state.Proposed = nil, proposed
	if p.Moves != nil {
		m.state.Legal = p.Moves.Legal(nil)
	}
	m.state.Turn, m.state.Colours = p.Turn, p.Colours
	m.state.Ply, m.state.Deadline, m.state.Again, m.state.Rejected = p.Ply, p.Deadline, p.Again, p.Rejected
	m.look(p.View)
	m.ready, m.running, m.stopped = false, true, false
	m.deadline = p.Deadline
	m.hold.Ask(m.now())
	m.change()
	err := m.await(ctx)
	late := m.hold.Lost(m.now())
	m.running, m.deadline = false, time.Time{}
	m.state.Prompt, m.state.Deadline, m.state.Legal, m.state.Proposed = 0, time.Time{}, nil, nil
	m.change()
	if err != nil {
		return Answer{Late: late}, err
	}
	a := m.answer
	a.Late = late
	m.answer, m.ready = Answer{}, false
	return a, nil
}

// await waits until an answer is ready; m.mu is held at call and return.
func (m *Mailbox) await(ctx context.Context) error {
	for {
		switch {
		case m.ready:
			return nil
		case m.state.Closed:
			return Fail(game.ByDisconnect, nil, "the seat left the game")
		case m.stopped:
			return Fail(game.ByAbort, nil, "stopped before a move was made")
		}
		until := m.hold.Until(m.deadline)
		late, stop := m.late(until)
		wake := m.changed.Next()
		m.mu.Unlock()
		var err error
		select {
		case <-wake:
		case <-late:
			err = Fail(game.ByTime, context.DeadlineExceeded, "no move in time")
		case <-ctx.Done():
			err = Fail(game.ByAbort, ctx.Err(), "the game was abandoned")
		}
		stop()
		m.mu.Lock()
		if m.ready {
			return nil
		}
		if err != nil && (ctx.Err() != nil || m.hold.Until(m.deadline).Equal(until)) {
			return err
		}
	}
}

// late is when a time has come: never for zero.
func (m *Mailbox) late(until time.Time) (<-chan time.Time, func() bool) {
	if until.IsZero() {
		return nil, func() bool { return true }
	}
	timer := time.NewTimer(until.Sub(m.now()))
	return timer.C, timer.Stop
}

// Stop implements Player.
func (m *Mailbox) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running {
		m.stopped = true
		m.change()
	}
}

// Over implements Player.
func (m *Mailbox) Over(r game.Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state.Result, m.state.Asks = &r, nil
	m.change()
}

// Close implements Player; the owner may call it too when the person leaves.
func (m *Mailbox) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state.Closed = true
	m.change()
	return nil
}

// CanStart implements Positioner: people can start anywhere.
func (m *Mailbox) CanStart(game.Spec) Start { return FromPosition }

// Read returns what the owner may know now.
func (m *Mailbox) Read() Mail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Wait returns what the owner may know as soon as it differs from the copy with
// the number seq.
func (m *Mailbox) Wait(ctx context.Context, seq int) (Mail, error) {
	for {
		m.mu.Lock()
		if m.state.Seq != seq {
			s := m.state
			m.mu.Unlock()
			return s, nil
		}
		wake := m.changed.Next()
		m.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return Mail{}, ctx.Err()
		}
	}
}

// Submit answers the question number prompt (Mail.Prompt) with one or more
// decisions of the turn. The first must be among the legal ones; of the others
// the referee judges. A repeated submission of the answer that waits to be
// fetched succeeds without effect. waited is for how long the answer was held up on its
// way: it is not the person's time, and goes with the answer as Late.
func (m *Mailbox) Submit(prompt int, waited time.Duration, steps ...game.Move) error {
	if len(steps) == 0 {
		return fmt.Errorf("%w: nothing was chosen", ErrNotLegal)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ready && prompt == m.state.Asked && slices.Equal(steps, m.answer.Steps) {
		return nil
	}
	if !m.running || m.ready || prompt != m.state.Prompt {
		return ErrNotAsked
	}
	if m.state.Legal != nil && steps[0].Op != game.Resign && !slices.Contains(m.state.Legal, steps[0]) {
		return fmt.Errorf("%w: %s", ErrNotLegal, steps[0])
	}
	if m.desk != nil && m.state.Proposed == nil && !m.desk.Answering() {
		return ErrNotAsked
	}
	now := m.now()
	m.hold.Lose(now.Add(-waited), now)
	m.answer, m.ready = Answer{Steps: slices.Clone(steps), Taken: true}, true
	m.state.Prompt, m.state.Legal = 0, nil
	m.change()
	return nil
}

// Act does something beside the moves, and returns what came of it; an act that is known
// by its name has the same answer also after the game. The error is that of ctx, which
// ends the wait for the answer and not the act.
func (m *Mailbox) Act(ctx context.Context, a Act) (Reply, error) {
	m.mu.Lock()
	desk, over := m.desk, m.state.Result != nil || m.state.Closed
	m.mu.Unlock()
	switch {
	case desk != nil:
	case over:
		return No(NoGame, "the game is over"), nil
	default:
		return No(NotBegun, "the game has not begun"), nil
	}
	told := make(chan Reply, 1)
	desk.Act(a, func(r Reply) { told <- r })
	select {
	case r := <-told:
		return r, nil
	case <-ctx.Done():
	}
	select {
	case r := <-told: // what was done is told, also if ctx ended meanwhile
		return r, nil
	default:
		return Reply{}, ctx.Err()
	}
}

// IsPerson implements Person.
func (*Mailbox) IsPerson() {}

// Attend implements Actor.
func (m *Mailbox) Attend(d Desk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Closed || d == nil { // the desk of a game that is over knows its acts again
		return
	}
	m.desk, m.asks = d, 0
}

// CanAnswer implements Actor: a person can be asked.
func (m *Mailbox) CanAnswer() bool { return true }

// Asked implements Actor.
func (m *Mailbox) Asked(a Asks) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.Seq <= m.asks || m.state.Result != nil {
		return
	}
	m.asks, m.state.Asks = a.Seq, a.List
	if s := m.state.Setup.Seat; s.IsPlayer() {
		m.state.DrawFrom = a.DrawFrom[s]
	}
	m.change()
}

var (
	_ Player     = (*Mailbox)(nil)
	_ Positioner = (*Mailbox)(nil)
	_ Actor      = (*Mailbox)(nil)
	_ Decider    = (*Mailbox)(nil)
)
