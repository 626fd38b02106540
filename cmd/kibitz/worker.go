package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"kibitz/bus"
	"kibitz/worker"
)

type workerCmd struct {
	NATS    string `name:"nats" required:"" env:"KIBITZ_NATS" help:"Where the hall's messages go, nats://host:4222; a token or a name and password may stand before the host." placeholder:"URL"`
	Engines string `help:"File with the engines of this machine; without one built-in engines alone." placeholder:"FILE.toml"`
	Slots   int    `help:"Games at a time (the number of processors)." placeholder:"N"`
	Name    string `help:"Name of the worker for people (the name of the machine)." placeholder:"NAME"`
	Prefix  string `default:"kibitz" help:"Prefix of the hall's messages, if it has another." placeholder:"WORD"`
	Log     string `enum:"text,json" default:"text" help:"Form of the log on stderr: text or json."`
}

// Help returns the example that --help shows.
func (workerCmd) Help() string {
	return "Plays games for a hall that runs elsewhere. The first interrupt lets running games end, the second parks them.\n" +
		"Example: kibitz worker --nats nats://token@hall.example:4222 --engines engines.toml --slots 4"
}

// Run plays until it is interrupted.
func (c workerCmd) Run(a *app) (err error) {
	log := newLog(a, c.Log)
	crew, done, err := mannedCrew(a, c.Engines, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	b, err := bus.Open(a.ctx, bus.Options{URL: c.NATS, Prefix: c.Prefix, Log: log, Now: a.now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	pulse := newPulse(a.now)
	defer pulse.start()()
	w, err := newWorker(a, b, crew, pulse, c.Name, c.Slots, log)
	if err != nil {
		return err
	}
	log.Info("waiting for games", "worker", w.Name, "slots", w.Slots, "engines", len(w.Engines))
	stop := onClosed(a.drain, w.Drain)
	defer stop()
	w.Run(a.ctx)
	return nil
}

// newLog returns the log of a service.
func newLog(a *app, form string) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.stderr, o))
}

// mannedCrew returns a crew with the engines of a file; done removes what was made for
// them. No file is no engines.
func mannedCrew(a *app, file string, log *slog.Logger) (c *crew, done func() error, err error) {
	var list []offeredEngine
	if file != "" {
		if list, err = readEngines(file); err != nil {
			return nil, nil, err
		}
	}
	dir, err := os.MkdirTemp("", "kibitz-programs-")
	if err != nil {
		return nil, nil, err
	}
	say := func(text string) { log.Info(text) }
	p := &programs{a: a, dir: filepath.Clean(dir), own: true, say: say}
	c = newCrew(a, list, p, func(text string) { log.Warn(text) })
	if err := c.ready(); err != nil {
		return nil, nil, errors.Join(err, p.close())
	}
	return c, p.close, nil
}

// newWorker returns a worker of this process.
func newWorker(a *app, b *bus.Bus, c *crew, pulse *pulse, name string, slots int, log *slog.Logger) (*worker.Worker, error) {
	if name == "" {
		name, _ = os.Hostname()
	}
	if slots == 0 {
		slots = runtime.NumCPU()
	}
	if slots < 1 || slots > maxConcurrency {
		return nil, fmt.Errorf("--slots %d: must be from 1 to %d", slots, maxConcurrency)
	}
	id := make([]byte, 8)
	if _, err := rand.Read(id); err != nil {
		return nil, err
	}
	return worker.New(worker.Config{
		Bus: worker.OnBus(b), Build: c.build, Keys: c.keys, ID: hex.EncodeToString(id), Name: name, Version: version, Slots: slots,
		Engines: c.entries(), Now: a.now, Slept: pulse.slept, Log: log,
	})
}

// onClosed calls f once ch is closed; stop ends the waiting.
func onClosed(ch <-chan struct{}, f func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-ch:
			f()
		case <-ctx.Done():
		}
	}()
	return cancel
}
