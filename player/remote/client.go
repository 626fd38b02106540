package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
	"kibitz/player"
)

// Conn carries messages of one connection. Both methods may be used at the same time
// by one goroutine each.
type Conn interface {
	// Send sends a frame, Recv waits for the next one. After an error the connection
	// is of no use.
	Send(frame []byte) error
	Recv(ctx context.Context) ([]byte, error)
}

// beat is how often the engine's end gives a sign of life and repeats what was not
// acknowledged.
const beat = time.Second

// ErrClosed is what Serve returns when the referee's end has closed the seat.
var ErrClosed = errors.New("the seat was closed")

// Client is the engine's end: it applies what comes to a player, and remembers where it
// was when the connection breaks. Its Serve is called for one connection after the
// other.
type Client struct {
	// Limits are what the player's owner allows, beside what the referee's end does. They are
	// set before Serve.
	Limits player.Limits

	p   player.Player
	now func() time.Time

	mu       sync.Mutex
	session  string
	last     int             // the latest frame that came in order
	waiting  map[int]*frame  // answers that nobody has acknowledged
	running  int             // the question that is being answered
	stopped  map[int]bool    // questions that were to be answered at once before they were
	queue    []*frame        // what is still to be applied
	ring     chan struct{}   // something is in the queue
	wake     chan struct{}   // something is to be sent
	ctx      context.Context // lives as long as the client
	end      context.CancelFunc
	done     chan struct{}
	start    player.Start
	name     string
	beat     time.Duration
	thought  thought
	printed  printed
	acts     acts
	proposed proposed
	asks     *player.Asks // what is asked in the session
	attends  bool         // the player has its desk
}

// NewClient returns the engine's end for a player, which plays games of spec and
// belongs to the client until Close, but is not closed by it.
func NewClient(p player.Player, spec game.Spec, now func() time.Time) *Client {
	c := &Client{
		p: p, now: now, waiting: map[int]*frame{}, stopped: map[int]bool{}, ring: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		done: make(chan struct{}), beat: beat,
	}
	if q, ok := p.(player.Positioner); ok {
		c.start = q.CanStart(spec)
	}
	c.acts.num = int(now().UnixMilli())
	c.proposed.num = c.acts.num // a program that comes later in the same game goes on above an earlier one's
	c.ctx, c.end = context.WithCancel(context.Background())
	go c.work()
	return c
}

// Close ends the client and what its player is doing.
func (c *Client) Close() {
	c.end()
	c.p.Stop()
	<-c.done
}

// Serve plays over one connection until it breaks, until the seat is closed
// (ErrClosed), or until ctx ends.
func (c *Client) Serve(ctx context.Context, conn Conn) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	wg.Go(func() {
		if err := c.speak(ctx, conn); err != nil {
			cancel(err)
		}
	})
	for {
		data, err := conn.Recv(ctx)
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return err
		}
		f, err := decode(data)
		if err != nil {
			return fmt.Errorf("the hall sent %w", err)
		}
		if c.take(f) {
			return ErrClosed
		}
	}
}

// speak says who is there, repeats what may be lost, and gives signs of life.
func (c *Client) speak(ctx context.Context, conn Conn) error {
	tick := time.NewTicker(c.beat)
	defer tick.Stop()
	for {
		for _, f := range c.news() {
			data, err := encode(f)
			if err == nil {
				err = conn.Send(data)
			}
			if err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-c.wake:
		case <-ctx.Done():
			return nil
		}
	}
}

// news is what is to be said now. The hello asks for what is missing.
func (c *Client) news() []*frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := &frame{K: kindHello, S: c.session, Last: c.last, Start: c.start, Name: c.name, Asked: c.canAsk()}
	list := []*frame{h}
	if f := c.printed.next(c.session); f != nil {
		list = append(list, f)
	}
	for _, f := range c.waiting {
		g := *f
		list = append(list, &g)
	}
	if f := c.acts.next(); f != nil {
		list = append(list, f)
	}
	if f := c.proposed.f; f != nil {
		g := *f
		list = append(list, &g)
	}
	if f := c.thought.next(); f != nil {
		list = append(list, f)
	}
	return list
}

// take sorts a frame in, and reports whether it closes the seat.
func (c *Client) take(f *frame) (closes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.K == kindAck {
		if f.S == c.session {
			delete(c.waiting, f.Q)
		}
		return false
	}
	if f.K == kindActed {
		if c.acts.answered(f) {
			bell.Ring(c.wake)
		}
		return false
	}
	if f.N == 0 {
		return false
	}
	// Another session begins with a game: what came before is of no use any more.
	if f.S != c.session {
		if f.K != kindNew {
			return false
		}
		c.session, c.last, c.waiting, c.queue, c.asks = f.S, f.N-1, map[int]*frame{}, nil, nil
		c.acts.begin(f.S)
		c.printed.begin(f.Setup.Lines)
		if c.running > 0 {
			c.p.Stop()
		}
	}
	switch {
	case f.N <= c.last:
		return false
	case f.N > c.last+1 && f.K != kindNew: // something is missing: say what is there
		bell.Ring(c.wake)
		return false
	}
	c.last = f.N
	switch f.K {
	case kindBye:
		return true
	case kindStop:
		if running := c.running == f.Q; running || c.queued(f.Q) {
			c.stopped[f.Q] = true // it may be just before the player is asked
			if running {
				c.p.Stop()
			}
		}
	case kindDecided:
		c.proposed.take(f)
	case kindAsks: // who thinks is told at once
		c.asks = f.Asks
		if c.attends && !c.begins() {
			c.p.(player.Actor).Asked(*f.Asks) //nolint:forcetypeassert // only such a player attends
		}
	default:
		c.later(f)
	}
	return false
}

// later puts a frame into the queue; c.mu is held.
func (c *Client) later(f *frame) {
	c.queue = append(c.queue, f)
	bell.Ring(c.ring)
}

// begins reports whether a game is still to begin; c.mu is held.
func (c *Client) begins() bool {
	return slices.ContainsFunc(c.queue, func(f *frame) bool { return f.K == kindNew })
}

// queued reports whether a question is still to be put; c.mu is held.
func (c *Client) queued(q int) bool {
	return slices.ContainsFunc(c.queue, func(f *frame) bool { return f.Q == q })
}

// next returns the next frame to apply, nil when the client ends.
func (c *Client) next() *frame {
	for {
		c.mu.Lock()
		if len(c.queue) > 0 {
			f := c.queue[0]
			c.queue = c.queue[1:]
			c.running = f.Q
			c.mu.Unlock()
			return f
		}
		c.running = 0
		c.mu.Unlock()
		select {
		case <-c.ring:
		case <-c.ctx.Done():
			return nil
		}
	}
}

// work applies what came, in order. It is the goroutine that uses the player.
func (c *Client) work() {
	defer close(c.done)
	defer func() {
		c.attend(false)
		c.acts.begin("")
	}()
	for {
		f := c.next()
		if f == nil {
			return
		}
		switch f.K {
		case kindNew:
			c.newGame(f)
		case kindUpdate:
			c.p.Tell(f.Update)
		case kindPrompt:
			c.choose(f)
		case kindOver:
			c.attend(false)
			c.p.Over(*f.Result)
			c.ends()
		}
		if c.ctx.Err() != nil {
			return
		}
	}
}

// say keeps an answer until it is acknowledged.
func (c *Client) say(to, f *frame) {
	f.S, f.Q = to.S, to.Q
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.S != c.session {
		return
	}
	if m, ok := c.p.(player.Meter); ok {
		if u, known := m.Used(); known {
			f.Used = &u
		}
	}
	c.waiting[f.Q] = f
	c.thought.f = nil // the answer has it
	bell.Ring(c.wake)
}

// sayFailure tells why the player cannot go on, with what shows it.
func (c *Client) sayFailure(to *frame, err error) {
	w := &wireFailure{Reason: game.ByCrash, Detail: err.Error()}
	if f, ok := errors.AsType[*player.Failure](err); ok {
		w.Reason, w.Detail, w.Evidence = f.Reason, f.Detail, append(w.Evidence, f.Evidence...)
	}
	if e, ok := c.p.(player.Witness); ok && len(w.Evidence) == 0 {
		w.Evidence = append(w.Evidence, e.Evidence()...)
	}
	w.bound()
	c.say(to, &frame{K: kindFailed, Failure: w})
}

func (c *Client) newGame(f *frame) {
	s := f.Setup.Setup
	if f.Setup.View != nil {
		s.View = shown{*f.Setup.View}
	}
	if s.Against != player.AgainstPerson {
		s.Against = player.OverNetwork
	}
	s.Limits = s.Limits.Within(c.Limits)
	ctx, cancel := context.WithTimeout(c.ctx, max(f.Setup.Patience, time.Millisecond))
	defer cancel()
	if m, ok := c.p.(player.Meter); ok {
		m.Begin()
	}
	if err := c.p.NewGame(ctx, &s); err != nil {
		c.sayFailure(f, err)
		return
	}
	c.attend(true)
	ready := &frame{K: kindReady}
	if n, ok := c.p.(player.Namer); ok {
		ready.Name = game.Shown(strings.TrimSpace(n.EngineName()), maxText)
		c.mu.Lock()
		c.name = ready.Name
		c.mu.Unlock()
	}
	c.say(f, ready)
}

func (c *Client) choose(f *frame) {
	w := f.Prompt
	q := &player.Prompt{
		Seat: w.Seat, Turn: w.Turn, Moves: legal(w.Legal), Clocks: w.Clocks, Colours: w.Colours, Again: w.Again, Rejected: w.Rejected,
		Limits: w.Limits.Within(c.Limits),
	}
	if w.View != nil {
		q.View = shown{*w.View}
	}
	if w.Think {
		q.Report = func(i *game.Info) { c.think(f, i) }
	}
	c.consult(f)
	began := c.now()
	if w.Timed {
		q.Deadline = began.Add(w.Left)
	}
	c.mu.Lock()
	stop := c.stopped[f.Q]
	delete(c.stopped, f.Q)
	c.mu.Unlock()
	if stop { // nobody waits for a long answer any more
		q.Deadline = began.Add(min(max(w.Left, 0), 50*time.Millisecond))
	}
	a, err := c.p.Choose(c.ctx, q)
	used := c.now().Sub(began)
	c.mu.Lock()
	delete(c.stopped, f.Q)
	c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	if err != nil {
		c.sayFailure(f, err)
		return
	}
	if a.Measured {
		used = a.Used
	}
	out := &wireAnswer{
		Steps: append([]game.Move(nil), a.Steps...), Whole: a.Whole, Unread: a.Unread, Info: a.Info, Lines: a.Lines, Raw: a.Raw,
		Used: max(used, 1),
	}
	out.Info.PV = append([]game.Move(nil), a.Info.PV...)
	if err := out.bound(); err != nil {
		c.sayFailure(f, player.Fail(game.ByProtocol, err, "%v", err))
		return
	}
	c.say(f, &frame{K: kindAnswer, Answer: out})
}
