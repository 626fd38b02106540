package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// asked is how many questions a hall answers at a time.
const asked = 16

// ErrNobody is returned by questions to which nobody listens.
var ErrNobody = errors.New("nobody is there to answer")

// AskError is what a hall, or whoever else was asked, answered instead of data.
type AskError struct {
	// Code tells errors apart, it may be empty; Text is a line for people.
	Code, Text string
}

// Error returns the text.
func (e *AskError) Error() string { return e.Text }

// Alive is the hall's answer to a Pulse.
type Alive struct {
	// Stale tells that a later attempt has begun, or that the game is over: the worker
	// stops at once and publishes nothing.
	Stale bool `json:"stale,omitempty"`
	// Order is what the hall wants, nil for nothing.
	Order *Order `json:"order,omitempty"`
}

// AskBegin asks a hall what to play. An *AskError is the hall's own; with any other
// error no hall answered, and the job is better given back.
func (b *Bus) AskBegin(ctx context.Context, q Begin) (Begun, error) {
	var out Begun
	err := b.ask(ctx, b.names.subject("hall", "begin", b.sender), q, &out)
	return out, err
}

// ServeBegin answers AskBegin; of several halls one answers. Questions are answered
// side by side, with a context that ends with the bus or after Options.Timeout.
func (b *Bus) ServeBegin(fn func(context.Context, Begin) (Begun, error)) (*Subscription, error) {
	return serve(b, b.names.subject("hall", "begin", "*"), "halls", own(b, func(q Begin) string { return q.Worker }, fn))
}

// AskAlive tells a hall that a game is still played, and brings back what it wants.
func (b *Bus) AskAlive(ctx context.Context, q Pulse) (Alive, error) {
	var out Alive
	err := b.ask(ctx, b.names.subject("hall", "alive", b.sender), q, &out)
	return out, err
}

// ServeAlive answers AskAlive as ServeBegin does AskBegin.
func (b *Bus) ServeAlive(fn func(context.Context, Pulse) (Alive, error)) (*Subscription, error) {
	return serve(b, b.names.subject("hall", "alive", "*"), "halls", own(b, func(q Pulse) string { return q.Worker }, fn))
}

// own lets nobody ask for a worker that is not his. Who asks for a game whose job he does
// not have is told of, too.
func own[Q, A any](b *Bus, worker func(Q) string, fn func(context.Context, Q) (A, error)) func(context.Context, string, Q) (A, error) {
	return func(ctx context.Context, sender string, q Q) (A, error) {
		if !Owns(sender, worker(q)) {
			var none A
			text := "worker " + game.Shown(worker(q), 60) + " is not one of " + sender
			b.forgeries.add(sender, "it asked for another one: "+text)
			return none, &AskError{Code: codeNotYours, Text: text}
		}
		a, err := fn(ctx, q)
		if own := (*AskError)(nil); errors.As(err, &own) && own.Code == CodeNoLease {
			b.forgeries.add(sender, "it asked for a game without its job: "+own.Text)
		}
		return a, err
	}
}

// ask sends a question up to three times, and reads the answer.
func (b *Bus) ask(ctx context.Context, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("bus: asking %s: %w", subject, err)
	}
	raw, err := b.request(ctx, subject, data)
	if err != nil {
		return err
	}
	var reply Reply
	if err := json.Unmarshal(raw, &reply); err != nil {
		return fmt.Errorf("bus: the answer from %s cannot be read: %w", subject, err)
	}
	if reply.Error != "" || reply.Code != "" {
		return &AskError{Code: reply.Code, Text: reply.Error}
	}
	if len(reply.Data) == 0 {
		return nil
	}
	if err := json.Unmarshal(reply.Data, answer); err != nil {
		return fmt.Errorf("bus: the answer from %s cannot be read: %w", subject, err)
	}
	return nil
}

// request asks up to three times, each for Options.Timeout, with a pause between them.
func (b *Bus) request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if err := b.tooLong("question for "+subject, len(data)); err != nil {
		return nil, err
	}
	const tries = 3
	var err error
	for try := range tries {
		once, cancel := context.WithTimeout(ctx, b.opts.Timeout)
		var msg *nats.Msg
		if msg, err = b.nc.RequestWithContext(once, subject, data); err == nil {
			cancel()
			return msg.Data, nil
		}
		cancel()
		if try == tries-1 {
			break // nothing comes after a pause
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("bus: asking %s: %w", subject, ctx.Err())
		case <-b.life.Done():
			return nil, ErrClosed
		case <-time.After(b.opts.Timeout / 50 << try):
		}
	}
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("bus: asking %s: %w", subject, ErrNobody)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return nil, fmt.Errorf("bus: asking %s: no answer within %s, three times", subject, b.opts.Timeout)
	}
	return nil, fmt.Errorf("bus: asking %s: %w", subject, err)
}

// serve answers questions side by side, up to a bound, as one of a group. fn is told the
// last word of the subject too, which is the sender of questions to halls.
func serve[Q, A any](b *Bus, subject, group string, fn func(context.Context, string, Q) (A, error)) (*Subscription, error) {
	slots := make(chan struct{}, asked)
	sub, err := b.nc.QueueSubscribe(subject, group, func(m *nats.Msg) {
		select {
		case slots <- struct{}{}:
		case <-b.life.Done():
			return
		}
		if !b.begin() {
			return
		}
		go func() {
			defer b.running.Done()
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(b.life, b.opts.Timeout)
			defer cancel()
			sender := lastWord(m.Subject)
			b.respond(m, answer(ctx, m.Data, func(ctx context.Context, q Q) (A, error) { return fn(ctx, sender, q) }))
		}()
	})
	if err != nil {
		return nil, fmt.Errorf("bus: listening to %s: %w", subject, err)
	}
	return &Subscription{sub}, b.reach()
}

// answer reads a question, asks fn and wraps what it says.
func answer[Q, A any](ctx context.Context, data []byte, fn func(context.Context, Q) (A, error)) Reply {
	var q Q
	if err := json.Unmarshal(data, &q); err != nil {
		return Reply{Error: "the question cannot be read: " + err.Error(), Code: "unreadable"}
	}
	a, err := fn(ctx, q)
	if own := (*AskError)(nil); errors.As(err, &own) {
		return Reply{Error: own.Text, Code: own.Code}
	}
	if err != nil {
		return Reply{Error: err.Error(), Code: "failed"}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return Reply{Error: err.Error(), Code: "failed"}
	}
	return Reply{Data: raw}
}

// respond answers a question; what cannot be sent becomes an error line for the other
// side.
func (b *Bus) respond(m *nats.Msg, r Reply) {
	data, err := json.Marshal(r)
	if err == nil {
		err = b.tooLong("answer to "+m.Subject, len(data))
	}
	if err != nil {
		b.opts.Log.Error(err.Error())
		data, _ = json.Marshal(Reply{Error: err.Error(), Code: "failed"})
	}
	if err := m.Respond(data); err != nil && b.life.Err() == nil {
		b.opts.Log.Warn("bus: answering "+m.Subject+": "+err.Error(), "subject", m.Subject)
	}
}
