// Package worker takes games from the queue of a hall and plays them.
//
// The hall's database is the truth: a worker asks what to play, tells what it came to,
// and stops at once when the hall has begun the game elsewhere. Rules, engines and
// dealers are passed in by whoever knows them.
package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/internal/bell"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

const (
	defaultPulse = 5 * time.Second
	// mostFailures is how often a worker gives a game that it cannot play back to the
	// queue before it says so, returnDelay how long the queue then holds it.
	mostFailures = 3
	returnDelay  = 2 * time.Second
	// mostGames is how many games are played at a time unless somebody says otherwise.
	mostGames = 4000
	// pulseShare is how many signs of life a worker gives a second before those of a game
	// become fewer, down to half as many: two are within the lease of a job even then.
	pulseShare = 200
	// lastWords bounds what is said after the worker was told to end.
	lastWords = 15 * time.Second
)

// Setup is what a game is set up with: rules, players, the dealer, the policy of the referee.
type Setup struct {
	Rules rules.Rules
	// Sides have the players of built-in engines and of engines of this worker;
	// those of people and remote engines are added. Names are those of the game.
	Sides  [2]match.Side
	Dealer rules.Dealer
	Policy match.Policy
	// Hashes are those of the programs of engines of this worker.
	Hashes [2]string
	// Consoles let the worker hear what passes between an engine of this worker and its
	// host; nil for seats of which nothing can be heard.
	Consoles [2]Listen
	// Advise makes a player for the seat of a person who asks for hints; nil if nobody may.
	Advise func() (player.Player, error)
	// Judge returns how much of the chance of its seat, in percent, the turn of some decisions lost that
	// began after ply of them; nil where the seats know different things, and nobody may judge.
	Judge func(ctx context.Context, moves []game.Move, ply int) (lost float64, err error)
	// Close releases the players; it may be nil.
	Close func()
}

// Listen passes what is sent and printed to fn from now on, line by line, each with its
// mark (bus.ConsoleLine). fn is called by any goroutine and returns at once.
type Listen func(fn func(mark byte, at time.Time, line []byte))

// Config is what a worker is made of.
type Config struct {
	Bus Bus
	// Build makes the set-up of a game. Its error is for people: what this worker
	// lacks.
	Build func(ctx context.Context, p *bus.Play) (*Setup, error)
	// ID is unique among workers, Name and Version are for people.
	ID, Name, Version string
	// Slots is how many engines think at a time, at least 1, and how many games are
	// played at a time in which nobody from outside takes part. Games are how many others
	// are, 4000 if it is 0: a game in which a person thinks takes memory alone.
	Slots, Games int
	// Engines are those of this worker, as they are at the moment; it may be nil.
	Engines func() []bus.Engine
	// Pulse is how often the hall hears of a running game, 5 s if it is 0.
	Pulse time.Duration
	Now   func() time.Time
	// Slept is as that of match.Game; it may be nil.
	Slept func(from, to time.Time) (all, last time.Duration)
	// Load is as that of match.Game; it may be nil.
	Load func() (float64, bool)
	// Log may be nil.
	Log *slog.Logger
}

// Worker plays games until it is told to stop.
type Worker struct {
	Config
	since time.Time
	pack  *zstd.Encoder // of records
	drain context.CancelFunc
	idle  context.Context // ends when no further game is taken
	reach *reach
	// processors are what its engines think on.
	processors *processors

	mu      sync.Mutex
	running map[*attempt]bool
	failed  map[string]int // by game
	asked   int            // how many games it wanted to play
	parking bool
	wake    chan struct{}
}

// New returns a worker that plays nothing yet.
func New(c Config) (*Worker, error) {
	switch {
	case c.Bus == nil || c.Build == nil || c.Now == nil:
		return nil, errors.New("worker: Config needs Bus, Build and Now")
	case c.ID == "":
		return nil, errors.New("worker: Config.ID is missing")
	}
	c.Slots = max(1, c.Slots)
	if c.Engines == nil {
		c.Engines = func() []bus.Engine { return nil }
	}
	if c.Games <= 0 {
		c.Games = mostGames
	}
	if c.Pulse <= 0 {
		c.Pulse = defaultPulse
	}
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w := &Worker{Config: c, since: c.Now(), pack: pack, running: map[*attempt]bool{}, failed: map[string]int{}, wake: make(chan struct{}, 1)}
	w.reach = newReach(c.Now, w.reachChanged)
	w.processors = newProcessors(c.Slots, c.Now)
	w.idle, w.drain = context.WithCancel(context.Background())
	return w, nil
}

// Drain takes no further games; Run returns when the running ones are over.
func (w *Worker) Drain() {
	w.drain()
	w.ring()
}

// Park takes no further games and breaks off the running ones: those that can be
// taken up are parked, others go back to the queue. Run then returns.
func (w *Worker) Park() {
	w.drain()
	w.mu.Lock()
	w.parking = true
	list := w.attempts()
	w.mu.Unlock()
	for _, a := range list {
		a.cancel(errShutdown)
	}
}

// attempts returns what is played; w.mu is held.
func (w *Worker) attempts() []*attempt {
	return slices.Collect(maps.Keys(w.running))
}

// Run plays games until Drain, or Park, or until ctx ends, which parks. It returns
// when nothing is played any more.
func (w *Worker) Run(ctx context.Context) {
	stop := context.AfterFunc(ctx, w.Park)
	defer stop()
	over := make(chan struct{})
	var wg, beat sync.WaitGroup
	beat.Go(func() { w.announce(over) })
	if stop, err := w.Bus.SubscribeBeats(w.reach.beat); err != nil {
		w.Log.Warn("whether halls can take moves is not heard: " + err.Error())
	} else {
		defer stop()
		beat.Go(func() { w.reach.watch(over) })
	}
	wg.Go(func() { w.serve(bus.PlaceAlone, w.Slots) })
	wg.Go(func() { w.serve(bus.PlaceProgram, bus.ProgramsPerSlot*w.Slots) })
	wg.Go(func() { w.serve(bus.PlacePeople, w.Games) })
	wg.Wait()
	close(over)
	beat.Wait()
}

// reachChanged tells that no hall can take moves since then, or that one can again.
func (w *Worker) reachChanged(since time.Time, on bool) {
	if on {
		w.Log.Warn("no hall can take moves: the clocks of people stand still", "since", since)
		return
	}
	w.Log.Info("moves can be taken again: the clocks of people go on", "stood", w.Now().Sub(since).Round(time.Millisecond))
}

// serve plays games of a kind, so many at a time.
func (w *Worker) serve(place string, n int) {
	var games sync.WaitGroup
	defer games.Wait()
	places := make(chan struct{}, n)
	has := func(need string) bool { return need == place || w.has(need) }
	for {
		select {
		case places <- struct{}{}:
		case <-w.idle.Done():
			return
		}
		d, err := w.Bus.Take(w.idle, has)
		if err != nil {
			<-places
			if w.idle.Err() == nil {
				w.Log.Warn("no jobs: " + err.Error())
				w.pause(time.Second)
			}
			continue
		}
		games.Go(func() {
			defer func() { <-places }()
			w.play(d)
		})
	}
}

func (w *Worker) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-w.idle.Done():
	}
}

// has reports whether there is an engine of that hash.
func (w *Worker) has(hash string) bool {
	return slices.ContainsFunc(w.Engines(), func(e bus.Engine) bool { return e.Hash == hash && e.Stopped == "" })
}

// play plays what was delivered. Whatever goes wrong in it stays in it.
func (w *Worker) play(d Delivery) {
	job := d.Job()
	log := w.Log.With("game", job.Game)
	defer func() {
		if v := recover(); v != nil {
			log.Error("the game broke down", "panic", fmt.Sprint(v))
			w.giveBack(d, log)
		}
	}()
	begun, err := w.Bus.AskBegin(w.idle, bus.Begin{Game: job.Game, Worker: w.ID, Try: job.Try, Ticket: job.Ticket, Ask: w.ask()})
	if err != nil {
		log.Warn("no hall says what to play: " + err.Error())
		if err := d.Return(returnDelay); err != nil {
			log.Warn(err.Error())
		}
		return
	}
	if begun.Play == nil {
		drop(d, log)
		return
	}
	newAttempt(w, d, begun.Play, log).run()
}

// ask names a question, also among those of an earlier worker with the same ID.
func (w *Worker) ask() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	return fmt.Sprintf("%d.%d", w.since.UnixNano(), w.asked)
}

// giveBack gives a job back that this worker cannot play, and reports whether that
// was not done too often.
func (w *Worker) giveBack(d Delivery, log *slog.Logger) bool {
	id := d.Job().Game
	w.mu.Lock()
	w.failed[id]++
	n := w.failed[id]
	if n >= mostFailures {
		delete(w.failed, id)
	}
	w.mu.Unlock()
	if n >= mostFailures {
		return false
	}
	if err := d.Return(returnDelay); err != nil {
		log.Warn(err.Error())
	}
	return true
}

// drop takes a job out of the queue by which nothing is to be played: the game is over, or
// has been begun elsewhere by another job. If it stayed, its next delivery would begin the
// game once more. Where that other job is the same one, the lease has run out, and it stays
// with who has it.
func drop(d Delivery, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if err := d.Done(ctx); err != nil {
		log.Debug(err.Error())
	}
}

// rhythm is the time between two signs of life of a game.
func (w *Worker) rhythm() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(w.Pulse, min(time.Duration(len(w.running))*time.Second/pulseShare, 2*w.Pulse))
}

// enter notes that an attempt runs; it is false if the worker is being parked.
func (w *Worker) enter(a *attempt) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.parking {
		return false
	}
	w.running[a] = true
	w.ring()
	return true
}

func (w *Worker) leave(a *attempt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, a)
	w.ring()
}

// ring makes the registry hear of a change.
func (w *Worker) ring() {
	bell.Ring(w.wake)
}

// announce keeps the worker in the registry.
func (w *Worker) announce(over <-chan struct{}) {
	reg, err := w.Bus.Register(w.Entry())
	if err != nil {
		w.Log.Error("the worker is not in the registry: " + err.Error())
		return
	}
	defer reg.Close()
	for {
		select {
		case <-w.wake:
			reg.Update(w.Entry())
		case <-over:
			return
		}
	}
}

// Entry is what the registry says of the worker.
func (w *Worker) Entry() bus.Worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := bus.Worker{
		ID: w.ID, Name: w.Name, Version: w.Version, Slots: w.Slots, Busy: len(w.running), Engines: w.Engines(), Since: w.since,
		Draining: w.idle.Err() != nil, Games: []string{},
	}
	for a := range w.running {
		e.Games = append(e.Games, a.p.Game)
	}
	slices.Sort(e.Games)
	return e
}
