// Package play hands the games of a hall to workers and takes their results.
package play

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/store"
	"kibitz/internal/plain"
)

// Bus is what a hall tells workers and asks them.
type Bus interface {
	Enqueue(ctx context.Context, job bus.Job) error
	ServeBegin(fn func(context.Context, bus.Begin) (bus.Begun, error)) (*bus.Subscription, error)
	ServeAlive(fn func(context.Context, bus.Pulse) (bus.Alive, error)) (*bus.Subscription, error)
	ServeResults(fn func(context.Context, bus.Result) error) (stop func(), err error)
	Publish(topic string, payload []byte) error
	// Workers lists the workers that live, with what they play.
	Workers(ctx context.Context) ([]bus.Worker, error)
	// ResultWaits reports whether a result of a game was published that no hall has
	// taken yet.
	ResultWaits(ctx context.Context, id string) (bool, error)
}

// GameLogs are the arbiter's events of games that can be taken up again.
type GameLogs interface {
	// ReadLog returns the lines of the latest attempt that left any, of senders who had
	// the attempt.
	ReadLog(ctx context.Context, id string, had func(attempt int, sender string) bool) (attempt int, lines [][]byte, err error)
	PurgeLog(ctx context.Context, id string) error
}

// TournamentGames is told of games that belong to a tournament.
type TournamentGames interface {
	// GameEnds is called before a transaction that may end a game, ended after it: of
	// several results of one tournament all but one wait until then, because their
	// transactions would collide.
	GameEnds(id string) (ended func())
	// GameEnded is called in the transaction that ends a game (Over or Aborted), and
	// may be called again for it; it has no effect but through tx.
	GameEnded(tx store.Tx, g *store.Game) error
	// GameTold is called after that transaction.
	GameTold(ctx context.Context, g *store.Game)
}

// Config is what a Dispatcher is made of. Logs, Tournaments and Gone may be nil.
type Config struct {
	Store store.Store
	// Verify plays the records of results by the rules; with nil they are kept unread,
	// and no game is found by its positions.
	Verify      Verifier
	Bus         Bus
	Logs        GameLogs
	Tournaments TournamentGames
	// Gone tells of a worker that it has ended for certain; of others the registry
	// tells in time.
	Gone func(worker string) bool
	Now  func() time.Time
	// Random is where the seeds of chance come from.
	Random io.Reader
	Log    *slog.Logger
	// Health knows whether the queue is away; nil for never.
	Health *health.Monitor
}

// Dispatcher hands games to workers and takes their results. The database says what counts:
// a result that comes late, or twice, changes nothing.
type Dispatcher struct {
	cfg Config

	Queue
	ring chan struct{} // holds one: a job is unsent
}

// New returns a Dispatcher; Serve lets it work.
func New(c Config) *Dispatcher {
	p := &Dispatcher{cfg: c, ring: make(chan struct{}, 1)}
	p.Queue = Queue{
		now: p.now, health: c.Health, unsent: map[string]bool{}, sent: map[string]time.Time{}, waits: map[string]game.Why{},
		lasted: map[string][]time.Duration{},
	}
	return p
}

// tell wakes those who look at a game's room, and at the lobby. It says only what has
// changed: what they may see of it they ask for.
func (p *Dispatcher) tell(g *store.Game) {
	if g.Room != "" {
		p.Wake("room." + g.Room)
		p.Wake("lobby")
	}
	if g.Tournament != "" {
		p.Wake("tournament." + g.Tournament)
	}
}

// Wake tells those who look at a topic that something of it has changed.
func (p *Dispatcher) Wake(topic string) {
	if err := p.cfg.Bus.Publish(topic, []byte("{}")); err != nil {
		p.cfg.Log.Debug("a topic was not told", "topic", topic, "error", plain.OneLine(err))
	}
}

// now is the time as a store keeps it.
func (p *Dispatcher) now() time.Time { return store.Kept(p.cfg.Now()) }

// Update writes, and tries again when a room was changed meanwhile.
func (p *Dispatcher) Update(ctx context.Context, fn func(store.Tx) error) error {
	var err error
	for range 8 {
		if err = p.cfg.Store.Update(ctx, fn); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return err
}
