package join

import (
	"context"
	"strings"

	"kibitz/game"
	"kibitz/player"
)

// limited gives a player the limits that its owner has set beside those of the hall.
type limited struct {
	player.Player
	limits player.Limits
}

func (b *limited) within(l player.Limits) player.Limits {
	o := b.limits
	return player.Limits{
		Memory: player.Tighter(l.Memory, o.Memory), Depth: player.Tighter(l.Depth, o.Depth), Nodes: player.Tighter(l.Nodes, o.Nodes),
		Threads: player.Tighter(l.Threads, o.Threads),
	}
}

// NewGame implements player.Player.
func (b *limited) NewGame(ctx context.Context, s *player.Setup) error {
	in := *s
	in.Limits = b.within(s.Limits)
	return b.Player.NewGame(ctx, &in)
}

// Choose implements player.Player.
func (b *limited) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	in := *q
	in.Limits = b.within(q.Limits)
	return b.Player.Choose(ctx, &in)
}

func (b *limited) CanStart(spec game.Spec) player.Start {
	if p, ok := b.Player.(player.Positioner); ok {
		return p.CanStart(spec)
	}
	return player.FromNothing
}

func (b *limited) Attend(d player.Desk) {
	if p, ok := b.Player.(player.Actor); ok {
		p.Attend(d)
	}
}

func (b *limited) CanAnswer() bool {
	p, ok := b.Player.(player.Actor)
	return ok && p.CanAnswer()
}

func (b *limited) Asked(a player.Asks) {
	if p, ok := b.Player.(player.Actor); ok {
		p.Asked(a)
	}
}

func (b *limited) EngineName() string {
	if p, ok := b.Player.(player.Namer); ok {
		return strings.TrimSpace(p.EngineName())
	}
	return ""
}

func (b *limited) Consult(decide func(context.Context, *player.Prompt, game.Move) game.Move) {
	if p, ok := b.Player.(player.Consulter); ok {
		p.Consult(decide)
	}
}

func (b *limited) Evidence() []string {
	if p, ok := b.Player.(player.Witness); ok {
		return p.Evidence()
	}
	return nil
}

func (b *limited) Used() (player.Used, bool) {
	if p, ok := b.Player.(player.Meter); ok {
		return p.Used()
	}
	return player.Used{}, false
}

func (b *limited) Begin() (player.Used, bool) {
	if p, ok := b.Player.(player.Meter); ok {
		return p.Begin()
	}
	return player.Used{}, false
}

var (
	_ player.Positioner = (*limited)(nil)
	_ player.Actor      = (*limited)(nil)
	_ player.Namer      = (*limited)(nil)
	_ player.Consulter  = (*limited)(nil)
	_ player.Witness    = (*limited)(nil)
	_ player.Meter      = (*limited)(nil)
)
