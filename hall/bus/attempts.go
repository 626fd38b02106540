package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// Alive is the hall's answer to a Pulse.
type Alive struct {
	// Stale tells that a later attempt has begun, or that the game is over: the worker
	// stops at once and publishes nothing.
	Stale bool `json:"stale,omitempty"`
	// Order is what the hall wants, nil for nothing.
	Order *Order `json:"order,omitempty"`
}

// Attempts are what a worker and the halls tell each other of an attempt: that it begins,
// that it is played, and what a hall wants of it.
type Attempts struct{ *owners }

// AskBegin asks a hall what to play. An *AskError is the hall's own; with any other
// error no hall answered, and the job is better given back.
func (x *Attempts) AskBegin(ctx context.Context, q Begin) (Begun, error) {
	var out Begun
	err := x.ask(ctx, x.names.subject("hall", "begin", x.sender), q, &out)
	return out, err
}

// ServeBegin answers AskBegin; of several halls one answers. Questions are answered
// side by side, with a context that ends with the bus or after Options.Timeout.
func (x *Attempts) ServeBegin(fn func(context.Context, Begin) (Begun, error)) (*Subscription, error) {
	return serve(x.conn, x.names.subject("hall", "begin", "*"), "halls", own(x.forgeries, func(q Begin) string { return q.Worker }, fn))
}

// AskAlive tells a hall that a game is still played, and brings back what it wants.
func (x *Attempts) AskAlive(ctx context.Context, q Pulse) (Alive, error) {
	var out Alive
	err := x.ask(ctx, x.names.subject("hall", "alive", x.sender), q, &out)
	return out, err
}

// ServeAlive answers AskAlive as ServeBegin does AskBegin.
func (x *Attempts) ServeAlive(fn func(context.Context, Pulse) (Alive, error)) (*Subscription, error) {
	return serve(x.conn, x.names.subject("hall", "alive", "*"), "halls", own(x.forgeries, func(q Pulse) string { return q.Worker }, fn))
}

// PublishOrder tells the worker that has a game what the hall wants. Who misses it is
// told again by the answer to his next Pulse.
func (x *Attempts) PublishOrder(o Order) error {
	data, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("bus: order to game %s: %w", o.Game, err)
	}
	worker, err := x.at(o.Game)
	if errors.Is(err, ErrNobody) {
		return nil
	}
	if err != nil {
		return err
	}
	return x.publish(x.names.subject("order", worker, o.Game), data)
}

// SubscribeOrders passes the orders to one game to fn, one at a time.
func (x *Attempts) SubscribeOrders(id string, fn func(Order)) (*Subscription, error) {
	subject, err := x.names.game("order", x.sender, id)
	if err != nil {
		return nil, err
	}
	return x.hear(subject, func(m *nats.Msg) {
		var o Order
		if err := json.Unmarshal(m.Data, &o); err != nil || o.Game != id {
			x.opts.Log.Warn("bus: an order that cannot be read", "game", id)
			return
		}
		fn(o)
	})
}

// own lets nobody ask for a worker that is not his. Who asks for a game whose job he does
// not have is told of, too.
func own[Q, A any](
	tried *forgeries, worker func(Q) string, fn func(context.Context, Q) (A, error),
) func(context.Context, string, Q) (A, error) {
	return func(ctx context.Context, sender string, q Q) (A, error) {
		if !Owns(sender, worker(q)) {
			var none A
			text := "worker " + game.Shown(worker(q), 60) + " is not one of " + sender
			tried.add(sender, "it asked for another one: "+text)
			return none, &AskError{Code: codeNotYours, Text: text}
		}
		a, err := fn(ctx, q)
		if own, ok := errors.AsType[*AskError](err); ok && own.Code == CodeNoLease {
			tried.add(sender, "it asked for a game without its job: "+own.Text)
		}
		return a, err
	}
}
