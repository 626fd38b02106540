package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// Seats are the seats of games whose players are not at the worker, and the consoles of
// engines.
type Seats struct{ *owners }

// PublishSeat sends a payload from the worker that plays an attempt of a game to whoever
// speaks for a seat: a SeatState of a person, frames of a remote engine. It does not wait.
func (x *Seats) PublishSeat(id string, attempt int, seat game.Seat, payload []byte) error {
	subject, err := x.names.seat("seat", x.sender, id, seat)
	if err != nil {
		return err
	}
	return x.publish(subject+"."+strconv.Itoa(attempt), payload)
}

// SubscribeSeat passes what PublishSeat sends for one seat to fn, one at a time and in
// order, from the worker alone that has the game (Options.Holder). The payload belongs to
// fn.
func (x *Seats) SubscribeSeat(id string, seat game.Seat, fn func(payload []byte)) (*Subscription, error) {
	return x.subscribeSeat(id, seat, func(_ int, payload []byte) { fn(payload) })
}

// subscribeSeat is SubscribeSeat with the number of the attempt.
func (x *Seats) subscribeSeat(id string, seat game.Seat, fn func(attempt int, payload []byte)) (*Subscription, error) {
	subject, err := x.names.seat("seat", "*", id, seat)
	if err != nil {
		return nil, err
	}
	from := x.source(id)
	return x.hear(subject+".*", func(m *nats.Msg) {
		if attempt, err := strconv.Atoi(lastWord(m.Subject)); err == nil && from.has(m, attempt) {
			fn(attempt, m.Data)
		}
	})
}

// AskSeat sends a payload of a seat to the worker that plays the game, and brings back
// its answer. It is sent up to three times, so the same one may arrive twice. A game that
// has just begun, or goes to another worker, is nobody's for a moment: half of
// Options.Timeout is waited for somebody.
func (x *Seats) AskSeat(ctx context.Context, id string, seat game.Seat, payload []byte) (answer []byte, err error) {
	return x.askWhenKnown(ctx, id, seat, func() ([]byte, error) { return payload, nil })
}

// askWhenKnown is AskSeat with a payload that is made when it is known whom to ask.
func (x *Seats) askWhenKnown(ctx context.Context, id string, seat game.Seat, payload func() ([]byte, error)) (answer []byte, err error) {
	within, cancel := context.WithTimeout(ctx, x.opts.Timeout/2)
	defer cancel()
	gaveUp := x.retry(within, func(context.Context) error {
		if answer, err = x.askSeat(ctx, id, seat, payload); errors.Is(err, ErrNobody) {
			return err
		}
		return nil
	})
	if errors.Is(gaveUp, ErrClosed) {
		return nil, ErrClosed
	}
	return answer, err
}

func (x *Seats) askSeat(ctx context.Context, id string, seat game.Seat, payload func() ([]byte, error)) ([]byte, error) {
	worker, err := x.at(id)
	if err != nil {
		return nil, err
	}
	subject, err := x.names.seat("in", worker, id, seat)
	if err != nil {
		return nil, err
	}
	data, err := payload()
	if err != nil {
		return nil, err
	}
	return x.request(ctx, subject, data)
}

// ServeSeat answers AskSeat for one seat: fn gets the payloads one at a time, must not
// wait for long, and returns the answer.
func (x *Seats) ServeSeat(id string, seat game.Seat, fn func(payload []byte) []byte) (*Subscription, error) {
	subject, err := x.names.seat("in", x.sender, id, seat)
	if err != nil {
		return nil, err
	}
	return x.hear(subject, func(m *nats.Msg) {
		if err := m.Respond(fn(m.Data)); err != nil {
			x.opts.Log.Warn("bus: answering a seat: "+err.Error(), "subject", m.Subject)
		}
	})
}

// PublishSeatState sends the state of a person's seat.
func (x *Seats) PublishSeatState(s SeatState) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("bus: state of a seat of game %s: %w", s.Game, err)
	}
	return x.PublishSeat(s.Game, s.Attempt, s.Seat, data)
}

// SubscribeSeatState passes the states of a person's seat to fn, one at a time.
func (x *Seats) SubscribeSeatState(id string, seat game.Seat, fn func(SeatState)) (*Subscription, error) {
	return x.subscribeSeat(id, seat, func(attempt int, payload []byte) {
		var s SeatState
		if err := json.Unmarshal(payload, &s); err != nil {
			x.opts.Log.Warn("bus: the state of a seat cannot be read: "+err.Error(), "game", id)
			return
		}
		// What is said about another seat never gets through, whatever the payload says.
		if s.Game != id || s.Seat != seat || s.Attempt != attempt {
			x.opts.Log.Warn("bus: the state of a seat names another one", "game", id, "seat", int(seat))
			return
		}
		fn(s)
	})
}

// AskSeatInput tells the worker what a person decided, and brings back what it says to
// that. The error is about the way only.
func (x *Seats) AskSeatInput(ctx context.Context, in SeatInput) (Reply, error) {
	var out Reply
	raw, err := x.askWhenKnown(ctx, in.Game, in.Seat, func() ([]byte, error) {
		if in.Passed != nil {
			in.Waited, in.Sent = in.Passed(), x.stamp()
		}
		data, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("bus: input of a seat of game %s: %w", in.Game, err)
		}
		return data, nil
	})
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, fmt.Errorf("bus: the answer to a seat of game %s cannot be read: %w", in.Game, err)
	}
	return out, nil
}

// ServeSeatInput answers AskSeatInput for one seat.
func (x *Seats) ServeSeatInput(id string, seat game.Seat, fn func(SeatInput) Reply) (*Subscription, error) {
	return x.ServeSeat(id, seat, func(payload []byte) []byte {
		var in SeatInput
		var r Reply
		if err := json.Unmarshal(payload, &in); err != nil {
			r = Reply{Error: "the input cannot be read: " + err.Error(), Code: "unreadable"}
		} else if in.Game != id || in.Seat != seat {
			r = Reply{Error: "the input is for another seat", Code: "not-here"}
		} else {
			in.Waited += x.ways.late(x.opts.Now(), in.Sent)
			r = fn(in)
		}
		data, err := json.Marshal(r)
		if err != nil {
			data, _ = json.Marshal(Reply{Error: err.Error(), Code: "failed"})
		}
		return data
	})
}
