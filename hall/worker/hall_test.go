package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/internal/leaks"
	"kibitz/match"
	"kibitz/player"
	"kibitz/record/native"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const (
	testPulse = 100 * time.Millisecond
	testLease = time.Second
)

// hall is a bus with a hall behind it, in memory: it begins games, takes results, and
// counts nothing twice.
type hall struct {
	mu      sync.Mutex
	wake    chan struct{}
	jobs    []*held
	plays   map[string]bus.Play
	attempt map[string]int
	over    map[string]bus.Result // results that count
	late    []bus.Result          // results that do not
	logs    map[string][][]byte
	live    map[game.Audience][]bus.Live
	states  [2][]bus.SeatState
	// printed are the messages about consoles, consoles what answers for them.
	printed  map[game.Seat][]bus.Console
	consoles map[game.Seat]func() bus.Console
	analyse  func(q bus.Analysis, fn func(bus.Analysed) error) error
	frames   [2]func([]byte)
	sent     strings.Builder
	heard    map[string]bool
	orders   map[string]func(bus.Order)
	inputs   map[game.Seat]func(bus.SeatInput) bus.Reply
	seats    map[game.Seat]func([]byte) []byte
	hear     func(time.Duration)
	waiting  func(age, waits time.Duration)
	syncs    map[string]func(game.Audience) (bus.Sync, error)
	order    *bus.Order
	workers  map[string]bus.Worker
	done     int
	lease    time.Duration
}

func newHall() *hall {
	return &hall{
		lease:   testLease,
		printed: map[game.Seat][]bus.Console{}, consoles: map[game.Seat]func() bus.Console{},
		wake: make(chan struct{}), heard: map[string]bool{}, plays: map[string]bus.Play{}, attempt: map[string]int{}, over: map[string]bus.Result{}, logs: map[string][][]byte{},
		live: map[game.Audience][]bus.Live{}, orders: map[string]func(bus.Order){}, inputs: map[game.Seat]func(bus.SeatInput) bus.Reply{},
		seats: map[game.Seat]func([]byte) []byte{}, syncs: map[string]func(game.Audience) (bus.Sync, error){}, workers: map[string]bus.Worker{},
	}
}

func (h *hall) change() {
	close(h.wake)
	h.wake = make(chan struct{})
}

// add queues a game.
func (h *hall) add(p bus.Play) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plays[p.Game] = p
	h.jobs = append(h.jobs, &held{h: h, job: bus.Job{Game: p.Game, Needs: []string{bus.PlaceOf(p.Seats[0].Kind, p.Seats[1].Kind)}}})
	h.change()
}

// until waits for something to be true.
func (h *hall) until(t *testing.T, what string, fn func() bool) {
	t.Helper()
	for range 20000 {
		synctest.Wait() // nothing else happens at this moment
		h.mu.Lock()
		ok := fn()
		h.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s: it did not happen", what)
}

func (h *hall) result(t *testing.T, id string) bus.Result {
	t.Helper()
	h.until(t, "result of "+id, func() bool { _, ok := h.over[id]; return ok })
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over[id]
}

// held is a job with its lease.
type held struct {
	h     *hall
	job   bus.Job
	until time.Time
	turn  int // counts deliveries
	gone  bool
}

type handed struct {
	*held
	turn int
	line *line
}

func (d handed) Job() bus.Job { return d.job }

func (d handed) holds() error {
	if d.line.cut || d.gone || d.turn != d.held.turn || !time.Now().Before(d.until) {
		return errors.New("the lease has run out")
	}
	return nil
}

func (d handed) Progress(context.Context) error {
	d.h.mu.Lock()
	defer d.h.mu.Unlock()
	if err := d.holds(); err != nil {
		return err
	}
	d.until = time.Now().Add(d.h.lease)
	return nil
}

func (d handed) Done(context.Context) error {
	d.h.mu.Lock()
	defer d.h.mu.Unlock()
	if err := d.holds(); err != nil {
		return err
	}
	d.gone = true
	d.h.done++
	return nil
}

func (d handed) Return(delay time.Duration) error {
	d.h.mu.Lock()
	defer d.h.mu.Unlock()
	if err := d.holds(); err != nil {
		return err
	}
	d.until = time.Now().Add(delay)
	d.held.turn++
	return nil
}

// line is one worker's connection to the hall, which may be cut.
type line struct {
	*hall
	cut bool
}

var errCut = errors.New("the bus is away")

func (l *line) Take(ctx context.Context, has func(string) bool) (Delivery, error) {
	for {
		l.mu.Lock()
		for _, d := range l.jobs {
			if l.cut || d.gone || time.Now().Before(d.until) || !has(d.job.Needs[0]) {
				continue
			}
			d.until = time.Now().Add(l.lease)
			d.turn++
			l.mu.Unlock()
			return handed{d, d.turn, l}, nil
		}
		wake := l.wake
		l.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-wake:
		case <-time.After(testPulse):
		}
	}
}

func (l *line) AskBegin(_ context.Context, q bus.Begin) (bus.Begun, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return bus.Begun{}, errCut
	}
	if asked := q.Worker + " " + q.Ask; q.Ask == "" || l.heard[asked] {
		return bus.Begun{}, fmt.Errorf("question %q is not new", asked)
	} else {
		l.heard[asked] = true
	}
	if _, over := l.over[q.Game]; over {
		return bus.Begun{}, nil
	}
	p := l.plays[q.Game]
	if n := l.attempt[q.Game]; p.Keep && n > 0 {
		p.Resume = l.logs[fmt.Sprint(q.Game, "/", n)]
	}
	l.attempt[q.Game]++
	p.Attempt = l.attempt[q.Game]
	return bus.Begun{Play: &p}, nil
}

func (l *line) AskAlive(_ context.Context, q bus.Pulse) (bus.Alive, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return bus.Alive{}, errCut
	}
	return bus.Alive{Stale: l.attempt[q.Game] != q.Attempt, Order: l.order}, nil
}

func (l *line) PublishResult(_ context.Context, r bus.Result) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return errCut
	}
	if _, over := l.over[r.Game]; over || r.Attempt != l.attempt[r.Game] {
		l.late = append(l.late, r)
		return nil
	}
	l.over[r.Game] = r
	return nil
}

func (l *line) PublishLive(e bus.Live) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return errCut
	}
	e.Line = append([]byte(nil), e.Line...)
	l.live[e.To] = append(l.live[e.To], e)
	return nil
}

func (l *line) PublishSeatState(s bus.SeatState) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states[s.Seat] = append(l.states[s.Seat], s)
	return nil
}

func (l *line) PublishSeat(_ string, _ int, seat game.Seat, payload []byte) error {
	l.mu.Lock()
	fn := l.frames[seat]
	if s := string(payload); !l.heard[s] { // what is lacking is sent again
		l.heard[s] = true
		l.sent.WriteString(s + "\n")
	}
	l.mu.Unlock()
	if fn != nil {
		fn(payload)
	}
	return nil
}

func (l *line) SubscribeBeats(fn func(age, waits time.Duration)) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear, l.waiting = func(age time.Duration) { fn(age, 0) }, fn
	return func() {}, nil
}

func (l *line) ServeSync(id string, fn func(game.Audience) (bus.Sync, error)) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.syncs[id] = fn
	return func() {}, nil
}

func (l *line) ServeSeatInput(_ string, seat game.Seat, fn func(bus.SeatInput) bus.Reply) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inputs[seat] = fn
	return func() {}, nil
}

func (l *line) ServeSeat(_ string, seat game.Seat, fn func([]byte) []byte) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seats[seat] = fn
	return func() {}, nil
}

func (l *line) PublishConsole(c bus.Console) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.printed[c.Seat] = append(l.printed[c.Seat], c)
	return nil
}

func (l *line) ServeConsole(_ string, seat game.Seat, fn func() bus.Console) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.consoles[seat] = fn
	return func() {}, nil
}

func (l *line) Analyse(_ context.Context, q bus.Analysis, fn func(bus.Analysed) error) error {
	l.mu.Lock()
	analyse := l.analyse
	l.mu.Unlock()
	return analyse(q, fn)
}

func (l *line) SubscribeOrders(id string, fn func(bus.Order)) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.orders[id] = fn
	return func() {}, nil
}

func (l *line) OpenLog(id string, attempt int) (Log, error) {
	return &logged{l, fmt.Sprint(id, "/", attempt)}, nil
}

// logged is the log of an attempt.
type logged struct {
	l   *line
	key string
}

func (g *logged) Append(_ context.Context, line []byte) error {
	g.l.mu.Lock()
	defer g.l.mu.Unlock()
	if g.l.cut {
		return errCut
	}
	g.l.logs[g.key] = append(g.l.logs[g.key], bytes.TrimSuffix(line, []byte("\n")))
	return nil
}

func (g *logged) Close(context.Context) error { return nil }

func (l *line) Register(w bus.Worker) (Registration, error) {
	l.Update(w)
	return l, nil
}

// Update replaces the entry of a worker.
func (l *line) Update(w bus.Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.workers[w.ID] = w
}

// Close leaves the entry for the test to look at.
func (l *line) Close() {}

// steady decides by what it sees alone, after a while.
type steady struct {
	think time.Duration
	say   string
}

func (s *steady) NewGame(context.Context, *player.Setup) error { return nil }
func (s *steady) Tell(*player.Update)                          {}
func (s *steady) Stop()                                        {}
func (s *steady) Over(game.Result)                             {}
func (s *steady) Close() error                                 { return nil }

func (s *steady) CanStart(game.Spec) player.Start { return player.FromPosition }

func (s *steady) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	select {
	case <-time.After(s.think):
	case <-ctx.Done():
		return player.Answer{}, player.Fail(game.ByAbort, ctx.Err(), "stopped")
	}
	list := p.Moves.Legal(nil)
	n := 0
	v := p.View.View()
	for i, c := range v.Cells {
		n += i * int(c.Piece)
	}
	m := list[(n+p.Again)%len(list)]
	return player.Answer{Steps: []game.Move{m}, Info: game.Info{Depth: 3, Text: s.say}}, nil
}

// steadySetup builds games between steady players.
func steadySetup(think time.Duration) func(context.Context, *bus.Play) (*Setup, error) {
	return func(_ context.Context, p *bus.Play) (*Setup, error) {
		r, err := games.Open(string(p.Spec))
		if err != nil {
			return nil, err
		}
		out := &Setup{Rules: r, Dealer: match.NewDealer(r, [32]byte(append(make([]byte, 32), p.Seed...)[len(p.Seed):]))}
		out.Policy.MaxMoves = p.Rules.MaxMoves
		out.Policy.Undo = p.Rules.Undo
		for s := range out.Sides {
			if out.Sides[s].Clock, err = clock.Parse(p.Seats[s].Clock); err != nil {
				return nil, err
			}
			if p.Seats[s].Kind == bus.BotSeat {
				out.Sides[s].Player = &steady{think: think, say: "secret of " + p.Seats[s].Name}
			}
		}
		return out, nil
	}
}

// start runs a worker until the test ends it.
func start(t *testing.T, c Config) (w *Worker, end func()) {
	t.Helper()
	if c.Now = time.Now; c.Pulse == 0 {
		c.Pulse = testPulse
	}
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); w.Run(context.Background()) }()
	return w, func() { w.Drain(); <-done }
}

// bots is a game between two bots.
func bots(id string, spec game.Spec) bus.Play {
	return bus.Play{
		Game: id, Spec: spec, Show: true, Rules: bus.Rules{MaxMoves: 30},
		Seats: [2]bus.Seat{{Kind: bus.BotSeat, Name: "A", Clock: "60+1"}, {Kind: bus.BotSeat, Name: "B", Clock: "60+1"}},
	}
}

// unpacked reads the record of a result.
func unpacked(t *testing.T, r bus.Result) *native.Record {
	t.Helper()
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	line, err := dec.DecodeAll(r.Record, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := native.Parse(line, func(s game.Spec) (native.Text, error) { return games.Open(string(s)) })
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
