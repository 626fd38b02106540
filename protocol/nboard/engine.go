package nboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record"
	"kibitz/record/ggf"
)

// Contempter is implemented by players that can value draws of their opening
// book: n discs for Black, 0 for neutral.
type Contempter interface {
	SetContempt(n int)
}

// Serve answers a manager on conn until it quits, closes its end, or ctx ends.
// Every command is obeyed: thinking runs beside reading, so that a ping stops it,
// and what a stopped go has found is printed before the pong.
func Serve(ctx context.Context, conn link.Conn, s protocol.Server) error {
	e := &engine{
		ctx: ctx, conn: conn, srv: s,
		session: s.Session(),
	}
	if err := e.session.NewGame(GameID, ""); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, conn.Interrupt)()
	err := e.loop()
	e.halt(true)
	e.session.Finish()
	if err == nil {
		err = e.failure
	}
	if hungUp(err) {
		return nil
	}
	return err
}

// hungUp reports whether the manager is gone, which ends a session as quit does.
func hungUp(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// engine is the state of one session. Reading and thinking take turns: while a
// job runs the reader touches nothing of it but through halt.
type engine struct {
	ctx     context.Context
	conn    link.Conn
	srv     protocol.Server
	session player.Session
	version int
	buf     []byte
	failure error // what ended a job and must end the session

	job *job
}

// job is one running go, hint, learn or analyze.
type job struct {
	cancel   context.CancelFunc
	done     chan struct{}
	choosing bool // Stop ends it; otherwise the end of its context
	lasting  bool // it is waited for, also at the end of the input, unless the session is abandoned
	err      error
}

func (e *engine) loop() error {
	for {
		line, err := e.conn.ReadLine(time.Time{})
		switch {
		case e.ctx.Err() != nil:
			return e.ctx.Err()
		case errors.Is(err, link.ErrInterrupted):
			e.reap()
			if e.failure != nil {
				return nil // Serve returns the failure
			}
			continue
		case errors.Is(err, io.EOF):
			if e.job != nil && (e.job.choosing || e.job.lasting) { // what was asked is answered
				<-e.job.done
			}
			return nil
		case err != nil:
			return err
		}
		c := ParseCommand(line)
		if c.Kind == Quit {
			return nil
		}
		if err := e.do(&c); err != nil {
			return err
		}
		if e.failure != nil {
			return nil
		}
	}
}

func (e *engine) send(b []byte) error {
	e.buf = b
	return e.conn.Write(b)
}

// do obeys one command. All but what means nothing ends a running job first.
func (e *engine) do(c *Command) error {
	switch c.Kind {
	case UnknownCommand:
		if len(c.Text) > 0 {
			e.srv.Logf("unknown command %s", clip(c.Text))
		}
		return nil
	case BadCommand:
		e.srv.Logf("cannot read the argument of %s", clip(c.Text))
		return nil
	}
	if e.halt(false); e.failure != nil {
		return nil
	}
	switch c.Kind {
	case Hello:
		e.version = int(c.N)
		return e.send(AppendMyName(e.buf[:0], e.srv.Name))
	case SetDepth:
		e.setDepth(c.N)
	case SetContempt:
		if p, ok := e.srv.Player.(Contempter); ok {
			p.SetContempt(int(max(-100, min(c.N, 100))))
		}
	case SetGame:
		return e.refused(e.setGame(c.Text))
	case Move:
		return e.refused(e.play(c.Answer.Move, c.Answer.Time))
	case Ping:
		return e.send(AppendPong(e.buf[:0], c.N))
	case Go:
		e.start(true, e.goes)
	case Hint:
		n := int(max(1, min(c.N, 64)))
		e.start(false, func(ctx context.Context) error { return e.hint(ctx, n) })
	case Learn:
		e.start(false, e.learn)
		e.job.lasting = true // what is not stored is not learned
	case Analyze:
		e.start(false, e.analyze)
	}
	return nil
}

// setDepth sets the depth of searches from now on. The deepest stands for a search that
// is bounded by something else.
func (e *engine) setDepth(n int64) {
	plies := int(max(1, min(n, deepest)))
	e.session.Limits.Ordered = plies < deepest
	if d := e.srv.Limits.Depth; d > 0 {
		plies = min(plies, d)
	}
	e.session.Limits.Depth = plies
}

// refused shows a change of position that could not be made; the position stays
// what it was.
func (e *engine) refused(err error) error {
	if err == nil {
		return nil
	}
	e.srv.Logf("%v", err)
	return e.send(AppendStatus(e.buf[:0], "Error: "+err.Error()))
}

// play makes a move of the side to move. If that side has only the pass and the
// move is the other's, the pass was left out and is played.
func (e *engine) play(m game.Move, used time.Duration) error {
	by := e.session.Position.Turn().Seat
	if !by.IsPlayer() {
		return fmt.Errorf("move %s: the game is over", e.session.Position.FormatMove(m))
	}
	if _, forced := e.session.ForcedPass(); forced && m.Op != game.Pass {
		if err := e.session.PassTo(by.Other()); err != nil {
			return err
		}
		by = by.Other()
	}
	if err := e.session.Position.Check(m); err != nil {
		return fmt.Errorf("move %s: %w", e.session.Position.FormatMove(m), err)
	}
	// The clocks are those after the move when the player is told of it.
	before := e.session.Clocks[by]
	e.session.Clocks[by] = before.Spend(used).EndTurn()
	if err := e.session.Play(m); err != nil {
		e.session.Clocks[by] = before
		return err
	}
	return nil
}

// setGame takes over a game text: position, moves, names and clocks. A game with
// an illegal move is kept up to it.
func (e *engine) setGame(text []byte) error {
	g, err := ggf.Parse(text)
	if err != nil {
		return fmt.Errorf("set game: %w", err)
	}
	if err := e.session.NewGame(g.Spec, g.Start); err != nil {
		return fmt.Errorf("set game: %w", err)
	}
	e.session.Names = g.Names
	for i := range e.session.Clocks {
		e.session.Clocks[i] = clockOf(g.Clocks[i])
	}
	for i := range g.Steps {
		st := &g.Steps[i]
		if _, over := e.session.Position.Result(); over && st.Move.Op == game.Pass {
			continue // a pass after the end says nothing
		}
		if err := e.playStep(st); err != nil {
			return fmt.Errorf("set game: move %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *engine) playStep(st *record.Step) error {
	if turn := e.session.Position.Turn().Seat; turn.IsPlayer() && turn != st.By {
		if err := e.session.PassTo(st.By); err != nil {
			return err
		}
	}
	return e.play(st.Move, st.Used)
}

// clockOf reads a clock as a record holds it.
func clockOf(control string) clock.Clock {
	c, ok := ggf.FromControl(control)
	if !ok {
		return clock.Clock{}
	}
	return clock.New(clock.Control{
		Main: c.Initial.Time, Increment: c.Increment.Time, Overtime: c.Extension.Time,
	})
}

// start runs a job beside reading.
func (e *engine) start(choosing bool, f func(context.Context) error) {
	ctx, cancel := context.WithCancel(e.ctx)
	j := &job{cancel: cancel, done: make(chan struct{}), choosing: choosing}
	e.job = j
	go func() {
		if err := f(ctx); err != nil && ctx.Err() == nil {
			j.err = err
		}
		close(j.done)
		if j.err != nil {
			e.conn.Interrupt() // the reader ends the session
		}
	}()
}

// reap takes note of a job that is done.
func (e *engine) reap() {
	if e.job == nil {
		return
	}
	select {
	case <-e.job.done:
		e.job.cancel()
		e.failure = e.job.err
		e.job = nil
	default:
	}
}

// halt ends a running job and waits for it. A go answers with what it has and a learn is
// done, unless the session is to be abandoned.
func (e *engine) halt(abandon bool) {
	j := e.job
	if j == nil {
		return
	}
	e.job = nil
	defer j.cancel()
	if j.lasting && !abandon {
		<-j.done
		e.failure = j.err
		return
	}
	if !j.choosing || abandon {
		j.cancel()
	}
	// A Stop before the player has begun to choose has no effect, so it is
	// repeated.
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		e.srv.Player.Stop()
		t := time.NewTimer(wait)
		select {
		case <-j.done:
			t.Stop()
			e.failure = j.err
			return
		case <-t.C:
		}
	}
}
