//go:build linux

package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"kibitz/bench/paced"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/match"
)

// builder makes games whose built-in engines are paced players: rules, referee and all
// that is told of the game are those of any hall.
type builder struct {
	now   func() time.Time
	every time.Duration
	// aloud seats engines in processes of their own, which say after so long what they
	// think: they decide after 5 s.
	aloud time.Duration
}

// build is worker.Config.Build.
func (b builder) build(_ context.Context, p *bus.Play) (*worker.Setup, error) {
	r, err := games.Open(string(p.Spec))
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.Game)) // writing to a hash cannot fail
	seed := h.Sum64()
	beat := &paced.Beat{Every: b.every, Now: b.now, Next: b.now()}
	if b.every > 0 { // games do not beat together
		beat.Next = beat.Next.Add(time.Duration(seed % uint64(b.every)))
	}
	setup := &worker.Setup{Rules: r, Policy: match.Policy{Start: time.Minute, MaxMoves: p.Rules.MaxMoves}}
	for i := range setup.Sides {
		seat := &p.Seats[i]
		if seat.Kind != bus.BotSeat {
			return nil, fmt.Errorf("seat %s is of kind %q; here all are built-in engines", game.Seat(i), seat.Kind)
		}
		control, err := clock.Parse(seat.Clock)
		if err != nil {
			return nil, err
		}
		setup.Sides[i] = match.Side{Name: seat.Name, Clock: control, Margin: time.Second, Player: paced.New(seed+uint64(i), beat)}
		if b.aloud > 0 {
			if err := talking(&setup.Sides[i], game.Seat(i), b.aloud, b.now); err != nil {
				return nil, err
			}
		}
	}
	setup.Close = func() {
		for i := range setup.Sides {
			_ = setup.Sides[i].Player.Close() // it has been killed with the worker, or plays no more
		}
	}
	return setup, nil
}

// drive plays games until the context ends: it is a worker of the hall, in a process of
// its own so that its costs can be told from the hall's.
func drive(ctx context.Context, url string, slots int, every, aloud time.Duration, now func() time.Time) error {
	b, err := bus.Open(ctx, bus.Options{URL: url, Worker: true, Now: now})
	if err != nil {
		return err
	}
	w, err := worker.New(worker.Config{
		Bus: worker.OnBus(b), Build: builder{now: now, every: every, aloud: aloud}.build, ID: b.WorkerID("hallload"), Name: "hallload",
		Slots: slots, Now: now,
	})
	if err == nil {
		w.Run(ctx)
	}
	if end := b.Close(); err == nil {
		err = end
	}
	return err
}
