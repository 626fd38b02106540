// Package paced holds a player that takes its time: it draws among the legal moves, one
// at each beat. With it games last as long as a measurement needs and cost hardly any
// processor time.
package paced

import (
	"context"
	"time"

	"kibitz/bot/random"
	"kibitz/player"
)

// Beat says when the next decision is due; the seats of a game may share one. Only one
// goroutine at a time may use it.
type Beat struct {
	Every time.Duration
	// Next is when the latest decision was due.
	Next time.Time
	Now  func() time.Time
}

// Wait waits for the next beat, or until ctx ends. Who is behind goes on from now: lost
// beats are not made up for.
func (b *Beat) Wait(ctx context.Context) {
	now := b.Now()
	if b.Next = b.Next.Add(b.Every); b.Next.Before(now) {
		b.Next = now
	}
	t := time.NewTimer(b.Next.Sub(now))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Player draws among the legal moves at every beat.
type Player struct {
	*random.Player
	beat *Beat
}

// New returns a player with draws of its own.
func New(seed uint64, b *Beat) *Player {
	return &Player{random.New(random.Options{Seed: seed, Name: "paced"}), b}
}

// Choose implements player.Player.
func (p *Player) Choose(ctx context.Context, pr *player.Prompt) (player.Answer, error) {
	p.beat.Wait(ctx)
	return p.Player.Choose(ctx, pr)
}
