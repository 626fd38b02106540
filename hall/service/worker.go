package service

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/hall/worker/factory"
	"kibitz/internal/drain"
	"kibitz/run/watchdog"
)

// WorkerConfig says what a worker of a hall elsewhere is.
type WorkerConfig struct {
	// Queue is the address of the hall's messages, Token lets it in, Prefix begins their subjects.
	Queue, Token, Prefix string
	// Name is for people; empty: that of the machine.
	Name string
	// Slots and Analyses are those of a hall's own worker, but 0 slots are the number of processors.
	Slots, Analyses int
	// Engines is the file of the engines of this machine; empty: there are none.
	Engines string
}

// Work plays games for a hall elsewhere. With Drain no further ones begin, with the context the
// running ones are parked.
func Work(ctx context.Context, c *WorkerConfig, a *Around) (err error) {
	players, done, err := a.players(ctx, c.Engines, a.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	b, err := a.openBus(ctx, bus.Options{URL: c.Queue, Token: c.Token, Worker: true, Prefix: c.Prefix, Log: a.Log, Now: a.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	idle, err := players.ServeAnalyses(b.Analyses, c.Analyses)
	if err != nil {
		return err
	}
	defer idle()
	dog := watchdog.New(a.Now)
	defer dog.Start()()
	w, err := players.Worker(b, dog, worker.Config{
		ID: b.WorkerID(rand.Text()), Name: c.Name, Slots: c.Slots, Version: a.Version, Log: a.Log,
	})
	if err != nil {
		return err
	}
	a.Log.Info("waiting for games", "worker", w.Name, "slots", w.Slots, "engines", len(players.Entries()))
	defer drain.Do(a.Drain, w.Drain)()
	w.Run(ctx)
	return nil
}

// players makes the players of a worker of this process; done removes what was made for them.
func (a *Around) players(ctx context.Context, file string, log *slog.Logger) (f *factory.Factory, done func() error, err error) {
	return factory.Open(ctx, &factory.Machine{File: file, Launcher: a.Launcher, SetTemp: a.SetTemp, Log: log})
}
