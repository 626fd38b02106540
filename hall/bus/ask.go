package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
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

// ask sends a question up to three times, and reads the answer.
func (c *conn) ask(ctx context.Context, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("bus: asking %s: %w", subject, err)
	}
	raw, err := c.request(ctx, subject, data)
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
func (c *conn) request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if err := c.tooLong("question for "+subject, len(data)); err != nil {
		return nil, err
	}
	const tries = 3
	var err error
	for try := range tries {
		once, cancel := context.WithTimeout(ctx, c.opts.Timeout)
		var msg *nats.Msg
		if msg, err = c.nc.RequestWithContext(once, subject, data); err == nil {
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
		case <-c.life.Done():
			return nil, ErrClosed
		case <-time.After(c.opts.Timeout / 50 << try):
		}
	}
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("bus: asking %s: %w", subject, ErrNobody)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return nil, fmt.Errorf("bus: asking %s: no answer within %s, three times", subject, c.opts.Timeout)
	}
	return nil, fmt.Errorf("bus: asking %s: %w", subject, err)
}

// serve answers questions side by side, up to a bound, as one of a group. fn is told the
// last word of the subject too, which is the sender of questions to halls.
func serve[Q, A any](c *conn, subject, group string, fn func(context.Context, string, Q) (A, error)) (*Subscription, error) {
	slots := make(chan struct{}, asked)
	sub, err := c.nc.QueueSubscribe(subject, group, func(m *nats.Msg) {
		select {
		case slots <- struct{}{}:
		case <-c.life.Done():
			return
		}
		if !c.begin() {
			return
		}
		go func() {
			defer c.running.Done()
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(c.life, c.opts.Timeout)
			defer cancel()
			sender := lastWord(m.Subject)
			c.respond(m, answer(ctx, m.Data, func(ctx context.Context, q Q) (A, error) { return fn(ctx, sender, q) }))
		}()
	})
	if err != nil {
		return nil, fmt.Errorf("bus: listening to %s: %w", subject, err)
	}
	return &Subscription{sub}, c.reach()
}

// answer reads a question, asks fn and wraps what it says.
func answer[Q, A any](ctx context.Context, data []byte, fn func(context.Context, Q) (A, error)) Reply {
	var q Q
	if err := json.Unmarshal(data, &q); err != nil {
		return Reply{Error: "the question cannot be read: " + err.Error(), Code: "unreadable"}
	}
	a, err := fn(ctx, q)
	if own, ok := errors.AsType[*AskError](err); ok {
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
func (c *conn) respond(m *nats.Msg, r Reply) {
	data, err := json.Marshal(r)
	if err == nil {
		err = c.tooLong("answer to "+m.Subject, len(data))
	}
	if err != nil {
		c.opts.Log.Error(err.Error())
		data, _ = json.Marshal(Reply{Error: err.Error(), Code: "failed"})
	}
	if err := m.Respond(data); err != nil && c.life.Err() == nil {
		c.opts.Log.Warn("bus: answering "+m.Subject+": "+err.Error(), "subject", m.Subject)
	}
}
