package worker

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// Bus is what a worker needs of the bus. What is served or subscribed to ends with
// the function that is returned.
type Bus interface {
	// Take waits for a job that the worker can play.
	Take(ctx context.Context, has func(hash string) bool) (Delivery, error)
	// AskBegin asks a hall what to play, AskAlive tells it that a game is played.
	AskBegin(ctx context.Context, q bus.Begin) (bus.Begun, error)
	AskAlive(ctx context.Context, q bus.Pulse) (bus.Alive, error)
	// PublishResult returns when the result is kept, or ctx ends.
	PublishResult(ctx context.Context, r bus.Result) error
	// PublishLive and PublishSeatState do not wait.
	PublishLive(l bus.Live) error
	PublishSeatState(s bus.SeatState) error
	// ServeSync answers those who come later with all that an audience may know.
	ServeSync(id string, fn func(to game.Audience) (bus.Sync, error)) (stop func(), err error)
	// ServeSeatInput takes what a person decides; fn is called once at a time for a
	// seat.
	ServeSeatInput(id string, seat game.Seat, fn func(bus.SeatInput) bus.Reply) (stop func(), err error)
	// PublishSeat and ServeSeat carry the frames of a remote engine.
	PublishSeat(id string, attempt int, seat game.Seat, payload []byte) error
	ServeSeat(id string, seat game.Seat, fn func(payload []byte) []byte) (stop func(), err error)
	// PublishConsole tells what an engine prints, ServeConsole answers those who come
	// later with what is kept of it.
	PublishConsole(c bus.Console) error
	ServeConsole(id string, seat game.Seat, fn func() bus.Console) (stop func(), err error)
	// Analyse asks for an analysis, wherever there is a place for it.
	Analyse(ctx context.Context, q bus.Analysis, fn func(bus.Analysed) error) error
	// SubscribeOrders hears what the hall wants of a game.
	SubscribeOrders(id string, fn func(bus.Order)) (stop func(), err error)
	// OpenLog begins the log of an attempt: lines of the arbiter's journal.
	OpenLog(id string, attempt int) (Log, error)
	// SubscribeBeats hears how long ago halls could take moves, and before what time they have
	// passed on all that came.
	SubscribeBeats(fn func(age, waits time.Duration)) (stop func(), err error)
	// Register keeps the worker in the registry until the registration is closed.
	Register(w bus.Worker) (Registration, error)
}

// Log keeps lines in order, beside the game. Close waits until they are kept.
type Log interface {
	Append(ctx context.Context, line []byte) error
	Close(ctx context.Context) error
}

// Registration is a worker's entry in the registry.
type Registration interface {
	Update(w bus.Worker)
	Close()
}

// Delivery is a job that this worker has, as long as it extends the lease.
type Delivery interface {
	Job() bus.Job
	Progress(ctx context.Context) error
	// Done takes the job out of the queue, Return gives it back.
	Done(ctx context.Context) error
	Return(delay time.Duration) error
}
