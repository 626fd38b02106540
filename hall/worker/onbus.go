package worker

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// OnBus returns the bus as a worker needs it.
func OnBus(b *bus.Bus) Bus { return onBus{b} }

type onBus struct{ *bus.Bus }

type delivery struct{ *bus.Delivery }

// Job returns what was delivered.
func (d delivery) Job() bus.Job { return d.Delivery.Job }

func (b onBus) Take(ctx context.Context, has func(hash string) bool) (Delivery, error) {
	d, err := b.Bus.Take(ctx, has)
	if err != nil {
		return nil, err
	}
	return delivery{d}, nil
}

func (b onBus) ServeSync(id string, fn func(to game.Audience) (bus.Sync, error)) (func(), error) {
	return closer(b.Bus.ServeSync(id, fn))
}

func (b onBus) ServeSeatInput(id string, seat game.Seat, fn func(bus.SeatInput) bus.Reply) (func(), error) {
	return closer(b.Bus.ServeSeatInput(id, seat, fn))
}

func (b onBus) ServeSeat(id string, seat game.Seat, fn func(payload []byte) []byte) (func(), error) {
	return closer(b.Bus.ServeSeat(id, seat, fn))
}

func (b onBus) ServeConsole(id string, seat game.Seat, fn func() bus.Console) (func(), error) {
	return closer(b.Bus.ServeConsole(id, seat, fn))
}

func (b onBus) SubscribeOrders(id string, fn func(bus.Order)) (func(), error) {
	return closer(b.Bus.SubscribeOrders(id, fn))
}

func (b onBus) SubscribeBeats(fn func(age, waits time.Duration)) (func(), error) {
	return closer(b.Bus.SubscribeBeats(fn))
}

func (b onBus) OpenLog(id string, attempt int) (Log, error) {
	l, err := b.Bus.OpenLog(id, attempt)
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (b onBus) Register(w bus.Worker) (Registration, error) {
	r, err := b.Bus.Register(w)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func closer(s *bus.Subscription, err error) (func(), error) {
	if err != nil {
		return nil, err
	}
	return s.Close, nil
}
