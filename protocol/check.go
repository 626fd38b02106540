package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/link"
)

// Check is one requirement of a protocol that an engine can be tested for.
type Check struct {
	// ID is short and stable, for example "start-ok".
	ID string
	// Requirement is one sentence, Source the page or section it stands in.
	Requirement, Source string
	// Advice marks what a good engine does although no document demands it: a
	// failure is shown and does not make the verdict bad.
	Advice bool
	// Needed marks what the others rest on: if the engine ends in it or gives no answer,
	// they are not tested.
	Needed bool
	// Own tells that Run starts the engine itself, as often as it needs to.
	Own bool
	// Run tests a freshly started engine. It returns nil if the requirement is
	// held, ErrSkipped (wrapped, with the reason) if it cannot be tested, or what
	// was wrong; Must, Got and Before end it too. The conversation is kept by the probe.
	Run func(ctx context.Context, p *Probe) error
}

// Row is a check of those that a probe P of a protocol's own runs.
type Row[P any] = struct {
	ID, Requirement, Source string
	Advice                  bool
	Run                     func(P) error
}

// Table makes checks of rows, those of some IDs needed by the others; probe is called for each.
func Table[P any](rows []Row[P], probe func(*Probe) P, needed ...string) []Check {
	out := make([]Check, len(rows))
	for i, r := range rows {
		out[i] = Check{
			ID: r.ID, Requirement: r.Requirement, Source: r.Source, Advice: r.Advice, Needed: slices.Contains(needed, r.ID),
			Run: func(_ context.Context, p *Probe) error { return r.Run(probe(p)) },
		}
	}
	return out
}

// errEnded tells that the engine is gone, the others that it may as well be: nothing more
// can be heard of it, or said to it.
var (
	errEnded  = errors.New("the engine ended")
	errClosed = errors.New("the engine closed its output")
	errDeaf   = errors.New("the engine does not take what it is sent")
)

// Unanswered reports whether a requirement failed because nothing was answered: no line
// came, or no file.
func Unanswered(err error) bool {
	of := []error{os.ErrDeadlineExceeded, fs.ErrNotExist, errEnded, errClosed, errDeaf}
	return slices.ContainsFunc(of, func(e error) bool { return errors.Is(err, e) })
}

// ErrSkipped tells that a requirement could not be tested.
var ErrSkipped = errors.New("skipped")

// Finding is the outcome of one check.
type Finding struct {
	Check Check
	Err   error
	// Told is what the engine said where that is of interest, else empty.
	Told string
	// Lines are the conversation: "> " sent, "< " received, "! " stderr and ends.
	Lines []string
}

// Held reports whether the requirement is held.
func (f Finding) Held() bool { return f.Err == nil }

// Skipped reports whether it could not be tested.
func (f Finding) Skipped() bool { return errors.Is(f.Err, ErrSkipped) }

// Probe talks to an engine under test and keeps the conversation.
type Probe struct {
	Config Config
	// Patience bounds the wait for an ordinary reply; see Ready and Thought for others.
	Patience time.Duration
	// Told is what is shown of the engine's answers where the requirement is held.
	Told    string
	ctx     context.Context
	conn    link.Conn
	unwatch func() bool // the end of ctx does not interrupt conn any more
	mu      sync.Mutex  // guards lines
	lines   []string
	cut     bool // older lines are gone
	heard   heard
}

const maxProbeLines = 400

// Ready bounds the wait for an engine that starts.
func (p *Probe) Ready() time.Duration {
	if p.Config.StartLimit > 0 {
		return p.Config.StartLimit
	}
	return 4 * p.Patience
}

// Thought bounds the wait for a move of an engine that is asked to think briefly, or
// whose protocol has no word of time.
func (p *Probe) Thought() time.Duration { return 5 * p.Patience }

// RunChecks tests an engine for each requirement, with a new process for each. What
// rests on a requirement that got no answer is skipped. What was tardy (see Tardy) is
// tested a second time. The end of ctx ends it at once; what was being tested then is no
// finding.
func RunChecks(ctx context.Context, c Config, patience time.Duration, list []Check, each func(Finding)) {
	var rests error
	for _, check := range list {
		if rests != nil {
			each(Finding{Check: check, Err: rests})
			continue
		}
		p, err := probe(ctx, c, patience, &check)
		if errors.As(err, &tardy{}) {
			p, err = probe(ctx, c, patience, &check)
		}
		if ctx.Err() != nil {
			return
		}
		f := Finding{Check: check, Err: fitting(err), Told: p.Told, Lines: p.said()}
		each(f)
		if check.Needed && Unanswered(err) && !f.Skipped() {
			rests = fmt.Errorf("%w: it rests on %s", ErrSkipped, check.ID)
		}
	}
}

// Tardy marks an error as a matter of a short time that a requirement names: once may be
// chance, on a machine with other work, twice is the engine's way. Nil stays nil.
func Tardy(err error) error {
	if err == nil {
		return nil
	}
	return tardy{err}
}

type tardy struct{ error }

func (t tardy) Unwrap() error { return t.error }

// probe tests one requirement, and returns the conversation.
func probe(ctx context.Context, c Config, patience time.Duration, check *Check) (*Probe, error) {
	p := &Probe{Config: c, Patience: patience, ctx: ctx}
	return p, p.run(check)
}

func (p *Probe) run(check *Check) error {
	if !check.Own {
		if err := p.open(p.ctx); err != nil {
			return err
		}
		defer p.close()
	}
	return outcome(func() error { return check.Run(p.ctx, p) })
}

// failed is the panic of Must.
type failed struct{ error }

// outcome runs what may end by Must, and returns its error.
func outcome(run func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failed:
			err = r.error
		default:
			panic(r)
		}
	}()
	return run()
}

// Must ends a check with an error, unless it is nil.
func Must(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// Got returns a value, and ends a check with an error that came with it.
func Got[T any](v T, err error) T {
	Must(err)
	return v
}

// Before runs the check of another requirement: where that fails, the one at hand is untested.
func Before[P any](run func(P) error, p P) {
	Must(Untested(outcome(func() error { return run(p) })))
}

func (p *Probe) open(ctx context.Context) error {
	conn, err := p.Config.Dial(ctx)
	if err != nil {
		return fmt.Errorf("the engine did not start: %w", err)
	}
	p.conn = conn
	p.unwatch = context.AfterFunc(p.ctx, conn.Interrupt)
	return nil
}

// Again ends the engine and starts another, in the same conversation.
func (p *Probe) Again() error {
	p.close()
	p.conn = nil
	p.heard = heard{}
	return p.open(p.ctx)
}

func (p *Probe) close() {
	if p.conn == nil {
		return
	}
	p.unwatch()
	for _, l := range Evidence(p.conn) {
		p.note("! " + l)
	}
	if err := p.conn.Close(); err != nil {
		p.note("! " + err.Error())
	}
}

// note keeps a line; of many the latest.
func (p *Probe) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lines) == maxProbeLines {
		p.lines, p.cut = append(p.lines[:0], p.lines[maxProbeLines/2:]...), true
	}
	p.lines = append(p.lines, game.Shown(line, 300))
}

func (p *Probe) said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return append([]string{"… earlier lines are left out"}, p.lines...)
	}
	return p.lines
}

// Observe keeps what passes over a connection that the check makes itself.
func (p *Probe) Observe(d link.Direction, _ time.Time, line []byte) {
	sign := map[link.Direction]string{link.Sent: "> ", link.Received: "< ", link.Printed: "< ", link.Errput: "! ", link.Noted: "! "}[d]
	p.note(sign + strings.TrimRight(string(line), "\r\n"))
}

// Forget begins another conversation.
func (p *Probe) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines, p.cut = nil, false
}

// Send writes lines with the given end in one piece.
func (p *Probe) Send(end string, lines ...string) error {
	var b strings.Builder
	for _, l := range lines {
		p.note("> " + l)
		b.WriteString(l + end)
	}
	p.heard.ask()
	err := p.conn.Write([]byte(b.String()))
	if err == nil {
		return nil
	}
	// An engine that has ended takes nothing either. That says more, and which of the two
	// is seen first is chance.
	if _, ended := p.Quiet(time.Second); ended != nil {
		return ended
	}
	return fmt.Errorf("%w: %w", errDeaf, err)
}

// Receive reads lines until one satisfies want, at most for the time given; the
// others are kept in the conversation only. The error tells what was awaited.
func (p *Probe) Receive(within time.Duration, what string, want func(line string) bool) (string, error) {
	until := p.Config.Now().Add(within)
	for {
		b, err := p.line(until)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return "", silence{what, within, p.read()}
		}
		if err != nil {
			return "", fmt.Errorf("%w, waiting for %s", p.ended(err), what)
		}
		p.heard.take(b)
		line := strings.TrimSpace(string(b))
		p.note("< " + line)
		if want(line) {
			return line, nil
		}
	}
}

// line reads one line, unless the whole check is to end.
func (p *Probe) line(until time.Time) ([]byte, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	return p.conn.ReadLine(until)
}

// read says what came since the latest Send.
func (p *Probe) read() string {
	rest := rest(p.conn)
	if len(rest) > 0 {
		p.note("< " + string(rest) + " (without a line end)")
	}
	return p.heard.words(rest, p.Config.Hint)
}

// silence is the error of an answer that did not come. It is
// os.ErrDeadlineExceeded.
type silence struct {
	what   string
	within time.Duration
	read   string // instead
}

func (s silence) Error() string { return fmt.Sprintf("no %s within %s: %s", s.what, s.within, s.read) }
func (s silence) Unwrap() error { return os.ErrDeadlineExceeded }

// ended says what the end of a connection means.
func (p *Probe) ended(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	if proc, ok := p.conn.(link.Process); ok {
		if exit, gone := proc.Exited(); gone {
			return fmt.Errorf("%w (%s)", errEnded, exit)
		}
	}
	return errClosed
}

// Untested makes an error that came before the requirement could be looked at a
// reason for having skipped it; nil stays nil.
func Untested(err error) error {
	if err == nil || errors.Is(err, ErrSkipped) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrSkipped, err)
}

// Quiet reads for the time given and returns the lines that came.
func (p *Probe) Quiet(during time.Duration) ([]string, error) {
	until := p.Config.Now().Add(during)
	var got []string
	for {
		b, err := p.line(until)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return got, nil
		}
		if err != nil {
			return got, p.ended(err)
		}
		p.heard.take(b)
		line := strings.TrimSpace(string(b))
		p.note("< " + line)
		got = append(got, line)
	}
}

// Lateness begins to measure by how much this machine wakes a sleeper late. The
// function that it returns ends that and tells the longest delay: what an engine
// cannot be blamed for.
func (p *Probe) Lateness() (end func() time.Duration) {
	const nap = 5 * time.Millisecond
	stop, worst := make(chan struct{}), make(chan time.Duration, 1)
	go func() {
		var most time.Duration
		t := time.NewTimer(nap)
		defer t.Stop()
		for {
			began := p.Config.Now()
			t.Reset(nap)
			select {
			case <-stop:
				worst <- most
				return
			case <-t.C:
				most = max(most, p.Config.Now().Sub(began)-nap)
			}
		}
	}()
	return func() time.Duration {
		close(stop)
		return <-worst
	}
}

// Ends waits for the process to end by itself.
func (p *Probe) Ends(within time.Duration) error {
	_, err := p.Quiet(within)
	if err == nil {
		return Tardy(fmt.Errorf("the engine still runs after %s", within))
	}
	if proc, ok := p.conn.(link.Process); ok {
		if exit, gone := proc.Exited(); gone {
			p.note("! " + exit.String())
			if exit.Signal != "" {
				return fmt.Errorf("the engine ended by %s", exit)
			}
		}
	}
	return nil
}
