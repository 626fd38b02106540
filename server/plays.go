package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"kibitz/bus"
	"kibitz/server/health"
	"kibitz/store"
)

// PlaysBus is what a hall tells workers and asks them.
type PlaysBus interface {
	Enqueue(ctx context.Context, job bus.Job) error
	ServeBegin(fn func(context.Context, bus.Begin) (bus.Begun, error)) (*bus.Subscription, error)
	ServeAlive(fn func(context.Context, bus.Pulse) (bus.Alive, error)) (*bus.Subscription, error)
	ServeResults(fn func(context.Context, bus.Result) error) (*bus.Results, error)
	PublishOrder(o bus.Order) error
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

// PlaysConfig is what Plays are made of. Logs, Tournaments and Gone may be nil.
type PlaysConfig struct {
	Store store.Store
	// Verify plays the records of results by the rules; with nil they are kept unread,
	// and no game is found by its positions.
	Verify      Verifier
	Bus         PlaysBus
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

// Plays hands games to workers and takes their results. The database says what counts:
// a result that comes late, or twice, changes nothing.
type Plays struct {
	cfg PlaysConfig

	mu sync.Mutex
	// unsent are queued games whose job the bus has not taken.
	unsent map[string]bool
	// waits says for what queued games wait that no worker can play.
	waits map[string]string
	// ahead is how many games come before a queued one, lines how many wait for a place of
	// a kind.
	ahead, lines map[string]int
	// workers are those that lived at the latest sweep.
	workers offers
}

// NewPlays returns Plays; Serve lets them work.
func NewPlays(c PlaysConfig) *Plays {
	return &Plays{cfg: c, unsent: map[string]bool{}, waits: map[string]string{}}
}

// tell wakes those who look at a game's room, and at the lobby. It says only what has
// changed: what they may see of it they ask for.
func (p *Plays) tell(g *store.Game) {
	if g.Room != "" {
		p.wake("room." + g.Room)
		p.wake("lobby")
	}
	if g.Tournament != "" {
		p.wake("tournament." + g.Tournament)
	}
}

func (p *Plays) wake(topic string) {
	if err := p.cfg.Bus.Publish(topic, []byte("{}")); err != nil {
		p.cfg.Log.Debug("a topic was not told", "topic", topic, "error", oneLine(err))
	}
}

// now is the time as a store keeps it.
func (p *Plays) now() time.Time { return p.cfg.Now().UTC().Truncate(time.Microsecond) }

// update writes, and tries again when a room was changed meanwhile.
func (p *Plays) update(ctx context.Context, fn func(store.Tx) error) error {
	var err error
	for range 8 {
		if err = p.cfg.Store.Update(ctx, fn); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return err
}
