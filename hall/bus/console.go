package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// ConsoleLine is a line that passed between a host and the engine of a seat, or a remark
// about it.
type ConsoleLine struct {
	At time.Time `json:"at"`
	// Mark says where it came from: ">" to the engine, "<" from it, "|" its standard
	// output beside the connection, "!" its standard error, "#" a remark of the host.
	Mark string `json:"mark"`
	Text string `json:"text"`
	// Ply is how many decisions had been made when it passed, chance's included.
	Ply int `json:"ply,omitempty"`
}

// Console is a run of lines of one seat, in order.
type Console struct {
	Game    string    `json:"game"`
	Attempt int       `json:"attempt"`
	Seat    game.Seat `json:"seat"`
	// Next is the number of the line after the last one. Lines count from 1, and those
	// that were dropped count too.
	Next  int           `json:"next"`
	Lines []ConsoleLine `json:"lines"`
	// Over tells that nothing more comes of the attempt.
	Over bool `json:"over,omitempty"`
}

// PublishConsole tells everybody who listens to the console of a seat. It does not wait.
// Only games that hide nothing and whose room lets it be seen have any.
func (x *Seats) PublishConsole(c Console) error {
	subject, err := x.names.seat("console", x.sender, c.Game, c.Seat)
	if err != nil {
		return err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("bus: console of game %s: %w", c.Game, err)
	}
	return x.publish(subject, data)
}

// SubscribeConsole passes what PublishConsole sends for one seat to fn, one at a time and
// in order, from the worker alone that has the game (Options.Holder).
func (x *Seats) SubscribeConsole(id string, seat game.Seat, fn func(Console)) (*Subscription, error) {
	subject, err := x.names.seat("console", "*", id, seat)
	if err != nil {
		return nil, err
	}
	from := x.source(id)
	return x.hear(subject, func(m *nats.Msg) {
		var c Console
		if err := json.Unmarshal(m.Data, &c); err != nil || c.Game != id || c.Seat != seat {
			x.opts.Log.Debug("bus: lines of a console that cannot be read", "game", id, "seat", int(seat))
			return
		}
		if !from.has(m, c.Attempt) {
			return
		}
		fn(c)
	})
}

// AskConsole asks the worker that plays a game for the lines of a seat that it has kept.
func (x *Seats) AskConsole(ctx context.Context, id string, seat game.Seat) (Console, error) {
	var out Console
	worker, err := x.at(id)
	if err != nil {
		return out, err
	}
	subject, err := x.names.seat("lines", worker, id, seat)
	if err != nil {
		return out, err
	}
	err = x.ask(ctx, subject, struct{}{}, &out)
	return out, err
}

// ServeConsole answers AskConsole for a seat.
func (x *Seats) ServeConsole(id string, seat game.Seat, fn func() Console) (*Subscription, error) {
	subject, err := x.names.seat("lines", x.sender, id, seat)
	if err != nil {
		return nil, err
	}
	return x.hear(subject, func(m *nats.Msg) {
		x.respond(m, answer(x.life, m.Data, func(context.Context, struct{}) (Console, error) { return fn(), nil }))
	})
}
