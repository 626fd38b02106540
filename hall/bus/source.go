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

// holder is Options.Holder; without one it is the workers of halls' own processes that
// have all games.
func (b *Bus) holder(id string) (attempt int, worker string, err error) {
	if b.opts.Holder == nil {
		return 0, hallSender, nil
	}
	ctx, cancel := context.WithTimeout(b.life, b.opts.Timeout)
	defer cancel()
	return b.opts.Holder(ctx, id)
}

// at is the sender whose worker has a game, for questions and orders to it. While nobody
// has it there is nobody to ask.
func (b *Bus) at(id string) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	_, worker, err := b.holder(id)
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
	bus     *Bus
	game    string
	attempt int
	worker  string
	deaf    map[string]time.Time
}

func (b *Bus) source(id string) *source {
	return &source{bus: b, game: id, deaf: map[string]time.Time{}}
}

// has reports whether the news in a message about an attempt are taken. Those of an attempt
// that is over are dropped without a word, those of somebody who does not have the attempt
// are told of. While the database does not say who has it, the message waits, and what
// follows waits behind it, until the subscription ends.
func (s *source) has(m *nats.Msg, attempt int) bool {
	sender := s.bus.names.sender(m.Subject)
	if s.bus.opts.Holder == nil {
		return sender == hallSender
	}
	now := s.bus.opts.Now()
	if attempt > s.attempt && !now.Before(s.deaf[sender]) {
		err := s.bus.retry(s.bus.life, func(context.Context) (err error) {
			if !m.Sub.IsValid() {
				return nil
			}
			s.attempt, s.worker, err = s.bus.holder(s.game)
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
	s.bus.forgeries.add(sender, fmt.Sprintf("it sent news of attempt %d of game %s, which it does not have", attempt, game.Shown(s.game, 60)))
	return false
}
