package hub

import (
	"context"

	"kibitz/game"
	"kibitz/hall/bus"
)

// FromBus makes a source of live events.
func FromBus(live *bus.LiveEvents) Source { return busSource{live} }

type busSource struct{ live *bus.LiveEvents }

func (s busSource) Listen(id string, to game.Audience, fn func(bus.Live)) (func() error, error) {
	sub, err := s.live.SubscribeLive(id, to, fn)
	if err != nil {
		return nil, err
	}
	return func() error { sub.Close(); return nil }, nil
}

func (s busSource) AskSync(ctx context.Context, id string, to game.Audience) (bus.Sync, error) {
	return s.live.AskSync(ctx, id, to)
}
