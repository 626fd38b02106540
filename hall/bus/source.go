package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// Holder tells which worker has the latest attempt of a game, and the number of that
// attempt; the worker is empty if nobody ever had one.
type Holder func(ctx context.Context, id string) (attempt int, worker string, err error)

// owners knows who has a game: whose news are taken, and who is asked.
type owners struct {
	*conn
	forgeries *forgeries
}

// holder is Options.Holder; without one it is the workers of halls' own processes that
// have all games.
func (o *owners) holder(id string) (attempt int, worker string, err error) {
	if o.opts.Holder == nil {
		return 0, hallSender, nil
	}
	ctx, cancel := context.WithTimeout(o.life, o.opts.Timeout)
	defer cancel()
	return o.opts.Holder(ctx, id)
}

// at is the sender whose worker has a game, for questions and orders to it. While nobody
// has it there is nobody to ask.
func (o *owners) at(id string) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	_, worker, err := o.holder(id)
	switch {
	case err != nil:
		return "", fmt.Errorf("bus: who plays game %s: %w", id, err)
	case worker == "":
		return "", fmt.Errorf("bus: who plays game %s: %w", id, ErrNobody)
	}
	return SenderOf(worker), nil
}

// deafFor is how long news of a game are not looked at that come from a sender who was
// found not to have it: each look asks the database.
const deafFor = time.Second

// source decides whose news of a game one subscription takes: those of the worker that has
// the latest attempt. It is used by one goroutine.
type source struct {
	owners  *owners
	game    string
	attempt int
	worker  string
	deaf    map[string]time.Time
}

func (o *owners) source(id string) *source {
	return &source{owners: o, game: id, deaf: map[string]time.Time{}}
}

// has reports whether the news in a message about an attempt are taken. Those of an attempt
// that is over are dropped without a word, those of somebody who does not have the attempt
// are told of. While the database does not say who has it, the message waits, and what
// follows waits behind it, until the subscription ends.
func (s *source) has(m *nats.Msg, attempt int) bool {
	sender := s.owners.names.sender(m.Subject)
	if s.owners.opts.Holder == nil {
		return sender == hallSender
	}
	now := s.owners.opts.Now()
	if attempt > s.attempt && !now.Before(s.deaf[sender]) {
		err := s.owners.retry(s.owners.life, func(context.Context) (err error) {
			if !m.Sub.IsValid() {
				return nil
			}
			s.attempt, s.worker, err = s.owners.holder(s.game)
			return err
		})
		if err != nil || !m.Sub.IsValid() {
			return false
		}
	}
	switch {
	case attempt < s.attempt:
		return false
	case attempt == s.attempt && s.worker != "" && Owns(sender, s.worker):
		return true
	}
	s.deaf[sender] = now.Add(deafFor)
	what := fmt.Sprintf("it sent news of attempt %d of game %s, which it does not have", attempt, game.Shown(s.game, 60))
	s.owners.forgeries.add(sender, what)
	return false
}
