package server

import (
	"context"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// LiveBus is what rooms and streams ask of the messages between halls and workers.
type LiveBus interface {
	AskSeatInput(ctx context.Context, in bus.SeatInput) (bus.Reply, error)
	SubscribeSeatState(id string, seat game.Seat, fn func(bus.SeatState)) (*bus.Subscription, error)
	SubscribeSeat(id string, seat game.Seat, fn func(payload []byte)) (*bus.Subscription, error)
	AskSeat(ctx context.Context, id string, seat game.Seat, payload []byte) ([]byte, error)
	Subscribe(topic string, fn func(payload []byte)) (*bus.Subscription, error)
	Publish(topic string, payload []byte) error
	PublishOrder(o bus.Order) error
	SubscribeConsole(id string, seat game.Seat, fn func(bus.Console)) (*bus.Subscription, error)
	AskConsole(ctx context.Context, id string, seat game.Seat) (bus.Console, error)
}

// Live is the part of a hall that has rooms and running games. Dispatcher, Bus, Hub and Game
// are needed.
type Live struct {
	Dispatcher *play.Dispatcher
	Bus        LiveBus
	Hub        *hub.Hub
	// Tournaments are those that Dispatcher tells of their games; nil for none.
	Tournaments *Tournaments
	// Game checks what a room is to play: a specification, the text of a position
	// (empty for the initial one) and decisions made from there, in the journal's form.
	// It returns the specification in canonical form, and whether the game hides
	// anything from a seat. Its errors are one line for people.
	Game func(ctx context.Context, spec game.Spec, position string, moves []string) (canonical game.Spec, hidden bool, err error)
}

// FromBus makes a source of live events for a hub.
func FromBus(b *bus.Bus) hub.Source { return busSource{b} }

type busSource struct{ bus *bus.Bus }

func (s busSource) Listen(id string, to game.Audience, fn func(bus.Live)) (func() error, error) {
	sub, err := s.bus.SubscribeLive(id, to, fn)
	if err != nil {
		return nil, err
	}
	return func() error { sub.Close(); return nil }, nil
}

func (s busSource) AskSync(ctx context.Context, id string, to game.Audience) (hub.Sync, error) {
	x, err := s.bus.AskSync(ctx, id, to)
	return hub.Sync{Attempt: x.Attempt, Seq: x.Seq, Lines: x.Lines}, err
}

// actorOf is what a caller is in a room.
func actorOf(ctx context.Context) room.Actor {
	c, _ := auth.FromContext(ctx)
	return room.Actor{ID: c.ID, Name: c.Name, Guest: c.Kind == store.Guest, Arbiter: c.Can(auth.Direct)}
}
